"""counting.py PROGRAM [ARGUMENT...]: runs it under valgrind, where tests/support/linear.hpp can count instructions.

It runs the program directly without valgrind, which the program then reports, and to list tests or reporters (--list-...).
"""

import os
import shutil
import subprocess
import sys
import tempfile


def main():
    lists = any(argument.startswith("--list-") for argument in sys.argv[2:])
    if lists or not shutil.which("valgrind"):
        os.execv(sys.argv[1], sys.argv[1:])
    with tempfile.TemporaryDirectory(prefix="citestream-counts-") as folder:
        counts = os.path.join(folder, "counts")
        # Massif counts instructions at a tenth of callgrind's cost. With --pages-as-heap it leaves malloc alone, so that the work of
        # malloc is counted, too.
        command = ["valgrind", "-q", "--tool=massif", "--time-unit=i", "--pages-as-heap=yes", "--depth=1", "--vgdb=no",
                   f"--massif-out-file={os.path.join(folder, 'massif')}"]
        done = subprocess.run([*command, *sys.argv[1:]], env={**os.environ, "CITESTREAM_COUNTS": counts}, check=False)
    sys.exit(done.returncode if done.returncode >= 0 else 128 - done.returncode)


if __name__ == "__main__":
    main()
