"""Which browser is taken, what is behind a wrapper, and what installs one."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from surefoot.drivers.web.connect import find
from surefoot.drivers.web.connect.find import find_browser, install_command, real_binary
from surefoot.errors import SurefootError


def program(path: Path, content: bytes = b"\x7fELF") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(0o755)
    return path


@pytest.fixture(autouse=True)
def no_usual_places(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find, "SHELL_GLOBS", ())
    monkeypatch.setattr(find, "FULL_GLOBS", ())


def test_a_wrapper_that_names_the_binary_is_followed(tmp_path: Path) -> None:
    real = program(tmp_path / "lib" / "chromium-headless-shell")
    wrapper = program(
        tmp_path / "bin" / "chromium-headless-shell", f'#!/bin/sh -e\n\n{real} "$@"\n'.encode()
    )
    assert real_binary(str(wrapper)) == str(real)


def test_a_wrapper_with_a_library_directory_is_followed(tmp_path: Path) -> None:
    real = program(tmp_path / "lib" / "chromium" / "chromium")
    text = f'#!/bin/sh\nAPPNAME=chromium\nLIBDIR={tmp_path}/lib/$APPNAME\nexec $LIBDIR/$APPNAME "$@"\n'
    wrapper = program(tmp_path / "bin" / "chromium", text.encode())
    assert real_binary(str(wrapper)) == str(real)


def test_a_wrapper_beside_chrome_is_followed(tmp_path: Path) -> None:
    real = program(tmp_path / "chrome" / "chrome")
    program(tmp_path / "chrome" / "google-chrome", b'#!/bin/bash\nexec "$HERE/chrome" "$@"\n')
    link = tmp_path / "google-chrome-stable"
    link.symlink_to(tmp_path / "chrome" / "google-chrome")
    assert real_binary(str(link)) == str(real)


def test_a_headless_shell_is_preferred_and_cannot_be_headed(tmp_path: Path) -> None:
    shell = program(tmp_path / "chromium-headless-shell")
    full = program(tmp_path / "google-chrome")
    env = {"PATH": str(tmp_path)}
    assert find_browser(env=env).path == str(shell)
    assert find_browser(headed=True, env=env).path == str(full)


def test_the_named_path_wins_over_the_variable_and_that_over_what_is_found(tmp_path: Path) -> None:
    program(tmp_path / "bin" / "chromium-headless-shell")
    named, variable = program(tmp_path / "a" / "chrome"), program(tmp_path / "b" / "chrome")
    env = {"PATH": str(tmp_path / "bin"), "SUREFOOT_BROWSER": str(variable)}
    assert (find_browser(env=env).path, find_browser(env=env).source) == (
        str(variable),
        "SUREFOOT_BROWSER",
    )
    assert find_browser(str(named), env=env).path == str(named)


@pytest.mark.parametrize("source", ["--browser-path", "SUREFOOT_BROWSER"])
def test_a_path_that_is_no_program_is_refused_not_replaced(tmp_path: Path, source: str) -> None:
    program(tmp_path / "chromium-headless-shell")
    missing = str(tmp_path / "missing")
    env = {"PATH": str(tmp_path)} | (
        {"SUREFOOT_BROWSER": missing} if source == "SUREFOOT_BROWSER" else {}
    )
    with pytest.raises(SurefootError) as caught:
        find_browser(missing if source == "--browser-path" else None, env=env)
    assert (caught.value.code, caught.value.reason) == ("DEVICE_NOT_FOUND", "browser_not_found")
    assert caught.value.details["source"] == source


def test_without_a_browser_the_error_says_what_installs_one(tmp_path: Path) -> None:
    with pytest.raises(SurefootError) as caught:
        find_browser(env={"PATH": str(tmp_path)})
    assert caught.value.hint == f"Install one: {caught.value.details['fix']}"


@pytest.mark.parametrize(
    ("release", "tool", "command"),
    [
        ("ID=debian\n", "apt-get", "apt-get install -y chromium-headless-shell"),
        ("ID=fedora\n", "dnf", "dnf install -y chromium-headless"),
        ("ID=alpine\n", "apk", "apk add chromium"),
        ("ID=ubuntu\nID_LIKE=debian\n", "apt-get", "playwright install --with-deps chromium"),
        (
            'ID=linuxmint\nID_LIKE="ubuntu debian"\n',
            "apt-get",
            "playwright install --with-deps chromium",
        ),
        ("ID=other\n", "other", "playwright install --with-deps chromium"),
    ],
)
def test_one_command_installs_a_browser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, release: str, tool: str, command: str
) -> None:
    program(tmp_path / "bin" / tool)
    (tmp_path / "os-release").write_text(release)
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr("sys.platform", "linux")
    said = install_command(str(tmp_path / "os-release"))
    assert said.endswith(command)
    if "playwright" not in command:
        assert said.startswith("sudo ") == (os.geteuid() != 0)
