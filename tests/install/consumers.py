#!/usr/bin/env python3
"""consumers.py WHAT BUILD SOURCE: builds and runs programs that use the installed library.

WHAT: prefix (installs into BUILD/tests/install/prefix), cmake COMPILER, pkg-config COMPILER, subproject, bundled, exports,
missing, nginx.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
C_COMPILER = {"g++": "gcc", "clang++-19": "clang-19"}


def run(*command, **how):
    """Runs a command and shows its output if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, **how)
    if done.returncode:
        sys.exit(f"{shlex.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def fresh(path):
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    return path


def library_folder(prefix):
    for folder, _, names in os.walk(prefix):
        if "libcitestream.a" in names:
            return folder
    sys.exit("libcitestream.a was not installed")


def install(build, prefix):
    fresh(prefix)
    for component in ("library", "library_cxx", "library_check", "development"):
        run("cmake", "--install", build, "--component", component, "--prefix", prefix)
    libraries = library_folder(prefix)
    for name in ("libcitestream.so", "libcitestream++.so", "libcitestream_check.so"):
        # A link to the soname, which is a link to the file.
        first = os.readlink(os.path.join(libraries, name))
        said = run("readelf", "-d", os.path.join(libraries, name))
        if not re.search(rf"SONAME.*\[{re.escape(first)}\]", said) or not re.fullmatch(rf"{re.escape(name)}\.\d+", first):
            sys.exit(f"{name} -> {first}\n{said}")


def by_cmake(compiler, prefix, work):
    fresh(work)
    run("cmake", "-S", os.path.join(HERE, "consumer"), "-B", work, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}",
        f"-DCMAKE_CXX_COMPILER={compiler}", f"-DCMAKE_C_COMPILER={C_COMPILER[compiler]}")
    run("cmake", "--build", work)
    for program in ("static_20", "static_23", "shared_20", "shared_23", "check_static", "check_shared", "c_shared", "c_static"):
        run(os.path.join(work, program))


def by_pkg_config(compiler, prefix, work):
    fresh(work)
    libraries = library_folder(prefix)
    found = {**os.environ, "PKG_CONFIG_PATH": os.path.join(libraries, "pkgconfig")}

    def flags(*arguments):
        return shlex.split(run("pkg-config", *arguments, env=found))

    source = os.path.join(HERE, "consumer/consumer")
    unit = os.path.join(work, "consumer.o")
    run(compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-c", source + ".cpp", "-o", unit, *flags("--cflags", "citestream++"))
    c_unit = os.path.join(work, "consumer_c.o")
    run(C_COMPILER[compiler], "-std=c11", "-Wall", "-Wextra", "-pedantic", "-Werror", "-c", source + ".c", "-o", c_unit,
        *flags("--cflags", "citestream"))
    check_unit = os.path.join(work, "checker.o")
    run(compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-c", os.path.join(HERE, "consumer/consumer_checker.cpp"), "-o", check_unit,
        *flags("--cflags", "citestream_check"))
    for name, linker, one in (("citestream++", compiler, unit), ("citestream_check", compiler, check_unit),
                              ("citestream", C_COMPILER[compiler], c_unit)):
        program = os.path.join(work, name)
        run(linker, one, "-o", program, *flags("--libs", name), f"-Wl,-rpath,{libraries}")
        run(program)
        # The static library of citestream with the system's shared libraries.
        archive = [re.sub(r"^-l(citestream.*)", r"-l:lib\1.a", flag) for flag in flags("--libs", "--static", name)]
        run(linker, one, "-o", program, *archive)
        run(program)
        if "libcitestream" in run("readelf", "-d", program):
            sys.exit("not static")
    version = run("pkg-config", "--modversion", "citestream", env=found).strip()
    header = run("grep", "define CITESTREAM_VERSION \"", os.path.join(prefix, "include/citestream/version.h"))
    if f'"{version}"' not in header:
        sys.exit(f"pkg-config says {version}, the header {header}")


def as_subproject(source, work):
    """Uses the simdjson of the consumer, in each way of including sources. Compiles only the files that need simdjson."""
    for way in ("ON", "OFF"):
        fresh(work)
        run("cmake", "-S", os.path.join(HERE, "subproject"), "-B", work, "-G", "Ninja", f"-DCITESTREAM_SOURCE={source}",
            f"-DFETCH={way}")
    sees_simdjson = "citestream/src/CMakeFiles/citestream_core.dir/chunk/document.cpp.o"
    run("cmake", "--build", work, "--target", "consumer", sees_simdjson)


def missing_parts(build, work):
    """Whatever `cmake --install` needs from the build, it builds if it is missing: each file, and in a small project."""
    scripts = ""
    for folder, _, names in os.walk(os.path.join(build, "src")):
        if "cmake_install.cmake" in names:
            with open(os.path.join(folder, "cmake_install.cmake"), encoding="utf-8") as file:
                scripts += file.read()
    installed = set(re.findall(r'FILES "(' + re.escape(build) + r'/[^"]+\.(?:a|so|so\.[\d.]+))"', scripts))
    installed |= set(re.findall(r'(?<=[" ])(' + re.escape(build) + r'/(?:citestream(?:\.1)?|completions/\w+))"', scripts))
    built = set(re.findall(r'if\(NOT EXISTS "([^"]+)"\)', scripts))
    # The links of a library are made with it, and one command makes both completions.
    same = {path: re.sub(r"(\.so)[\d.]*$|(completions)/\w+$", r"\1\2", path) for path in installed | built}
    missing = {path for path in installed if same[path] not in map(same.get, built)}
    if len(installed) < 5 or missing:
        sys.exit(f"installed but not built if missing: {sorted(missing)}")

    fresh(work)
    source = os.path.join(HERE, "missing")
    tree, prefix = os.path.join(work, "build"), os.path.join(work, "prefix")
    run("cmake", "-S", source, "-B", tree, "-G", "Ninja")
    run("cmake", "--install", tree, "--component", "part", "--prefix", prefix)
    found = sorted(os.listdir(os.path.join(prefix, "lib")))
    if found != ["libpart.a", "made.txt"] or os.path.exists(os.path.join(tree, "libother.a")):
        sys.exit(f"installed {found} and built {os.listdir(tree)}")


def nginx_arrives_later(source, work):
    """A build that was configured without nginx-dev knows the module's target as soon as nginx-dev is there."""
    nginx = os.path.join(fresh(work), "share/nginx")
    os.makedirs(nginx)
    tree = os.path.join(work, "build")
    run("cmake", "-S", source, "-B", tree, "-G", "Ninja", f"-DCITESTREAM_NGINX_SOURCE={nginx}/src",
        "-DCITESTREAM_BUILD_TOOLS=OFF", "-DCITESTREAM_BUILD_TESTS=OFF")

    def has_target():
        return "citestream_nginx: phony" in run("cmake", "--build", tree, "--target", "help")
    if has_target():
        sys.exit("a target without nginx-dev")
    os.makedirs(os.path.join(nginx, "src"))
    for name in ("configure", "conf_flags"):
        with open(os.path.join(nginx, "src", name), "w", encoding="utf-8"):
            pass
    os.makedirs(os.path.join(nginx, "src/debian"))
    with open(os.path.join(nginx, "src/debian/libnginx-mod.abisubstvars"), "w", encoding="utf-8") as file:
        file.write("nginx:abi=none\n")
    if not has_target():
        sys.exit("no target although nginx-dev is there")


def with_bundled_simdjson(source, work):
    """Builds the whole library at -O0 with the sources of a simdjson other than the system's, and runs the program.

    With clang if it is installed, which takes half the time of g++.
    """
    fresh(work)
    bundled = os.path.join(work, "bundled")
    shutil.copytree(os.path.join(HERE, "bundled"), bundled)
    run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", cwd=bundled)
    build = os.path.join(work, "build")
    run("cmake", "-S", os.path.join(HERE, "subproject"), "-B", build, "-G", "Ninja", f"-DCITESTREAM_SOURCE={source}",
        "-DFETCH=ON", f"-DCITESTREAM_SIMDJSON_SOURCE={bundled}/node_modules/@nozbe/simdjson/src",
        *(["-DCMAKE_CXX_COMPILER=clang++-19"] if shutil.which("clang++-19") else []))
    run("cmake", "--build", build, "--target", "subproject")
    program = os.path.join(build, "subproject")
    run(program)
    if "simdjson" in run("readelf", "-d", program):
        sys.exit("the system's simdjson is linked, too")


def exported(library):
    """Returns the names that a shared library exports, without parameters, versions and ABI tags."""
    names = set()
    for line in run("nm", "-DC", "--defined-only", library).splitlines():
        _, kind, name = line.split(" ", 2)
        if kind != "A":
            names.add(re.sub(r"\[abi:cxx11\]", "", re.sub(r"@.*", "", name)).split("(")[0])
    return names


def exports(source, prefix):
    """Checks that the C library exports exactly the functions in the header, and the C++ library the names in its."""
    libraries = library_folder(prefix)
    with open(os.path.join(prefix, "include/citestream/citestream.h"), encoding="utf-8") as file:
        header = file.read()
    declared = set(re.findall(r"CITESTREAM_API[^;]*?\b(citestream_\w+)\(", header))
    found = exported(os.path.join(libraries, "libcitestream.so"))
    if declared != found:
        sys.exit(f"libcitestream.so: {sorted(declared ^ found)}")

    print(f"{len(declared)} functions in C")
    include = os.path.join(prefix, "include/citestream")
    checks = os.path.join(include, "check")
    exports_of_headers("libcitestream++.so", libraries, [path for path in headers(include) if not path.startswith(checks)], 100)
    exports_of_headers("libcitestream_check.so", libraries, headers(checks), 5)


def headers(folder):
    return [os.path.join(inner, name) for inner, _, names in os.walk(folder) for name in names]


def exports_of_headers(library, libraries, paths, least):
    """Checks that a C++ library exports exactly the names that these headers declare."""
    text = ""
    for path in paths:
        with open(path, encoding="utf-8") as file:
            text += re.sub(r"//.*", "", file.read())
    words = set(re.findall(r"\w+", text))
    # Operators and destructors are listed under their class.
    found = exported(os.path.join(libraries, library))
    foreign = {name for name in found if not name.startswith("citestream::") or "::impl" in name or
               not set(re.findall(r"\w+", name)) <= words}
    if foreign or len(found) < least:
        sys.exit(f"{library} exports {len(found)} names, among them {sorted(foreign)}")
    free = set(re.findall(r"^(?:\[\[nodiscard\]\] )?(?!return|using|inline|constexpr|template)[a-z][\w:<>*&, ]*[ *&]"
                          r"(?<!operator)([a-z_0-9]+)\([^;{]*\)(?: noexcept)?;", text, re.M))
    missing = {name for name in free if f"citestream::{name}" not in found}
    if missing or not free:
        sys.exit(f"{library} lacks {sorted(missing)}")
    print(f"{library}: {len(found)} names, {len(free)} of them free functions")


def main(what, build, source, compiler=""):
    prefix = os.path.join(build, "tests/install/prefix")
    work = os.path.join(build, "tests/install", what + compiler)
    if compiler and not shutil.which(compiler):
        print(f"SKIPPED: {compiler} is not installed")
    elif what == "prefix":
        install(build, prefix)
    elif what == "cmake":
        by_cmake(compiler, prefix, work)
    elif what == "pkg-config":
        by_pkg_config(compiler, prefix, work)
    elif what == "subproject":
        as_subproject(source, work)
    elif what == "bundled" and not shutil.which("npm"):
        print("SKIPPED: npm, which brings simdjson's sources, is not installed")
    elif what == "bundled":
        with_bundled_simdjson(source, work)
    elif what == "missing":
        missing_parts(build, work)
    elif what == "nginx":
        nginx_arrives_later(source, work)
    elif what == "exports":
        exports(source, prefix)
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:])
