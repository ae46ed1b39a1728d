#!/usr/bin/env python3
"""check.py ROOT RULE [COMPILER]: checks one rule of rules.py on the tree at ROOT; exits with 1 if it is broken."""

import sys

import rules


def main(root, name, compiler="c++"):
    rule = next(rule for rule in rules.RULES if rule.__name__ == name)
    arguments = (root, compiler) if rule is rules.headers_alone else (root,)
    try:
        broken = list(rule(*arguments))
    except rules.Skipped as reason:
        print(f"SKIPPED: {reason}")
        return 0
    for line in broken:
        print(line)
    print(f"{rule.__doc__}\n{len(broken)} places break this." if broken else f"Kept: {rule.__doc__}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
