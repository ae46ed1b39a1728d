"""extract.py: writes C++ examples of README.md and docs/ into source files; does not touch a file that would not change.

extract.py ROOT program PAGE NAME OUT     the example, a whole program
extract.py ROOT main PAGE NAME OUT        the example as the body of main(); it ends by setting a status named `end`
extract.py ROOT fill PLACES OUT           PLACES with each `EXAMPLE <PAGE NAME>` replaced; all other C++ examples must be there
"""

import pathlib
import re
import sys

from pages import blocks, example, page_names, read_page

MAIN = """#include <citestream/citestream.hpp>

#include <iostream>
#include <string>
#include <unistd.h>

int main() {{
{code}  return end ? 1 : 0;
}}
"""
ELSEWHERE = {("README.md", "quickstart"), ("docs/library.md", "loop")}  # programs of their own


def write(path, text):
    target = pathlib.Path(path)
    if not target.exists() or target.read_text(encoding="utf-8") != text:
        target.write_text(text, encoding="utf-8")


def fill(root, places):
    """The places with their examples. Every C++ example of the pages must have a place."""
    used = set()

    def code_of(found):
        used.add((found[1], found[2]))
        return example(read_page(root, found[1]), found[2])

    filled = re.sub(r"\bEXAMPLE <(\S+) (\w+)>", code_of, pathlib.Path(places).read_text(encoding="utf-8"))
    for page in page_names(root):
        for block in blocks(read_page(root, page)):
            if block.language == "cpp" and (page, block.name) not in used | ELSEWHERE:
                raise SystemExit(f"{page}:{block.line}: no test compiles this example ({block.name or 'it has no name'})")
    return filled


def main(root, what, *arguments):
    if what == "fill":
        places, out = arguments
        write(out, fill(root, places))
        return
    page, name, out = arguments
    code = example(read_page(root, page), name)
    write(out, MAIN.format(code=code) if what == "main" else code)


if __name__ == "__main__":
    main(*sys.argv[1:])
