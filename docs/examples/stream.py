import sys
import citestream

with citestream.Stream(style="numeric") as stream:
    while chunk := sys.stdin.buffer.read1():
        sys.stdout.buffer.write(stream.feed(chunk))
        sys.stdout.buffer.flush()
    sys.stdout.buffer.write(stream.finish())
    for citation in stream.citations():
        print(citation.label, citation.status.name, file=sys.stderr)
