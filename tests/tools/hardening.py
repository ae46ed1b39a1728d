"""hardening.py [--library] READELF FILE: prints what the file lacks of the hardening in cmake/citestream_hardening.cmake.
hardening.py --plain READELF COMPILER FOLDER: a program compiled without any of it lacks all of it."""

import os
import re
import subprocess
import sys

LANDING_PAD = b"\xf3\x0f\x1e\xfa"  # endbr64
PROBE = b"\x48\x83\x0c\x24\x00"  # orq $0, (%rsp): the stack grows page by page
PLAIN = """
#include <cstdio>
#include <cstring>
namespace citestream {
[[gnu::noinline]] int said(const char* text) { char copy[20000]; std::strcpy(copy, text); return std::puts(copy); }
}
int main(int, char** arguments) { return citestream::said(arguments[0]); }
"""
NO_FLAGS = ["-O2", "-no-pie", "-fno-pie", "-fno-stack-protector", "-fno-stack-clash-protection", "-fcf-protection=none",
            "-U_FORTIFY_SOURCE", "-Wl,-z,norelro", "-Wl,-z,lazy", "-Wl,-z,execstack"]


def read(readelf, option, path):
    return subprocess.run([readelf, option, "-W", path], capture_output=True, text=True, check=True).stdout


def functions(symbols):
    """(address, name) of the project's own functions that others may call: the nginx module exports none, but nginx
    calls what stands in its tables."""
    pattern = (r"^ *\d+: ([0-9a-f]+) +[1-9]\d* FUNC +"
               r"(?:GLOBAL \w+ +\d+ (_ZNK?10citestream\w+|citestream_\w+)(?:@@\w+)?|LOCAL +\w+ +\d+ (citestream_\w+))$")
    return [(int(address, 16), name or local) for address, name, local in re.findall(pattern, symbols, re.M)]


def in_file(segments, address):
    """The offset in the file of what is loaded at an address."""
    for offset, begin, size in re.findall(r"^ +LOAD +0x(\w+) 0x(\w+) 0x\w+ 0x(\w+)", segments, re.M):
        if int(begin, 16) <= address < int(begin, 16) + int(size, 16):
            return int(offset, 16) + address - int(begin, 16)
    raise SystemExit(f"no segment holds {address:#x}")


def missing(readelf, path, library):
    """Names what the file lacks."""
    header, segments, dynamic, symbols, notes = (
        read(readelf, option, path) for option in ("-h", "-l", "-d", "-s", "-n"))
    with open(path, "rb") as file:
        content = file.read()
    found = {
        "full RELRO: GNU_RELRO": "GNU_RELRO" in segments,
        "full RELRO: BIND_NOW": "BIND_NOW" in dynamic or re.search(r"Flags:.*\bNOW\b", dynamic),
        "a stack that cannot be run": re.search(r"GNU_STACK.* RW +0x", segments),
        "no segment both written and run": "RWE" not in segments,
        "no relocations in code": "TEXTREL" not in dynamic,
        "a stack protector": "__stack_chk_fail" in symbols,
    }
    if not library:  # of those the small library has no need
        found["a position-independent executable"] = re.search(r"Type: +DYN", header) and " PIE" in dynamic
        found["_FORTIFY_SOURCE: checked calls"] = re.search(r"\b__\w+_chk@", symbols)
    if "X86-64" in header:
        found["a shadow stack"] = "SHSTK" in notes
        own = functions(symbols)
        found["landing pads"] = own and all(
            content.startswith(LANDING_PAD, in_file(segments, address)) for address, _ in own)
        if not library:
            found["a stack that grows page by page"] = PROBE in content
    return [what for what, there in found.items() if not there], found


def check_plain(readelf, compiler, folder):
    source, program = os.path.join(folder, "plain.cpp"), os.path.join(folder, "plain")
    with open(source, "w", encoding="utf-8") as file:
        file.write(PLAIN)
    subprocess.run([compiler, *NO_FLAGS, source, "-o", program], check=True)
    lacks, asked = missing(readelf, program, library=False)
    lacks.append("no relocations in code")  # only libraries have those
    return [f"not missed: {what}" for what in asked if what not in lacks]


def main(arguments):
    if arguments[0] == "--plain":
        wrong = check_plain(*arguments[1:])
    else:
        library = arguments[0] == "--library"
        wrong, _ = missing(*arguments[-2:], library)
    for what in wrong:
        print(f"{arguments[-1]}: {what}")
    return 1 if wrong else 0


sys.exit(main(sys.argv[1:]))
