"""Which browser is here, and what one command installs one? (web.md, requirement 1)

Order: the path a caller names (``--browser-path``), ``SUREFOOT_BROWSER``, then the usual places. A
distribution's wrapper script is followed to the real binary behind it: a wrapper may close the
descriptors the pipe needs, add flags of its own, and be what a kill would hit.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator, Mapping
from glob import glob
from pathlib import Path
from typing import Literal

from msgspec import Struct

from surefoot.errors import ErrorCode, SurefootError

BrowserKind = Literal["shell", "full"]

SHELL_NAMES = ("chromium-headless-shell", "chrome-headless-shell", "headless_shell")
FULL_NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
    "microsoft-edge-stable",
)
SHELL_GLOBS = (
    "/usr/lib/chromium/chromium-headless-shell",
    "/usr/lib64/chromium-browser/headless_shell",
    "~/.cache/ms-playwright/chromium_headless_shell-*/chrome-*/*headless*shell",
    "~/Library/Caches/ms-playwright/chromium_headless_shell-*/chrome-*/*headless*shell",
)
FULL_GLOBS = (
    "/usr/lib/chromium/chromium",
    "/usr/lib/chromium-browser/chromium-browser",
    "/usr/lib64/chromium-browser/chromium-browser",
    "/opt/google/chrome/chrome",
    "/opt/microsoft/msedge/msedge",
    "~/.cache/ms-playwright/chromium-*/chrome-*/chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "~/Library/Caches/ms-playwright/chromium-*/chrome-*/*.app/Contents/MacOS/*",
)
REAL_NAMES = (*SHELL_NAMES, *FULL_NAMES, "msedge", "headless-shell")

INSTALL = (
    # (distribution ids of /etc/os-release, program that must exist, the command)
    (("debian", "raspbian", "kali"), "apt-get", "apt-get install -y chromium-headless-shell"),
    (("fedora", "rhel", "centos", "rocky", "almalinux"), "dnf", "dnf install -y chromium-headless"),
    (("arch", "manjaro"), "pacman", "pacman -S --noconfirm chromium"),
    (("alpine",), "apk", "apk add chromium"),
    (("opensuse", "suse", "opensuse-tumbleweed"), "zypper", "zypper install -y chromium"),
    (("macos",), "brew", "brew install --cask chromium"),
)
FALLBACK_INSTALL = (
    "{python} -m pip install playwright && {python} -m playwright install --with-deps chromium"
)


class Found(Struct, frozen=True, kw_only=True):
    """One browser on this machine: the real binary, its kind, and how it was found."""

    path: str
    kind: BrowserKind
    source: str


def real_binary(path: str) -> str:
    """The program behind a wrapper script, or ``path`` itself when it is no script."""
    resolved: str = os.path.realpath(path)
    try:
        with open(resolved, "rb") as file:
            head = file.read(65536)
    except OSError:
        return resolved
    if not head.startswith(b"#!"):
        return resolved
    text = head.decode("utf-8", "replace")
    name = os.path.basename(path)
    named = [
        match for match in re.findall(r"(/[\w./+-]+)", text) if os.path.basename(match) in REAL_NAMES
    ]
    directories = re.findall(r"^\s*\w*DIR=([\w./$-]+)", text, re.MULTILINE)
    beside = [
        os.path.join(directory.replace("$APPNAME", name), name)
        for directory in (
            *directories,
            os.path.dirname(resolved),
            f"/usr/lib/{name}",
            "/usr/lib/chromium",
        )
    ]
    chrome = [os.path.join(os.path.dirname(resolved), base) for base in ("chrome", "msedge")]
    for candidate in (*named, *beside, *chrome):
        target: str = os.path.realpath(candidate)
        if target != resolved and _is_program(target) and not _is_script(target):
            return target
    return resolved


def _is_program(path: str) -> bool:
    return os.path.isfile(path) and os.access(path, os.X_OK)


def _is_script(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            return file.read(2) == b"#!"
    except OSError:
        return False


def kind_of(path: str) -> BrowserKind:
    """A headless shell can only run headless; everything else is a whole browser."""
    name = os.path.basename(path).lower()
    return "shell" if "headless" in name else "full"


def _found(path: str, source: str) -> Found:
    real = real_binary(path)
    return Found(path=real, kind=kind_of(real), source=source)


def candidates(env: Mapping[str, str] = os.environ) -> Iterator[Found]:
    """Every browser of this machine in the order of preference, without repeats."""
    seen: set[str] = set()
    for names, globs in ((SHELL_NAMES, SHELL_GLOBS), (FULL_NAMES, FULL_GLOBS)):
        paths = [(shutil.which(name, path=env.get("PATH")), f"{name} on PATH") for name in names]
        for pattern in globs:
            expanded = pattern.replace("~", env.get("HOME", "~"), 1) if pattern[0] == "~" else pattern
            paths.extend((path, "a usual place") for path in sorted(glob(expanded), reverse=True))
        for path, source in paths:
            if path is None or not _is_program(path):
                continue
            found = _found(path, source)
            if found.path not in seen and _is_program(found.path):
                seen.add(found.path)
                yield found


def find_browser(
    named: str | None = None, *, headed: bool = False, env: Mapping[str, str] = os.environ
) -> Found:
    """The browser to run. Raises ``DEVICE_NOT_FOUND`` with the one command that installs one."""
    for path, source in ((named, "--browser-path"), (env.get("SUREFOOT_BROWSER"), "SUREFOOT_BROWSER")):
        if not path:
            continue
        program = path if os.sep in path else shutil.which(path, path=env.get("PATH")) or path
        if not _is_program(program):
            raise SurefootError(
                ErrorCode.DEVICE_NOT_FOUND,
                f"{source} names {path!r}, which is no program that can be run.",
                details={"reason": "browser_not_found", "path": path, "source": source},
            )
        found = _found(program, source)
        if headed and found.kind == "shell":
            raise SurefootError(
                ErrorCode.DEVICE_NOT_FOUND,
                f"{source} names a headless shell, which cannot show a window.",
                hint="Name a whole Chromium, Chrome or Edge, or leave out --headed.",
                details={"reason": "browser_not_headed", "path": path, "source": source},
            )
        return found
    for found in candidates(env):
        if not (headed and found.kind == "shell"):
            return found
    command = install_command()
    raise SurefootError(
        ErrorCode.DEVICE_NOT_FOUND,
        "No Chromium, Chrome or Edge was found" + (" that can show a window." if headed else "."),
        hint=f"Install one: {command}",
        details={"reason": "browser_not_found", "fix": command},
    )


def install_command(os_release: str = "/etc/os-release") -> str:
    """The one command that installs a browser here: a distribution package, else Playwright's."""
    ids: set[str] = {"macos"} if sys.platform == "darwin" else set()
    try:
        for line in Path(os_release).read_text("utf-8", "replace").splitlines():
            key, _, value = line.partition("=")
            if key == "ID" or (key == "ID_LIKE" and "ubuntu" not in ids):
                ids.update(value.strip().strip('"').split())
    except OSError:
        pass
    # Ubuntu's chromium package is a snap, which cannot be driven over a pipe.
    if "ubuntu" not in ids:
        for names, program, command in INSTALL:
            if ids.intersection(names) and shutil.which(program):
                sudo = "" if os.geteuid() == 0 or program == "brew" else "sudo "
                return sudo + command
    return FALLBACK_INSTALL.format(python=sys.executable or "python3")
