"""Draws the figures of results with bench/plots.py, which Debian's python3-matplotlib is needed for."""

import json
import os
import subprocess
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PYTHON = "/usr/bin/python3"


def can_draw():
    try:
        return subprocess.run([PYTHON, "-c", "import matplotlib"], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def drawn(kind, results):
    """Returns (exit code, standard error, file name -> SVG)."""
    with tempfile.TemporaryDirectory() as folder:
        path, out = os.path.join(folder, "in.json"), os.path.join(folder, "out")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(results, file)
        done = subprocess.run([PYTHON, "-B", os.path.join(ROOT, "bench/plots.py"), kind, path, out], capture_output=True,
                              encoding="utf-8", timeout=240, check=False)
        files = {}
        for name in os.listdir(out) if os.path.isdir(out) else []:
            with open(os.path.join(out, name), encoding="utf-8") as file:
                files[name] = file.read()
        return done.returncode, done.stderr, files
