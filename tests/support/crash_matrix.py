"""The daemon killed (SIGKILL) at every point of a repair: what must be there afterwards (decisions.md).

One :class:`Doom` is one row of the matrix; :func:`suffer` plays it with real processes over the
virtual device and raises ``AssertionError`` where the table of decisions.md is not kept.
"""

from __future__ import annotations

import asyncio
import json
import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from tests.support.loss_matrix import LOSSES, lose

from surefoot import ReplayDivergence, Surefoot, SurefootError
from surefoot.client import launch
from surefoot.wire import StatePaths

ROOT = Path(__file__).resolve().parents[2]
DAEMON = Path(__file__).with_name("doomed_daemon.py")
Answer = Literal["REPAIR_SESSION_EXPIRED", "SESSION_NOT_FOUND"]

EVIDENCE = (
    '# agent-device:target-v1 {{"role":"button","label":"{0}","ancestry":[{{"role":"main"}},'
    '{{"role":"document"}}],"sibling":{1},"viewportOrder":0,"section":"Basket","peers":1,'
    '"screen":"Basket","verification":"verified"}}'
)

APP = {
    "format": "surefoot-sim-1",
    "name": "shop",
    "start": "main",
    "screens": {
        "main": {
            "tree": [
                'document "Shop"(main(heading "Basket" level=1, button "One" =one,',
                'button "Two" disabled =two, button "Three" =three, button "Second" =second))',
            ]
        }
    },
}
"""Its second button takes no press any more (a step that fails at once); another one has its place."""


@dataclass(frozen=True)
class Doom:
    """Killed at ``point``, the next daemon at ``then`` while it starts; what a caller finds then."""

    point: str
    answer: Answer
    saved: bool
    then: str | None = None
    end: Literal["close", "retarget", "stop"] = "close"

    @property
    def name(self) -> str:
        end = "" if self.end == "close" else f"-{self.end}"
        return f"{self.point}{end}" + ("" if self.then is None else f"-then-{self.then}")


def _armed(point: str, **more: str) -> Doom:
    return Doom(point, "REPAIR_SESSION_EXPIRED", saved=False, **more)  # type: ignore[arg-type]


def _saved(point: str, **more: str) -> Doom:
    return Doom(point, "SESSION_NOT_FOUND", saved=True, **more)  # type: ignore[arg-type]


DOOMS = (
    Doom("arm.begun", "SESSION_NOT_FOUND", saved=False),
    Doom("arm.drafted", "SESSION_NOT_FOUND", saved=False),
    _armed("armed"),
    _armed("step.begun"),
    _armed("step.done"),
    _armed("diverged"),
    _armed("resume.admitted"),
    _armed("plan.ended"),
    _armed("complete.drafted"),
    _saved("complete"),
    _saved("commit.begun"),
    _saved("commit.retargeted", end="retarget"),
    _saved("publish.drafted"),
    _saved("publish.linked"),
    _saved("publish.linked", end="retarget"),
    _saved("published"),
    _saved("committed"),
    _saved("closed"),
    _armed("expired.drafted", end="stop"),
    _armed("expired", end="stop"),
    _armed("armed", then="expired.drafted"),
    _armed("armed", then="expired"),
    _saved("complete", then="publish.drafted"),
    _saved("complete", then="publish.linked"),
    _saved("complete", then="published"),
)


def suffer(doom: Doom, directory: Path) -> None:
    """Play one row in an empty directory; nothing is left running."""
    state, work = directory / "state", directory / "work"
    work.mkdir(parents=True)
    script = _script(work)
    before = script.read_bytes()
    target = work / ("b.ad" if doom.end == "retarget" else "flow.healed.ad")
    try:
        with Doomed(state, doom.point) as victim:
            _repair(state, script, doom)
            assert victim.wait(10) == -9, f"{doom.point} was not reached"
        if doom.then is not None:
            with Doomed(state, doom.then, dies_starting=True) as victim:
                assert victim.wait(10) == -9, f"{doom.then} was not reached"
        for command in ("press", "close"):
            assert _answer(state, command) == doom.answer
    finally:
        launch.end(StatePaths(state), {"SUREFOOT_DAEMON_TIMEOUT": "3000"})
    assert script.read_bytes() == before
    expected = {"app.json", "flow.ad"} | ({target.name} if doom.saved else set())
    assert {path.name for path in work.iterdir()} == expected
    if doom.saved:
        _check_whole(target)


class Doomed:
    """A daemon that will be killed at a point; ready when the block begins, unless it dies before."""

    def __init__(self, state: Path, point: str, *, dies_starting: bool = False) -> None:
        self._state, self._point, self._early = state, point, dies_starting

    def __enter__(self) -> subprocess.Popen[bytes]:
        ear, mouth = os.pipe()
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("SUREFOOT_", "AD_VAR_"))}
        log = self._state.parent / "daemon.err"
        with log.open("ab") as errors:
            self._process = subprocess.Popen(
                [sys.executable, os.fspath(DAEMON), self._point, os.fspath(self._state), str(mouth)],
                pass_fds=(mouth,),
                env={**kept, "PYTHONPATH": f"{ROOT / 'src'}:{ROOT}"},
                stdin=subprocess.DEVNULL,
                stdout=errors,
                stderr=errors,
            )
        os.close(mouth)
        readable, _, _ = select.select([ear], [], [], 20)
        word = os.read(ear, 100) if readable else b""
        os.close(ear)
        assert self._early or word == b"ready\n", (word, log.read_text())
        return self._process

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()


def _script(work: Path) -> Path:
    app = work / "app.json"
    app.write_text(json.dumps(APP), encoding="utf-8")
    lines = ["context platform=sim target=desktop", f'open "{app}"']
    for at, label in enumerate(("One", "Two", "Three"), start=1):
        lines += [EVIDENCE.format(label, at), f'press "role=button label={label}"']
    script = work / "flow.ad"
    script.write_text("\n".join([*lines, "close", ""]), encoding="utf-8")
    return script


def _repair(state: Path, script: Path, doom: Doom) -> None:
    """Until the daemon is gone: arm, diverge, press, resume, then the end the row asks for."""
    client = Surefoot(state_dir=state, session="r", platform="sim")
    with client, suppress(SurefootError):
        resume = None
        try:
            client.replay(script, save_script=True)
        except ReplayDivergence as divergence:
            resume = divergence.divergence.resume
        if resume is None or doom.end == "stop":
            client.daemon_stop()
            return
        client.press('label="Second"')
        client.replay(script, from_=str(resume.from_), plan_digest=resume.plan_digest)
        if doom.end == "retarget":
            client.close(save_script=script.with_name("b.ad"))
        else:
            client.close()


def _answer(state: Path, command: str) -> str:
    """The code a command on the session key ends with, asked of a daemon of its own."""
    with Surefoot(state_dir=state, session="r", platform="sim") as client:
        try:
            client.press("label=One") if command == "press" else client.close()
        except SurefootError as error:
            return str(error.code)
    return "success"


def _check_whole(target: Path) -> None:
    lines = target.read_text(encoding="utf-8").splitlines()
    steps = [line.split()[0] for line in lines if not line.startswith("#")]
    assert steps == ["context", "open", "press", "press", "press", "close"], lines
    assert sum(line.startswith("# agent-device:target-v1 ") for line in lines) == 3
    assert 'label=\\"Second\\"' in lines[5]
    assert lines[-1] == "# agent-device:heal-complete"


def _lose(point: str, directory: Path) -> None:
    asyncio.run(lose(point, directory))


def main() -> int:
    """``python -m tests.support.crash_matrix [times]``: every row so often; 1 where one is broken."""
    times = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    began = time.monotonic()
    rows: list[tuple[str, Callable[[Path], object]]] = []
    rows += [(f"killed at {doom.name}", partial(suffer, doom)) for doom in DOOMS]
    rows += [(f"device lost at {point}", partial(_lose, point)) for point in LOSSES]
    broken = 0
    for name, play in rows:
        for attempt in range(times):
            with tempfile.TemporaryDirectory(prefix="surefoot-crash-") as folder:
                try:
                    play(Path(folder))
                except AssertionError as error:
                    broken += 1
                    print(f"BROKEN {name} (attempt {attempt + 1}): {error}", flush=True)
        print(f"{times} x {name}", flush=True)
    kills = times * sum(1 if doom.then is None else 2 for doom in DOOMS)
    spent = time.monotonic() - began
    print(f"{kills} kills, {times * len(LOSSES)} losses, {broken} broken, {spent:.0f} s")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
