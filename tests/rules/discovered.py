#!/usr/bin/env python3
"""discovered.py CTEST BUILD_DIR: every Catch2 case that ctest knows can fail, has a label and can be skipped."""

import json
import os
import subprocess
import sys

NO_MATCH = "No test cases matched"


def program_of(test, programs):
    """Returns the Catch2 program to which a test belongs, run directly or by another program, or None."""
    for part in test.get("command", []):
        if os.path.realpath(os.path.dirname(part)) == programs and test["name"].startswith(os.path.basename(part) + ":"):
            return part
    return None


def faults(test, programs):
    """Yields the faults of one test as described by `ctest --show-only=json-v1`."""
    name = test["name"]
    if "_NOT_BUILT" in name:
        yield f"{name}: was not built"
    if not program_of(test, programs):
        return
    properties = {entry["name"]: entry["value"] for entry in test.get("properties", [])}
    if NO_MATCH not in properties.get("FAIL_REGULAR_EXPRESSION", []):
        yield f"{name}: passes where its name matches no case"
    if not any(value.startswith("SKIPPED: ") for value in properties.get("SKIP_REGULAR_EXPRESSION", [])):
        yield f"{name}: cannot be skipped"
    for needed in ("LABELS", "TIMEOUT"):
        if not properties.get(needed):
            yield f"{name}: has no {needed}"


def main(ctest, build):
    shown = subprocess.run([ctest, "--test-dir", build, "--show-only=json-v1"],
                           capture_output=True, text=True, check=True)
    tests = json.loads(shown.stdout)["tests"]
    programs = os.path.join(os.path.realpath(build), "tests")
    found = [fault for test in tests for fault in faults(test, programs)]
    cases = [program for program in (program_of(test, programs) for test in tests) if program]
    if not cases:
        found.append(f"no Catch2 case was discovered in {programs}")
    for program in sorted(set(cases)):
        said = subprocess.run([program, "no case has this name"], capture_output=True, text=True, check=False)
        if NO_MATCH not in said.stdout:
            found.append(f"{program}: does not say where a name matches no case")
    print("\n".join(found) or f"{len(cases)} cases, all as they should be")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
