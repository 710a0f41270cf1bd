#!/bin/sh
# fmt: off
''':'
# The shell finds the interpreter beside this file (a symlink to it will do) and lets it run the rest
# bare: -I -S skip the site machinery, which costs as much as the whole command. Where there is none,
# the plain entry point takes over.
case $0 in */*) me=$0 ;; *) [ -f "$0" ] && me=./$0 || me=$(command -v -- "$0") ;; esac
[ -L "$me" ] && me=$(readlink -f -- "$me")
bin=${me%/*}
for python in python python3; do
  [ -x "$bin/$python" ] && exec "$bin/$python" -IS -X utf8 "$me" "$@"
done
exec "$bin/surefoot-py" "$@"
'''
# fmt: on

# The installed command: sends the command line to the daemon and prints what comes back.
# Imports built-in modules only (docs/architecture.md). The warm way is here; starting a daemon and
# explaining a failure are the entry point's (surefoot-py), which replaces this process while nothing
# has run yet. The frames are those of surefoot.wire.

import _socket
import posix
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import NoReturn

PROTOCOL = 1
VERSION = "0.1.0"
ACK_MS = 10_000
LEAST_MS = 500  # a --timeout below this still gives a daemon that lives the time to say so
CANCEL_MS = 3_000
LONGEST_STATE_DIR = 84  # bytes: with "/run/daemon.sock" it still fits a socket address
EPIPE = 32
EIO = 5
EXIT_FAILED = 1
EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141


class Lost(Exception):
    """The daemon cannot serve the request. ``reason`` is one of ``daemon_missing``,
    ``daemon_foreign``, ``daemon_leaving`` (nothing ran), ``daemon_unresponsive``, ``daemon_lost``."""

    def __init__(self, reason: str) -> None:
        self.reason = reason


def state_dir(argv: "Sequence[bytes]", env: "Mapping[bytes, bytes]", cwd: bytes) -> bytes:
    """``--state-dir``, ``SUREFOOT_STATE_DIR``, else the system's place; empty where there is none."""
    found = env.get(b"SUREFOOT_STATE_DIR", b"")
    if not found:
        home = env.get(b"HOME", b"")
        if sys.platform == "darwin":
            found = home + b"/Library/Application Support/surefoot"
        else:
            found = (env.get(b"XDG_STATE_HOME", b"").strip() or home + b"/.local/state") + b"/surefoot"
        if not found.startswith(b"/") or not home:
            return b""
    given = flag(argv, b"--state-dir")
    found = found if given is None else given
    return found if found.startswith(b"/") or not found else cwd + b"/" + found


def flag(argv: "Sequence[bytes]", name: bytes) -> "bytes | None":
    """The last value of a flag before ``--``; empty where it has none."""
    found = None
    for at, word in enumerate(argv):
        if word == b"--":
            break
        if word == name:
            found = argv[at + 1] if at + 1 < len(argv) else b""
        elif word.startswith(name + b"="):
            found = word[len(name) + 1 :]
    return found


def silence_ms(argv: "Sequence[bytes]", env: "Mapping[bytes, bytes]") -> int:
    """How long the daemon may say nothing: ``SUREFOOT_DAEMON_TIMEOUT``, or ``--timeout`` where less."""
    silence = number(env.get(b"SUREFOOT_DAEMON_TIMEOUT", b""), ACK_MS)
    return min(silence, max(LEAST_MS, number(flag(argv, b"--timeout") or b"", silence)))


def number(text: bytes, otherwise: int) -> int:
    return max(1, int(text)) if text.isdigit() and len(text) < 9 else otherwise


def request(argv: "Sequence[bytes]", env: "Mapping[bytes, bytes]", cwd: bytes) -> bytes:
    """The payload of an ``a`` frame."""
    columns = 0
    tty = posix.isatty(1)
    if tty:
        try:
            columns = posix.get_terminal_size(1).columns
        except OSError:
            columns = 0
    parts = [b"%d" % PROTOCOL, VERSION.encode(), cwd, b"%d" % tty, b"%d" % columns, b"%d" % len(argv)]
    parts += argv
    for name, value in env.items():
        if name.startswith((b"SUREFOOT_", b"AD_VAR_")) or name == b"NO_COLOR":
            parts.append(name + b"=" + value)
    return b"\0".join(parts)


class Talk:
    """One request over one connection."""

    def __init__(self, path: bytes, ack_ms: int) -> None:
        self.acked = False
        self.asked = False
        self.broken = 0  # the errno of a write that failed
        self.buffer = b""
        self.socket = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        try:
            self.socket.settimeout(ack_ms / 1000)
            self.socket.connect(path)
            if sys.platform == "linux":
                owner = self.socket.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
                if int.from_bytes(owner[4:8], sys.byteorder) != posix.getuid():
                    raise Lost("daemon_foreign")
        except OSError as error:
            raise self.lost(error) from error

    def lost(self, error: OSError | None) -> Lost:
        if isinstance(error, TimeoutError):
            return Lost("daemon_unresponsive")
        return Lost("daemon_lost" if self.acked else "daemon_missing")

    def send(self, kind: bytes, payload: bytes = b"") -> None:
        try:
            self.socket.sendall(kind + b"\0\0\0\1" + len(payload).to_bytes(4, "big") + payload)
        except OSError as error:
            raise self.lost(error) from error

    def take(self, size: int) -> bytes:
        parts = [self.buffer]
        have = len(self.buffer)
        while have < size:
            try:
                data = self.socket.recv(262144)
            except OSError as error:
                if not isinstance(error, TimeoutError) or not self.acked or self.asked:
                    raise self.lost(error) from error
                # A long silence: ask once for a sign of life.
                self.asked = True
                self.send(b"h")
                continue
            if not data:
                raise self.lost(None)
            self.asked = False
            parts.append(data)
            have += len(data)
        data = b"".join(parts)
        self.buffer = data[size:]
        return data[:size]

    def run(self) -> int:
        """Serve the request until its exit code comes."""
        while True:
            head = self.take(9)
            payload = self.take(int.from_bytes(head[5:], "big"))
            kind = head[:1]
            if kind == b"K":
                self.acked = True
            elif kind == b"O" or kind == b"E":
                self.write(1 if kind == b"O" else 2, payload)
            elif kind == b"X":
                return self.exit_code(int(payload))
            elif kind == b"F":
                limit, _, path = payload.partition(b"\0")
                self.file(path, int(limit))
            elif kind == b"L":
                raise Lost("daemon_leaving")

    def cancel(self) -> None:
        """End the request and wait until the daemon has let go of it."""
        try:
            self.socket.settimeout(CANCEL_MS / 1000)
            self.send(b"x")
            self.socket.shutdown(_socket.SHUT_WR)
            while self.socket.recv(262144):
                pass
        except (Lost, OSError, KeyboardInterrupt):
            return

    def write(self, number: int, data: bytes) -> None:
        view = memoryview(data)
        while view and not self.broken:
            try:
                view = view[posix.write(number, view) :]
            except BlockingIOError:
                import select

                select.select([], [number], [])
            except OSError as error:
                # Nobody reads any more. What has run has run; what still streams has no purpose.
                self.broken = error.errno or EIO
                self.send(b"x")

    def exit_code(self, code: int) -> int:
        """The daemon's exit code, unless what it said could not be written anywhere (a full disk)."""
        if not self.broken:
            return code
        if self.broken == EPIPE:
            return EXIT_BROKEN_PIPE if code == EXIT_INTERRUPTED else code
        why = posix.strerror(self.broken)
        text = f"error COMMAND_FAILED output_failed: The answer could not be written: {why}.\n"
        try:  # noqa: SIM105 - contextlib would have to be imported
            posix.write(2, text.encode())
        except OSError:
            pass
        return code if code not in (0, EXIT_INTERRUPTED) else EXIT_FAILED

    def file(self, path: bytes, limit: int) -> None:
        """The caller's own file: its bytes (one more than allowed says that it is too long)."""
        try:
            number = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK)
            try:
                if posix.fstat(number).st_mode & 0o170000 != 0o100000:
                    raise IsADirectoryError(21, "not a file")
                parts = []
                while limit >= 0:
                    data = posix.read(number, min(limit + 1, 1048576))
                    if not data:
                        break
                    parts.append(data)
                    limit -= len(data)
            finally:
                posix.close(number)
        except OSError as error:
            self.send(b"n", b"%d" % (error.errno or 5))
        else:
            self.send(b"f", b"".join(parts))


def ask(path: bytes, argv: "Sequence[bytes]", env: "Mapping[bytes, bytes]", cwd: bytes) -> int:
    """The exit code of a command line served by the daemon at ``path``. Raises :class:`Lost`."""
    talk = None
    try:
        talk = Talk(path, silence_ms(argv, env))
        talk.send(b"a", request(argv, env, cwd))
        return talk.run()
    except KeyboardInterrupt:
        if talk and talk.acked:
            talk.cancel()
        return EXIT_INTERRUPTED


def fill_standard() -> None:
    """Open what a caller closed of the standard streams, so that no socket gets its number and text."""
    for number in (0, 1, 2):
        try:
            posix.fstat(number)
        except OSError:
            posix.open(b"/dev/null", posix.O_RDWR)


def arguments() -> list[bytes]:
    """This process's command line, byte for byte."""
    return [word.encode(sys.getfilesystemencoding(), "surrogateescape") for word in sys.argv[1:]]


def main() -> int:
    """The exit code of this process's command line; what the warm way cannot do is handed on."""
    fill_standard()
    argv = arguments()
    if b"mcp" in argv:
        hand_over("mcp")  # a pipe (surefoot.cli.pipe), if that is the command
    try:
        cwd = posix.getcwdb()
        state = state_dir(argv, posix.environ, cwd)
        if not state or len(state) > LONGEST_STATE_DIR:
            hand_over("state_dir_unclear")
        return ask(state + b"/run/daemon.sock", argv, posix.environ, cwd)
    except FileNotFoundError:
        hand_over("cwd_missing")
    except Lost as lost:
        hand_over(lost.reason)


def hand_over(reason: str) -> "NoReturn":
    """Become the entry point beside this file, which starts a daemon or says what is wrong."""
    environment = {**posix.environ, b"SUREFOOT_CLI_REASON": reason.encode()}
    beside = sys.argv[0].rpartition("/")[0] + "/surefoot-py"
    try:
        posix.execve(beside, [beside, *sys.argv[1:]], environment)
    except OSError:
        python = [sys.executable, "-P", "-m", "surefoot"]
        posix.execve(sys.executable, [*python, *sys.argv[1:]], environment)


if __name__ == "__main__":
    posix._exit(main())
