#!/usr/bin/env python3
"""packages_test.py made|source|lintian|used FOLDER [ARGUMENT...]: tests of the Debian packages.

made FOLDER BUILD SOURCE VERSION: tools/release makes packages of BUILD in FOLDER; names, versions, dependencies and checksums
are right, and some packages are reproduced. If BUILD is not build/release, which tools/release builds, cpack makes all.
source FOLDER SOURCE VERSION: the source archive of a release contains the commit, with the same bytes each time.
lintian FOLDER: Debian's own checks find no error.
used FOLDER SOURCE VERSION: in a clean root all packages are installed, used, reinstalled and purged; no file remains.
If no root can be made or entered, the packages are unpacked and used from there, and the case counts as skipped.
"""

import asyncio
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import clean_root
from clean_root import run
from peers import PATIENCE_S, Peers, answer_events, fetch, free_port, listens, wait_until

PACKAGES = ("citestream", "libcitestream1", "libcitestream++1", "libcitestream-check1", "libcitestream-dev",
            "libnginx-mod-http-citestream", "lua-citestream", "python3-citestream")
DEPENDS = {  # a pattern for each that has to be there
    "citestream": ("libc6 ", "libssl3", "libboost-url", "libsimdjson", "libstdc++6"),
    "libcitestream1": ("libc6 ", "libsimdjson"),
    "libcitestream++1": ("libc6 ", "libsimdjson", "libstdc++6"),
    "libcitestream-check1": ("libc6 ", "libcitestream++1 (>= ", "libstdc++6"),
    "libcitestream-dev": ("libcitestream1 (= {})", "libcitestream++1 (= {})", "libcitestream-check1 (= {})", "libsimdjson-dev"),
    "libnginx-mod-http-citestream": ("nginx-abi-", "libcitestream1 (>= ", "libc6 "),
    "lua-citestream": ("libcitestream1 (>= ",),
    "python3-citestream": ("python3:any", "libcitestream1 (>= "),
}
STREAM = "".join(answer_events("w", 60))
CLEAN = "".join(f" w{i}" for i in range(60) if not 10 <= i % 20 < 15)  # without its markers
MARKERS = 3
EXAMPLE_FOLDER = "usr/share/doc/citestream/examples"
EXAMPLES = ("stream.c", "stream.cpp", "stream.py", "stream.lua", "own_style.cpp", "own_dialect.cpp", "nginx-location.conf",
            "nginx-lua.conf", "proxy.toml")
OWN_STREAM = ('data: {"token":"It grew [Rep"}\n\ndata: {"token":"ort](d1)."}\n\n'
              'data: {"documents":[{"id":"d1"}],"done":true}\n\n')
WHEN = "1700000000"  # seconds since 1970: the time of the commit that is released
SITE = """
log_format citations '$status $citestream_citations $citestream_unresolved';
server {{
  listen 127.0.0.1:{port};
  access_log {log} citations;
  location / {{
    proxy_pass http://127.0.0.1:{backend};
    proxy_buffering off;
    proxy_set_header Accept-Encoding "";
    citestream on;
  }}
}}
"""


def field(package, name):
    return run("dpkg-deb", "--field", package, name).strip()


def packages_in(folder):
    return {field(path, "Package"): path for path in sorted(glob.glob(os.path.join(folder, "*.deb")))}


def pack(build, folder, *more):
    run("cpack", "--config", os.path.join(build, "CPackConfig.cmake"), "-B", folder, *more,
        env={**os.environ, "SOURCE_DATE_EPOCH": WHEN})
    shutil.rmtree(os.path.join(folder, "_CPack_Packages"))


def release(folder, source, version):
    """Runs tools/release completely, with a commit of the current files in another repository."""
    with tempfile.TemporaryDirectory() as repository:
        git = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        git.update(GIT_DIR=repository, GIT_WORK_TREE=source, GIT_CONFIG_GLOBAL="/dev/null", GIT_COMMITTER_DATE=WHEN + " +0000")
        run("git", "init", "--quiet", env=git)
        run("git", "add", "--all", cwd=source, env=git)
        run("git", "-c", "user.name=test", "-c", "user.email=test", "commit", "--quiet", "--message", "what is tested", env=git)
        # Without a terminal no program can request a password.
        said = run(os.path.join(source, "tools/release"), folder, env=git, start_new_session=True)
    sums = os.path.join(folder, "SHA256SUMS")
    with open(sums, encoding="utf-8") as file:
        if file.read() != said:
            sys.exit(f"tools/release said {said}")
    names = [*map(os.path.basename, packages_in(folder).values()), f"citestream-{version}.tar.gz"]
    if sorted(said.split()[1::2]) != sorted(names) or set(os.listdir(folder)) != {"SHA256SUMS", *names}:
        sys.exit(f"released {os.listdir(folder)}, with sums of\n{said}")
    run("sha256sum", "--check", "--strict", sums, cwd=folder)


def check_targets(build, source):
    """Checks that the targets of tools/release build everything that is installed, starting from nothing."""
    with open(os.path.join(source, "tools/release"), encoding="utf-8") as script:
        targets = re.search(r"tools/build release (.+)", script.read())[1].split()
    ninja = ("ninja", "-C", build, "-t")
    made = {line.partition(": ")[0] for line in run(*ninja, "targets", "all").splitlines()}
    named = set(re.split(r"[\s'\"]+", run(*ninja, "commands", *targets).replace(build + "/", "")))
    installed = set()
    for path in glob.glob(os.path.join(build, "src/**/cmake_install.cmake"), recursive=True):
        with open(path, encoding="utf-8") as script:
            installed.update(re.findall(re.escape(build) + r'/([^"]+)"', script.read()))
    missing = (installed & made) - named
    if missing or not installed & made:
        sys.exit(f"tools/release does not build {sorted(missing)}")


def make(folder, build, source, version):
    shutil.rmtree(folder, ignore_errors=True)
    if os.path.realpath(build) == os.path.realpath(os.path.join(source, "build/release")) and shutil.which("git"):
        check_targets(build, source)
        release(folder, source, version)
    else:
        pack(build, folder)
    made = packages_in(folder)
    if set(made) != set(PACKAGES):
        sys.exit(f"made {sorted(made)}")
    for name, path in made.items():
        whole = field(path, "Version")
        if whole != f"{version}-1":
            sys.exit(f"{name} {whole} is not of version {version}")
        depends = field(path, "Depends")
        missing = [each for each in DEPENDS[name] if each.format(whole) not in depends]
        if missing:
            sys.exit(f"{name} depends on {depends}, not on {missing}")
    # A release uses the time of its commit, so it has the same bytes each time.
    again = os.path.join(folder, "again")
    pack(build, again, "-D", "CPACK_COMPONENTS_ALL=library;python")
    if set(packages_in(again)) != {"libcitestream1", "python3-citestream"}:
        sys.exit(f"made again: {packages_in(again)}")
    for path in packages_in(again).values():
        run("cmp", path, os.path.join(folder, os.path.basename(path)))
    shutil.rmtree(again)

    # The version is defined in one place and repeated in another.
    file = "src/python/pyproject.toml"
    with open(os.path.join(source, file), encoding="utf-8") as text:
        if f'\nversion = "{version}"\n' not in text.read():
            sys.exit(f"{file} is not of version {version}")


def archive_source(folder, source, version):
    """Runs tools/release in a clone without changes."""
    if not shutil.which("git") or subprocess.run(["git", "-C", source, "rev-parse"], capture_output=True, check=False).returncode:
        print("SKIPPED: this is not a git repository")
        return
    shutil.rmtree(folder, ignore_errors=True)
    clone = os.path.join(folder, "clone")
    run("git", "-c", "advice.detachedHead=false", "clone", "--quiet", "--depth", "1", "file://" + source, clone)
    shutil.copy(os.path.join(source, "tools/release"), os.path.join(clone, "tools"))
    shutil.copy(os.path.join(source, "CMakeLists.txt"), clone)
    run("git", "-C", clone, "add", "--all")
    run("git", "-C", clone, "-c", "user.name=test", "-c", "user.email=test", "commit", "--quiet", "--allow-empty",
        "--message", "what is tested")
    release = os.path.join(clone, "tools/release")
    name = f"citestream-{version}.tar.gz"
    sums = [run(release, "--source", os.path.join(folder, each)) for each in ("first", "second")]
    if sums[0] != sums[1] or sums[0].split()[1:] != [name]:
        sys.exit(f"not one archive, the same each time: {sums}")
    run("tar", "--extract", "--file", os.path.join(folder, "first", name), "--directory", folder)
    packed = os.path.join(folder, f"citestream-{version}")
    run("diff", "--recursive", "--exclude=.git", clone, packed)

    os.remove(os.path.join(clone, "LICENSE"))
    refused = subprocess.run([release, "--source", os.path.join(folder, "third")], capture_output=True, text=True, check=False)
    if refused.returncode == 0 or "uncommitted" not in refused.stderr:
        sys.exit(f"what no commit has was released: {refused.stdout}{refused.stderr}")
    shutil.rmtree(folder)


def lintian(folder):
    if not shutil.which("lintian"):
        print("SKIPPED: lintian is not installed")
        return
    # root may run it too, because it only reads.
    done = subprocess.run(["lintian", "--allow-root", "--fail-on", "error", *packages_in(folder).values()],
                          capture_output=True, text=True, check=False)
    print(done.stdout + done.stderr)
    if done.returncode:
        sys.exit("lintian found errors")


def use_program(root, version):
    if root.run("citestream", "--version").strip() != version:
        sys.exit("another version")
    root.run("citestream", "proxy", "--check-config", "--config",
             root.path("usr/share/doc/citestream/examples/proxy.toml"))
    root.run("bash", "-c", f"source {root.path('usr/share/bash-completion/completions/citestream')} "
             "&& complete -p citestream")
    for file in ("usr/share/zsh/site-functions/_citestream", "usr/share/man/man1/citestream.1.gz"):
        if not os.path.isfile(root.outside(file)):
            sys.exit(f"{file} is missing")
    with open(root.outside("usr/lib/systemd/system/citestream.service"), encoding="utf-8") as unit:
        if "\nExecStart=/usr/bin/citestream proxy " not in unit.read():
            sys.exit("the unit starts something else")


class Installed(Peers):
    """Starts the programs of a root."""

    def __init__(self, root):
        super().__init__("citestream")
        self.root = root

    def spawn(self, command, files=None, **more):
        return super().spawn(self.root.command(*command), files, env=self.root.environment, **more)

    def write(self, name, text):
        with open(self.root.outside("tmp/" + name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.root.path("tmp/" + name)


def ask(port):
    return asyncio.run(asyncio.wait_for(fetch(port), PATIENCE_S)).decode()


def text_of(stream):
    """Returns the text and the citations of an answer."""
    events = [line.removeprefix("data: ") for line in stream.split("\n") if line.startswith("data: {")]
    text = "".join(choice["delta"].get("content") or "" for each in events for choice in json.loads(each)["choices"])
    return text, stream.count('"status":"resolved"')


def use_python(root, version):
    program = ("import citestream, sys; assert '/dist-packages/' in citestream.__file__\n"
               "print(citestream.version())\n"
               "sys.stdout.flush(); sys.stdout.buffer.writelines(citestream.rewrite([sys.stdin.buffer.read()]))")
    said, _, clean = root.run("python3", "-c", program, input=STREAM).partition("\n")
    if said != version:
        sys.exit(f"python3 said {said}")
    return clean


def use_nginx(root, peers, backend):
    """Returns an answer through the module, loaded by its package's link, or None if nginx is not installed."""
    log, port = "tmp/citations.log", free_port()
    command = root.nginx_with(SITE.format(port=port, backend=backend, log=root.path(log)))
    if not command:
        return None
    nginx = peers.spawn(command)
    wait_until(lambda: listens(port), nginx)
    clean = ask(port)
    os.remove(root.outside(root.site))

    def logged():
        with open(root.outside(log), encoding="utf-8") as file:
            return file.read()
    said = wait_until(logged, nginx)
    os.remove(root.outside(log))
    if said != f"200 {MARKERS} 0\n":
        sys.exit(f"nginx logged {said}")
    return clean


def use_together(root, version):
    """Checks that every installed component gives the same clean bytes for an answer that the installed program replays."""
    with Installed(root) as peers:
        model = peers.replay({"answer": STREAM}, "--pace", "1")
        if text_of(ask(model))[1] != 0:
            sys.exit("the model itself tells citations")
        clean = {"nginx": use_nginx(root, peers, model),
                 "proxy": ask(peers.citestream(model, "--style", "strip").port),
                 "filter": root.run("citestream", "filter", input=STREAM),
                 "Python": use_python(root, version)}
    for name, stream in clean.items():
        if stream is not None and (text_of(stream) != (CLEAN, MARKERS) or stream != clean["filter"]):
            sys.exit(f"{name} gave\n{stream}")


def use_libraries(root, source):
    """Checks that programs can be built with the -dev package and pkg-config."""
    consumer = os.path.join(source, "tests/install/consumer")
    found = {**os.environ, "PKG_CONFIG_PATH": root.folder_of("citestream.pc")}
    for name, compiler, standard, unit in (("citestream", "gcc", "-std=c11", "consumer.c"),
                                           ("citestream++", "g++", "-std=c++20", "consumer.cpp"),
                                           ("citestream_check", "g++", "-std=c++20", "consumer_checker.cpp")):
        if not shutil.which(compiler) or not shutil.which("pkg-config"):
            continue  # cannot be compiled against here
        flags = run("pkg-config", "--cflags", "--libs", name, env=found).split()
        program = root.outside("tmp/consumer")
        # The dependencies of the libraries are in the root and are searched there at run time.
        run(compiler, standard, os.path.join(consumer, unit), "-o", program, *flags, "-Wl,--allow-shlib-undefined")
        root.run(root.path("tmp/consumer"))
        os.remove(program)


def use_examples(root):
    """The installed examples run, each by its language."""
    expected = root.run("citestream", "filter", "--style", "numeric", input=STREAM)
    for file in EXAMPLES:
        if not os.path.isfile(root.outside(f"{EXAMPLE_FOLDER}/{file}")):
            sys.exit(f"{file} is not installed")
    for interpreter, file in (("python3", "stream.py"), ("luajit", "stream.lua")):
        if not root.run("sh", "-c", f"command -v {interpreter} || true"):
            continue
        said = root.run(interpreter, root.path(f"{EXAMPLE_FOLDER}/{file}"), input=STREAM)
        if said != expected:
            sys.exit(f"{file} gave\n{said}")
    for file, given, part in (("stream.c", STREAM, expected), ("stream.cpp", STREAM, expected),
                              ("own_style.cpp", STREAM, "(see: "), ("own_dialect.cpp", OWN_STREAM, '"token":"[1]."')):
        said = run_compiled(root, file, given)
        if said is not None and part not in said:
            sys.exit(f"{file} gave\n{said}")


def run_compiled(root, file, given):
    """What an example prints that is compiled with the installed library. None: there is no compiler."""
    name, compiler, standard = (("citestream", "gcc", "-std=gnu11") if file.endswith(".c") else
                                ("citestream++", "g++", "-std=c++20"))
    if not shutil.which(compiler) or not shutil.which("pkg-config"):
        return None
    flags = run("pkg-config", "--cflags", "--libs", name,
                env={**os.environ, "PKG_CONFIG_PATH": root.folder_of("citestream.pc")}).split()
    program = root.outside("tmp/example")
    run(compiler, standard, root.outside(f"{EXAMPLE_FOLDER}/{file}"), "-o", program, *flags, "-Wl,--allow-shlib-undefined")
    said = root.run(root.path("tmp/example"), input=given)
    os.remove(program)
    return said


def use_all(root, source, version):
    use_program(root, version)
    use_together(root, version)
    use_libraries(root, source)
    use_examples(root)


def in_clean_root(root, packages, source, version):
    before = root.files()
    root.install(packages)
    use_all(root, source, version)
    # Installing again is what an upgrade does, with files of an administrator and of the service present.
    root.install(packages)
    os.makedirs(root.outside("var/log/private/citestream"))
    os.makedirs(root.outside("etc/citestream"))
    root.run("dpkg", "--remove", "libnginx-mod-http-citestream")
    root.run("nginx", "-t")  # it starts without the module too
    said = root.run("dpkg", "--purge", *packages)
    after = root.files()
    if before != after:
        sys.exit(f"left behind: {sorted(after - before)}\ngone: {sorted(before - after)}\n{said}")


def use(folder, source, version):
    packages = packages_in(folder)
    why = clean_root.trouble()
    if not why:
        try:
            root = clean_root.make(folder, packages.values())
        except clean_root.Impossible as impossible:
            why = str(impossible)
    if not why:
        with root:
            in_clean_root(root, packages, source, version)
        print("installed, used, purged")
        return
    with clean_root.Unpacked(os.path.join(folder, "unpacked"), packages.values()) as root:
        use_all(root, source, version)
    print(f"SKIPPED: {why}\nUnpacked and used only.")


if __name__ == "__main__":
    {"made": make, "source": archive_source, "lintian": lintian, "used": use}[sys.argv[1]](*sys.argv[2:])
