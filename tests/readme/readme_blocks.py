"""The code blocks of README.md: the text between ``` lines, with the name before it."""

import re


def blocks(text):
    """Yields (name, language, code): the name from a line `<!-- example: NAME -->` above, or ""."""
    pattern = r"(?:^<!-- example: (?P<name>\S+) -->\n)?^```(?P<language>\w*)\n(?P<code>.*?)^```$"
    for found in re.finditer(pattern, text, re.M | re.S):
        yield found["name"] or "", found["language"], found["code"]


def example(text, name):
    """The code of the one block with that name."""
    found = [code for its_name, _, code in blocks(text) if its_name == name]
    if len(found) != 1:
        raise ValueError(f"README.md has {len(found)} examples called {name}, not one")
    return found[0]


def commands(text):
    """The shell commands, without their comments."""
    for _, language, code in blocks(text):
        if language == "sh":
            for line in code.splitlines():
                command = re.sub(r"\s+#.*", "", line).strip()
                if command:
                    yield command


def stream(code):
    """The event stream for a list of abbreviated events, one a line."""
    return "".join(line + "\n\n" for line in code.splitlines())
