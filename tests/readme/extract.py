"""extract.py README NAME FILE: writes an example of the README to FILE if that changes the file."""

import pathlib
import sys

from readme_blocks import example


def main(readme, name, target):
    code = example(pathlib.Path(readme).read_text(encoding="utf-8"), name)
    path = pathlib.Path(target)
    if not path.exists() or path.read_text(encoding="utf-8") != code:
        path.write_text(code, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
