"""docstrings.py INCLUDE SRC PLACES OUT: copies PLACES to OUT and inserts the examples of the headers.

A line `EXAMPLE <header>` in PLACES is replaced by the code of that header's example, `EXAMPLE_TEXT <header>` by a string
with the code. It is an error if a place has no example or an example of a public header has no place.
"""

import pathlib
import re
import sys
import textwrap


def examples(*folders):
    """Returns {header: text} of all `\\code` blocks in the headers below these folders, one per header."""
    found = {}
    for include, path in ((folder, path) for folder in folders for path in sorted(pathlib.Path(folder).rglob("*.h*"))):
        text = path.read_text(encoding="utf-8")
        for block in re.finditer(r"\\code(?:\{\.(\w+)\})?\n(.*?)^[^\n]*\\endcode", text, re.M | re.S):
            header = path.relative_to(include).as_posix()
            if header in found:
                raise SystemExit(f"{header}: two examples, of which one would not be run")
            lines = [re.sub(r"^\s*(?:///|\*)", "", line) for line in block[2].splitlines()]
            found[header] = textwrap.dedent("\n".join(lines)) + "\n"
    return found


def fill(places, found, required):
    """Returns PLACES with the examples inserted."""
    used = set()

    def example(match):
        kind, header = match[1], match[2]
        if header not in found:
            raise SystemExit(f"{header} has no example, but a place in the test")
        used.add(header)
        code = found[header]
        return f'R"example({code})example"' if kind == "EXAMPLE_TEXT" else code

    filled = re.sub(r"\b(EXAMPLE|EXAMPLE_TEXT) <([^>]+)>", example, places)
    for header in sorted(set(required) - used):
        raise SystemExit(f"{header}: its example has no place in the test, so nothing runs it")
    return filled


def main(include, src, places, out):
    filled = fill(pathlib.Path(places).read_text(encoding="utf-8"), examples(include, src), examples(include))
    target = pathlib.Path(out)
    if not target.exists() or target.read_text(encoding="utf-8") != filled:
        target.write_text(filled, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
