"""counting.py PROGRAM [ARGUMENT...]: runs it under valgrind, where tests/support/linear.hpp can count instructions.

Without valgrind it runs the program directly, which then reports that nothing is counted.
"""

import os
import shutil
import subprocess
import sys
import tempfile


def main():
    if not shutil.which("valgrind"):
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
