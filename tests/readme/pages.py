"""README.md and the pages in docs/: their code blocks, shell commands, links and anchors.

A code block can have a directive in the line above it:

    <!-- example: NAME -->   it is compiled, run or compared by the test of that name
    <!-- file: NAME -->      it is the contents of a file that the commands of the page read
    <!-- output -->          it is what the last command above it prints
"""

import dataclasses
import pathlib
import re

BLOCK = re.compile(r"(?:^<!-- (?P<directive>example|file|output)(?:: (?P<name>\S+))? -->\n+)?"
                   r"^(?P<fence>`{3,})(?P<language>[\w-]*)\n(?P<code>.*?)^(?P=fence)$", re.M | re.S)


@dataclasses.dataclass(frozen=True)
class Block:
    directive: str
    name: str
    language: str
    code: str
    line: int


def page_names(root):
    """README.md and every page in docs/, relative to the root."""
    return ["README.md", *sorted(f"docs/{path.name}" for path in (pathlib.Path(root) / "docs").glob("*.md"))]


def read_page(root, name):
    return (pathlib.Path(root) / name).read_text(encoding="utf-8")


def blocks(text):
    """The code blocks of a page, in order."""
    return [Block(found["directive"] or "", found["name"] or "", found["language"], found["code"],
                  text.count("\n", 0, found.start("code")))
            for found in BLOCK.finditer(text)]


def example(text, name):
    """The code of the one example with that name."""
    found = [block.code for block in blocks(text) if block.directive == "example" and block.name == name]
    if len(found) != 1:
        raise ValueError(f"{len(found)} examples are named {name}, not one")
    return found[0]


def commands(code):
    """The commands of a shell block: (command, its comment). A backslash continues a command."""
    for line in code.replace("\\\n", " ").splitlines():
        command, _, comment = re.fullmatch(r"(.*?)(\s+#\s*(.*))?", line).groups(default="") if line else ("", "", "")
        if command.strip():
            yield command.strip(), comment


def prose(text):
    """The page without its code blocks."""
    return BLOCK.sub("", text)


def anchors(text):
    """The anchors of a page's headings, as GitHub makes them."""
    found = set()
    for heading in re.findall(r"^#+ (.+)$", prose(text), re.M):
        plain = re.sub(r"[^\w\- ]", "", heading.lower())
        found.add(plain.replace(" ", "-"))
    return found


def links(text):
    """The relative links of a page: (path, anchor), either of them possibly empty."""
    for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", prose(text))):
        if not re.match(r"[a-z]+:", target):
            path, _, anchor = target.partition("#")
            yield path, anchor
