"""The device (or browser) lost at every point of a repair: what must be there afterwards.

``ARMED``: a tombstone and no file. ``COMPLETE``: the whole heal, whoever ends the session. After that
nothing of it is needed. One process, virtual time: cheap enough to be played over and over.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from tests.support.repairs import RENAMED, SCRIPT, Repairs, shows

from surefoot.errors import ErrorCode, SurefootError
from surefoot.session import watched

Left = Literal["tombstone", "heal"]

LOSSES: dict[str, Left] = {
    "step.begun": "tombstone",
    "step.done": "tombstone",
    "diverged": "tombstone",
    "resume.admitted": "tombstone",
    "plan.ended": "heal",
    "complete.drafted": "heal",
    "complete": "heal",
    "commit.begun": "heal",
    "commit.retargeted": "heal",
    "publish.drafted": "heal",
    "publish.linked": "heal",
    "published": "heal",
    "committed": "heal",
}
"""Before the first ``step.begun`` and after ``committed`` there is no app that could be lost."""


async def lose(point: str, directory: Path) -> None:
    """Play one row in an empty directory. ``AssertionError`` where something else is left."""
    made = Repairs(directory)
    lost: list[str] = []

    def at(reached: str) -> None:
        if reached == point and made.sessions and not lost:
            made.app.device.die("driver_lost")
            lost.append(point)

    await made.record()
    made.change(RENAMED)
    target = "b.ad" if point == "commit.retargeted" else "flow.healed.ad"
    with watched(at):
        refusal = await _repair(made, target)
    assert lost == [point]
    after = await made.refused("close")
    assert made.sessions == []
    if LOSSES[point] == "heal":
        assert refusal is None
        assert made.scripts() == sorted([SCRIPT, target])
        shows(made.healed_lines(target), "One", "Second", "Three")
        assert after.code is ErrorCode.SESSION_NOT_FOUND
    else:
        assert refusal is not None
        assert made.scripts() == [SCRIPT]
        for error in (refusal, after):
            assert error.code is ErrorCode.REPAIR_SESSION_EXPIRED
            assert error.reason == "browser_lost"


async def _repair(made: Repairs, target: str) -> SurefootError | None:
    """Diverge, press, resume, close: the first error that is no divergence."""
    flag = (f"--save-script={target}",) if target == "b.ad" else ()
    try:
        error = await made.refused("replay", SCRIPT, "--save-script")
        if error.code is not ErrorCode.REPLAY_DIVERGENCE:
            return error
        resume = error.details["divergence"]["resume"]
        await made.press("Second")
        await made.resume(resume["from"], resume["planDigest"])
        await made.do("close", *flag)
    except SurefootError as refusal:
        return refusal
    return None
