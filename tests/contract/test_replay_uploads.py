"""The files a script uploads: looked for at the script's own directory, before its first step."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.replays import SCRIPT, Replays, replays

from surefoot.errors import ErrorCode

FORM = 'document(main(heading "Apply" level=1, button "Start" =start, textbox "CV" #cv =cv input=file))'


def lines(path: Path) -> list[str]:
    return [line for line in path.read_text("utf-8").splitlines() if line.startswith("upload")]


@pytest.fixture
def made(tmp_path: Path) -> Replays:
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "cv.pdf").write_text("cv", encoding="utf-8")
    return replays(tmp_path, FORM)


async def test_a_recording_names_the_file_from_its_own_directory(made: Replays) -> None:
    elsewhere = made.directory / "flows"
    elsewhere.mkdir()
    (made.directory / ".git").mkdir()
    await made.do("open", "stage", "--save-script=flows/flow.ad")
    await made.do("upload", "id=cv", "files/cv.pdf")
    await made.do("close")
    script = elsewhere / "flow.ad"
    assert lines(script)[0].endswith('"../files/cv.pdf"')
    await made.do("replay", "flows/flow.ad", "--keep-session")
    assert made.inputs() == ["upload cv"]


async def test_a_file_outside_the_scripts_tree_stays_where_it_is(made: Replays, tmp_path: Path) -> None:
    flows = made.directory / "flows"
    flows.mkdir()
    await made.do("open", "stage", "--save-script=flows/flow.ad")
    await made.do("upload", "id=cv", "files/cv.pdf")
    await made.do("close")
    assert lines(flows / "flow.ad")[0].endswith(f'"{tmp_path}/files/cv.pdf"')


async def test_missing_files_are_told_with_their_places_before_the_first_step(made: Replays) -> None:
    made.write("press label=Start", "upload id=cv files/cv.pdf files/none.pdf", "upload id=cv ${CV}")
    error = await made.refused("replay", SCRIPT, "-e", "CV=other.pdf")
    assert (error.code, error.reason) == (ErrorCode.INVALID_ARGS, "file_not_found")
    assert error.message.startswith(
        f"{SCRIPT}:4:27: there is no file files/none.pdf to upload\n"
        "  upload id=cv files/cv.pdf files/none.pdf\n"
    )
    assert f"expected: a readable file at {made.directory}/files/none.pdf" in error.message
    places = [(one["line"], one["column"]) for one in error.details["errors"]]
    assert places == [(4, 27), (5, 14)]
    assert list(made.store) == []


async def test_a_resume_asks_for_what_it_still_uploads(made: Replays) -> None:
    made.write("upload id=cv files/cv.pdf", "press label=Nope")
    report = await made.report()
    (made.directory / "files" / "cv.pdf").unlink()
    await made.do("press", "label=Start")
    ordinal, digest = report.resume.alternate_from, report.resume.plan_digest
    assert (await made.replay("--from", str(ordinal), "--plan-digest", str(digest))).replayed == 0
