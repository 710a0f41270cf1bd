"""How is a browser started quietly, and how does it end without leaving anything behind?"""

from __future__ import annotations

import asyncio
import contextlib
import os
from pathlib import Path

from surefoot.drivers.web.connect.cdp import CdpError, Connection
from surefoot.drivers.web.connect.find import Found
from surefoot.drivers.web.connect.pipe import Process, spawn
from surefoot.drivers.web.connect.profiles import Profile, acquire, root
from surefoot.errors import ErrorCode, SurefootError

NOWHERE = "http://127.0.0.1:9"
"""A closed port of this machine: where the browser's own services are pointed."""

FLAGS = (
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-extensions-with-background-pages",
    "--disable-component-update",
    "--disable-crash-reporter",
    "--disable-default-apps",
    "--disable-dev-shm-usage",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-field-trial-config",
    "--disable-hang-monitor",
    "--disable-ipc-flooding-protection",
    "--disable-popup-blocking",
    "--disable-renderer-backgrounding",
    "--disable-search-engine-choice-screen",
    "--disable-sync",
    "--force-color-profile=srgb",
    "--enable-logging=stderr",  # warnings and worse only: a page's console may hold what is secret
    "--log-level=1",
    "--metrics-recording-only",
    "--mute-audio",
    "--no-pings",
    "--no-service-autorun",
    # a headless shell isolates no sites by itself: a foreign frame that hangs would hang the page
    "--site-per-process",
    "--password-store=basic",
    "--use-mock-keychain",
    "--disable-features="
    + ",".join(
        (
            # each of these either calls out, delays input, or swaps the document behind our back
            "AutofillServerCommunication",
            "BackForwardCache",
            "CertificateTransparencyComponentUpdater",
            "DestroyProfileOnBrowserClose",
            "HttpsUpgrades",
            "MediaRouter",
            "NetworkTimeServiceQuerying",
            "OptimizationHints",
            "PaintHolding",
            "RenderDocument",
            "Translate",
        )
    ),
)
HEADLESS_FLAGS = (
    "--hide-scrollbars",
    "--blink-settings=primaryHoverType=2,availableHoverTypes=2,"
    "primaryPointerType=4,availablePointerTypes=4",
)
QUIET_FULL_FLAGS = (
    f"--gaia-url={NOWHERE}",
    f"--component-updater=url-source={NOWHERE}/",
    f"--apps-gallery-update-url={NOWHERE}/",
    f"--variations-server-url={NOWHERE}/",
    f"--google-apis-url={NOWHERE}",
    "--simulate-outdated-no-au=Tue, 31 Dec 2099 23:59:59 GMT",
)
START_DEADLINE = 30.0
END_GRACE = 5.0
LONGEST_TMP = 64
"""Characters a TMPDIR may have before a browser's socket in it no longer fits ``sun_path``."""


class Launched:
    """A running browser that this daemon owns: process, connection, profile."""

    def __init__(
        self,
        found: Found,
        connection: Connection,
        process: Process,
        profile: Profile | None,
        version: str,
    ) -> None:
        self.found = found
        self.connection = connection
        self.process = process
        self.version = version
        self._profile = profile
        self._reaper = asyncio.ensure_future(self._clear_up())

    async def _clear_up(self) -> None:
        """The profile goes with the process, however that ended."""
        await asyncio.shield(self.process.exited)
        self.connection.on_end("its process ended")
        if self._profile is not None:
            await asyncio.to_thread(self._profile.remove)

    async def close(self) -> None:
        """End the browser and everything of it; idempotent."""
        if not self.process.exited.done():
            with contextlib.suppress(CdpError, SurefootError):
                if self._profile is None:  # a profile that stays: what was set last has to be in it
                    await self.connection.call("Storage.getCookies", deadline=END_GRACE)
                await self.connection.call("Browser.close", deadline=END_GRACE)
                if self._profile is None:
                    await self.process.wait(END_GRACE)
        self.connection.close()
        await self.process.wait(END_GRACE)
        await self._reaper


def arguments(
    found: Found, *, profile_dir: str, headed: bool, viewport: tuple[int, int], root_user: bool
) -> list[str]:
    """The command line. ``--no-sandbox`` only as root, where the sandbox cannot work."""
    argv = [found.path, *FLAGS]
    if not headed:
        argv += HEADLESS_FLAGS
        if found.kind == "full":
            argv.append("--headless=new")
    if found.kind == "full":
        argv += QUIET_FULL_FLAGS
    if root_user:
        argv.append("--no-sandbox")
    argv += [
        f"--user-data-dir={profile_dir}",
        "--window-size={},{}".format(*viewport),
        "about:blank" if found.kind == "shell" else "--no-startup-window",
    ]
    return argv


async def launch(
    found: Found, state_dir: str, *, headed: bool, profile_dir: str | None, viewport: tuple[int, int]
) -> Launched:
    """Start a browser and wait until it answers.

    Raises ``DEVICE_NOT_FOUND`` (it cannot be started) or ``DEVICE_IN_USE`` (the profile is another
    browser's) with the reason the browser gave, never its raw output; ``COMMAND_FAILED``
    ``profile_unusable`` where its files cannot be kept.
    """
    try:
        temporary = None if profile_dir else await _acquired(state_dir)
        directory = str(
            temporary.path if temporary else await asyncio.to_thread(_made, str(profile_dir))
        )
    except OSError as error:
        raise _unusable(profile_dir or str(root(state_dir)), error) from error
    connection = Connection()
    process: Process | None = None
    try:
        argv = arguments(
            found, profile_dir=directory, headed=headed, viewport=viewport, root_user=os.geteuid() == 0
        )
        log_path = os.path.join(directory, "surefoot-browser.log")
        env = dict(os.environ)
        if temporary and len(directory) + 4 <= LONGEST_TMP:
            env["TMPDIR"] = os.path.join(directory, "tmp")
        process = spawn(argv, log_path, connection, env)
        version = await connection.call("Browser.getVersion", deadline=START_DEADLINE)
    except BaseException as error:
        connection.close()
        if process is not None:
            process.kill()
            await asyncio.shield(process.wait(END_GRACE))
        log = _tail(os.path.join(directory, "surefoot-browser.log"))
        if temporary is not None:
            temporary.remove()
        if isinstance(error, (OSError, SurefootError, CdpError)):
            raise _start_error(found, directory, log, error) from error
        raise
    return Launched(found, connection, process, temporary, str(version.get("product", "")))


async def _acquired(state_dir: str) -> Profile:
    """A fresh profile directory; one that nobody waits for any more is removed again."""
    making = asyncio.ensure_future(asyncio.to_thread(acquire, state_dir))
    try:
        return await asyncio.shield(making)
    except asyncio.CancelledError:
        making.add_done_callback(lambda made: None if made.exception() else made.result().remove())
        raise


def _unusable(path: str, error: OSError) -> SurefootError:
    return SurefootError(
        ErrorCode.COMMAND_FAILED,
        f"The browser's files cannot be kept in {path}: {error.strerror}.",
        hint="Name another --profile or state directory, or make room there.",
        details={"reason": "profile_unusable", "path": path},
    )


def _made(path: str) -> str:
    """A profile directory the user named, made if it is not there."""
    os.makedirs(path, mode=0o700, exist_ok=True)
    return os.path.abspath(path)


SYMPTOMS = (
    # (what the log says, code, what we say, the hint)
    (
        ("Opening in existing browser session", "SingletonLock", "ProcessSingleton"),
        ErrorCode.DEVICE_IN_USE,
        "profile_in_use",
        "The profile is open in another browser.",
        "Close that browser, or use another --profile.",
    ),
    (
        (
            "Missing X server",
            "cannot open display",
            "ozone_platform_x11",
            "Failed to connect to Wayland",
        ),
        ErrorCode.DEVICE_NOT_FOUND,
        "no_display",
        "There is no display to show a window on.",
        "Leave out --headed, or set DISPLAY.",
    ),
    (
        ("No usable sandbox", "SUID sandbox"),
        ErrorCode.DEVICE_NOT_FOUND,
        "no_sandbox",
        "The browser found no usable sandbox on this system.",
        "Allow unprivileged user namespaces: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
    ),
    (
        ("error while loading shared libraries",),
        ErrorCode.DEVICE_NOT_FOUND,
        "missing_libraries",
        "The browser lacks system libraries.",
        None,
    ),
)


def _start_error(found: Found, directory: str, log: str, error: BaseException) -> SurefootError:
    for needles, code, reason, message, hint in SYMPTOMS:
        if any(needle in log for needle in needles):
            return SurefootError(
                code,
                f"{found.path} did not start: {message}",
                hint=hint,
                details={"reason": reason, "path": found.path, "profile": directory},
            )
    why = error.strerror if isinstance(error, OSError) else "it gave no answer and ended or hung"
    return SurefootError(
        ErrorCode.DEVICE_NOT_FOUND,
        f"{found.path} did not start: {why}.",
        details={"reason": "browser_start_failed", "path": found.path},
    )


def _tail(path: str, size: int = 8192) -> str:
    try:
        data = Path(path).read_bytes()
    except OSError:
        return ""
    return data[-size:].decode("utf-8", "replace")
