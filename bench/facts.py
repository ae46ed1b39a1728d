"""Facts about the machine that figures depend on, and what the scripts of this folder share."""

import os
import platform
import re
import statistics
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGE = os.path.join(ROOT, "docs/performance.md")


def text_of(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def output_of(*command):
    """What a command prints, on both outputs; empty if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
        return (done.stdout + done.stderr).strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def is_virtual():
    return " hypervisor" in text_of("/proc/cpuinfo")


def cpu_model():
    found = re.search(r"^model name\s*:\s*(.*)$", text_of("/proc/cpuinfo"), re.M)
    return found[1] if found else platform.machine()


def now():
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def commit():
    return output_of("git", "describe", "--always", "--dirty")


def median(values):
    """The median of the values that are not None; None if there are none."""
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None


def update_page(pattern, replacement, script):
    """Replaces the one match of `pattern` in docs/performance.md."""
    page = text_of(PAGE)
    changed, count = pattern.subn(replacement, page)
    if count != 1:
        sys.exit(f"{script}: docs/performance.md has no place for the numbers")
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(changed)
