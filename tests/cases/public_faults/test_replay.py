"""Rows of replay and resume: which refs a divergence authorises, and where a resume goes on."""

from __future__ import annotations

from tests.support.faults import Hands, cases

ROWS = "".join(f"<p><button>Item {n}</button></p>" for n in range(30))
NOBODY = 'press "label=\\"Nobody\\""\n'


# B011: at each level as many refs as it may show, and those are authorised and no others.
@cases("B011", digest=("digest", 8), default=("default", 20), full=("full", 20))
def test_the_refs_a_divergence_shows_are_the_refs_it_authorises(
    hands: Hands, case: tuple[str, int]
) -> None:
    level, shown = case
    page = hands.page(ROWS)
    hands.file("flow.ad", f'context platform=web\nopen "{page}"\n{NOBODY}')
    report = hands.ask("replay", "flow.ad", "--level", level).error["details"]["divergence"]
    screen = report["screen"]
    refs = [item["ref"] for item in screen["refs"]]
    assert len(refs) == shown
    hidden = next(f"e{n}" for n in range(2, 60) if f"e{n}" not in refs)
    refused = hands.ask("press", f"@{hidden}~s{screen['refsGeneration']}")
    assert refused.reason == "ref_not_issued"
    hands.do("press", f"@{refs[-1]}~s{screen['refsGeneration']}")


# B094: the button of the middle or of the last step is called otherwise; the step is done by hand.
@cases("B094", a_middle_step=("Two", 3, 4, 1), the_last_step=("Three", 4, 5, 0))
def test_a_resume_goes_on_past_the_step_that_was_done_by_hand(
    hands: Hands, case: tuple[str, int, int, int]
) -> None:
    label, failed, past, left = case
    buttons = [f"<button onclick=\"say('{name}')\">{name}</button>" for name in ("One", "Two", "Three")]
    body = f'<form aria-label="Steps" onsubmit="return false">{"".join(buttons)}</form>'
    hands.session = "b094"
    site = hands.page(body)
    drifted = hands.page(body.replace(f">{label}<", ">Renamed<"))
    hands.file("flow.ad", "")
    (hands.cwd / "flow.ad").unlink()
    hands.do("open", site, "--save-script=flow.ad")
    for name in ("One", "Two", "Three"):
        hands.do("press", f'role=button label="{name}"')
    hands.do("close")
    script = (hands.cwd / "flow.ad").read_text("utf-8").replace(site, drifted)
    hands.file("flow.ad", script.removesuffix("close\n"))
    error = hands.ask("replay", "flow.ad").error
    report = error["details"]["divergence"]
    assert (report["step"]["index"], report["repairHint"]) == (failed, "record-and-heal")
    resume = report["resume"]
    assert (resume["allowed"], resume["from"]) == (True, past)
    command = f"--from {past} --plan-digest {resume['planDigest']}"
    assert command in error["hint"]
    assert hands.ask("replay", "flow.ad", *command.split()).reason == "corrective_action_missing"
    hands.do("press", 'label="Renamed"')
    assert hands.do("replay", "flow.ad", *command.split())["replayed"] == left
    assert hands.said() == "One Two Three"
    hands.do("close")
