#!/usr/bin/env python3
"""language_test.py COMPILER INCLUDE...: below C++20 the first error in each public C++ header names the language."""

import glob
import os
import subprocess
import sys

SENTENCE = "citestream needs C++20"


def errors(compiler, folders, language, header):
    """The compiler's first error, if any, for a file that includes only this header."""
    options = [f"-I{folder}" for folder in folders]
    done = subprocess.run([compiler, *language, *options, "-fsyntax-only", "-Wfatal-errors", "-"], input=f"#include <{header}>\n",
                          env={**os.environ, "LC_ALL": "C"}, capture_output=True, text=True, check=False)
    return [line for line in done.stderr.splitlines() if "error: " in line]


def main():
    compiler, *folders = sys.argv[1:]
    headers = [os.path.relpath(path, folders[0]) for path in glob.glob(folders[0] + "/**/*.hpp", recursive=True)]
    if len(headers) < 15:
        sys.exit(f"only {headers} were found")
    for header in headers:
        found = errors(compiler, folders, ["-xc++", "-std=c++17"], header)
        if not found or SENTENCE not in found[0]:
            sys.exit(f"{header} as C++17: {found}")
    for language in (["-xc++", "-std=c++17"], ["-xc", "-std=c11"]):
        if found := errors(compiler, folders, language, "citestream/citestream.h"):
            sys.exit(f"the C header, {language}: {found[0]}")


if __name__ == "__main__":
    main()
