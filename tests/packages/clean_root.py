"""A folder with a minimal Debian, in which packages are installed and used as on a new machine.

mmdebstrap makes it from the package sources of this machine's apt. It is stored as an archive next to the packages.
"""

import glob
import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys

# Files of dpkg and the linker, and files that running programs write.
VOLATILE = re.compile(r"\./(var/lib/dpkg|var/log|var/cache/ldconfig|var/cache/debconf|var/lib/nginx|run|tmp|proc|sys|dev)[/ ]"
                      r"|\./etc/ld\.so\.cache ")


class Impossible(Exception):
    """No clean root can be made on this machine."""


def run(*command, **how):
    """Runs a command and shows its output if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, **how)
    if done.returncode:
        sys.exit(f"{shlex.join(command)}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


class Root:
    """A root that is entered with chroot. Removed at the end of `with`."""

    site = "etc/nginx/conf.d/tried.conf"  # what nginx_with() writes
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive",
                   "HOME": "/root"}

    def __init__(self, folder, archive):
        self.folder = folder
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        run("tar", "--extract", "--numeric-owner", "--file", archive, "--directory", folder)
        # Packages must not start services.
        with open(self.outside("usr/sbin/policy-rc.d"), "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\nexit 101\n")
        os.chmod(file.name, 0o755)
        # nginx must only bind the addresses of the test.
        os.remove(self.outside("etc/nginx/sites-enabled/default"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder)

    def outside(self, path):
        """Returns the path of a file for programs outside the root."""
        return os.path.join(self.folder, path)

    def folder_of(self, name):
        """Returns the folder below usr/lib that contains this file."""
        return os.path.dirname(glob.glob(self.outside(f"usr/lib/**/{name}"), recursive=True)[0])

    def path(self, path):
        """Returns the path of a file for programs inside the root."""
        return "/" + path

    def command(self, *command):
        """Returns the command that runs a command inside the root with `environment`."""
        return ["chroot", self.folder, *command]

    def run(self, *command, **how):
        return run(*self.command(*command), env=self.environment, **how)

    def install(self, packages):
        for path in packages.values():
            shutil.copy(path, self.outside("tmp"))
        self.run("dpkg", "--install", *["/tmp/" + os.path.basename(path) for path in packages.values()])
        trouble = self.run("dpkg", "--audit") + self.run("dpkg", "--verify", *packages)
        if trouble:
            sys.exit(f"not whole after it was installed: {trouble}")

    def nginx_with(self, lines):
        """Adds lines to the `http` block of Debian's configuration of nginx. Returns the command that starts it."""
        with open(self.outside(self.site), "w", encoding="utf-8") as file:
            file.write(lines)
        return ["nginx", "-g", "daemon off;"]

    def files(self):
        """Lists all files as lines: kind, mode, owner, size, name, target of a link."""
        found = run("find", ".", "-printf", "%y %m %U:%G %s %p %l\\n", cwd=self.folder)
        out = set()
        for line in found.splitlines():
            kind, mode, owner, size, name = line.split(" ", 4)
            if not VOLATILE.match(name):
                out.add(" ".join([kind, mode, owner, size if kind == "f" else "", name]))
        return out


class Unpacked:
    """Packages that are only unpacked. Their programs run with the libraries of this machine."""

    site = "tmp/nginx.conf"

    def __init__(self, folder, packages):
        self.folder = folder
        shutil.rmtree(folder, ignore_errors=True)
        for path in packages:
            run("dpkg-deb", "--extract", path, folder)
        os.makedirs(self.outside("tmp"))
        self.environment = {"PATH": f"{self.outside('usr/bin')}:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8",
                            "LD_LIBRARY_PATH": self.folder_of("libcitestream.so.1"),
                            "LUA_PATH": self.outside("usr/share/lua/5.1") + "/?.lua;;",
                            "PYTHONPATH": self.outside("usr/lib/python3/dist-packages"), "PYTHONDONTWRITEBYTECODE": "1"}

    __enter__ = Root.__enter__
    __exit__ = Root.__exit__
    outside = Root.outside
    folder_of = Root.folder_of
    path = Root.outside
    run = Root.run

    def command(self, *command):
        return list(command)

    def nginx_with(self, lines):
        """Returns nothing if this machine has no nginx."""
        if not shutil.which("nginx", path=self.environment["PATH"]):
            return None
        module = self.outside("usr/lib/nginx/modules/ngx_http_citestream_module.so")
        with open(self.outside(self.site), "w", encoding="utf-8") as file:
            file.write(f"load_module {module};\npid {self.outside('tmp/pid')};\nevents {{}}\nhttp {{\n{lines}}}\n")
        return ["nginx", "-e", "stderr", "-c", file.name, "-g", "daemon off;"]


def trouble():
    """Returns why no clean root can be made on this machine, or nothing."""
    if os.geteuid() != 0:
        return "only root enters a clean root"
    for program in ("mmdebstrap", "chroot", "tar"):
        if not shutil.which(program):
            return f"{program} is not installed"
    return ""


def needs_of(packages):
    """Returns the names of dependencies and recommendations, without the packages themselves and virtual packages."""
    names, own = {"nginx"}, set()
    for path in packages:
        own.add(run("dpkg-deb", "--field", path, "Package").strip())
        for field in ("Depends", "Recommends"):
            names.update(re.findall(r"(?:^|, )([a-z][^ ,:(|]*)", run("dpkg-deb", "--field", path, field).strip()))
    return sorted(name for name in names - own if not name.startswith("nginx-abi-"))


def sources():
    """Returns the files with the package sources of apt."""
    folder = "/etc/apt/sources.list.d"
    files = [path for pattern in ("*.list", "*.sources") for path in sorted(glob.glob(os.path.join(folder, pattern)))]
    files.append("/etc/apt/sources.list")
    return [path for path in files if os.path.isfile(path) and os.path.getsize(path)]


def suite():
    with open("/etc/os-release", encoding="utf-8") as file:
        found = re.search(r"^VERSION_CODENAME=(\w+)", file.read(), re.M)
    if not found:
        raise Impossible("this Debian does not say which one it is")
    return found.group(1)


def make(folder, packages):
    """Makes a new root with all dependencies of the packages. Raises Impossible."""
    packages = list(packages)
    names = needs_of(packages)
    where = sources()
    key = hashlib.sha256(" ".join([suite(), *names, *where]).encode()).hexdigest()[:16]
    archive = os.path.join(os.path.dirname(folder), f"clean_root_{key}.tar")
    if not os.path.exists(archive):
        if not where:
            raise Impossible("apt has no sources")
        part = archive + ".part.tar"
        if os.path.exists(part):
            os.remove(part)
        # `timeout` ends it with all of its child processes.
        done = subprocess.run(["timeout", "600", "mmdebstrap", "--mode=root", "--variant=essential",
                               "--include=" + ",".join(names), suite(), part, *where],
                              capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
        if done.returncode:
            late = " in ten minutes" if done.returncode == 124 else ""
            raise Impossible(f"mmdebstrap made no root here{late}: {done.stderr[-2000:].strip()}")
        os.rename(part, archive)
    root = Root(os.path.join(folder, "root"), archive)
    if subprocess.run(["chroot", root.folder, "true"], capture_output=True, check=False).returncode:
        shutil.rmtree(root.folder)
        raise Impossible("a root cannot be entered here")
    return root
