"""embedded.py FILE ROUNDS: rewrites the stream in FILE ROUNDS times, in reads of 16 KB, like a gateway in Python."""

import sys

import citestream

with open(sys.argv[1], "rb") as file:
    ALL = file.read()
READS = [ALL[at:at + 16384] for at in range(0, len(ALL), 16384)]
STREAM = citestream.Stream()
SIZE = 0
for _ in range(int(sys.argv[2])):
    for each in READS:
        SIZE += len(STREAM.feed(each))
    SIZE += len(STREAM.finish())
    STREAM.reset()
sys.exit(SIZE == 0 and int(sys.argv[2]) > 0)
