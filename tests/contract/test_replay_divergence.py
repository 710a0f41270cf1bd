"""Seed 0012, decision 4: the report through the real commands: screen, suggestions, bounds, secrets."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.support.replays import SCRIPT, Replays, available, replays, unavailable
from tests.support.stage import app

from surefoot.client.errors import error_from
from surefoot.commands import reply
from surefoot.commands.output.divergence_text import divergence_lines
from surefoot.drivers.sim import AppSpec, ScreenSpec
from surefoot.drivers.sim.spec import Action, Death, DialogSpec, Rule, Unreadable, WindowSpec
from surefoot.errors import ErrorCode
from surefoot.wire import CEILINGS, Divergence

ONE = 'document "Shop"(main(heading "Basket" level=1, button "Pay" =pay))'
PRESS = "press 'role=button label=Pay'"
MISS = "press 'role=button label=Nope'"


def many(count: int, label: str = "Item") -> str:
    rows = ", ".join(f'button "{label} {n}"' for n in range(count))
    return f'document "Many"(main(heading "Many" level=1, {rows}))'


def encoded(error: Any) -> bytes:
    return msgspec.json.encode(error.details["divergence"])


def written(path: Path) -> tuple[bytes, int]:
    """A file's bytes, and when they were written."""
    return path.read_bytes(), path.stat().st_mtime_ns


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


# -- the screen --------------------------------------------------------------------------------------


async def test_the_screen_shows_what_a_snapshot_shows_and_its_refs_work_pinned(tmp_path: Path) -> None:
    made = replays(tmp_path, ONE)
    made.write(MISS)
    screen = available(await made.report())
    assert [(item.ref, item.role, item.label) for item in screen.refs] == [
        ("e3", "heading", "Basket"),
        ("e4", "button", "Pay"),
    ]
    assert (await made.refused("press", "@e4")).reason == "plain_ref_requires_complete_frame"
    await made.do("press", f"@e4~s{screen.refs_generation}")
    assert made.inputs() == ["press pay"]


@pytest.mark.parametrize(("level", "shown"), [("digest", 8), ("default", 20), ("full", 20)])
async def test_B011_exactly_the_refs_shown_are_authorised(
    tmp_path: Path, level: str, shown: int
) -> None:
    made = replays(tmp_path, many(30))
    made.write(MISS)
    screen = available(await made.report("--level", level))
    assert (len(screen.refs), screen.truncated) == (shown, True)
    frame = made.session.refs.frame
    assert frame is not None
    assert (frame.generation, frame.complete) == (screen.refs_generation, False)
    assert frame.issued == frozenset(int(item.ref[1:]) - 1 for item in screen.refs)
    hidden = f"@e{shown + 5}~s{screen.refs_generation}"
    assert (await made.refused("press", hidden)).reason == "ref_not_issued"


async def test_suggested_and_candidate_refs_are_authorised_too(tmp_path: Path) -> None:
    rows = ", ".join(f'button "Other {n}"' for n in range(25))
    late = ", ".join(f'button "Nope" =n{n}' for n in range(3))
    made = replays(tmp_path, f'document "D"(main({rows}, {late}))')
    made.write(MISS)
    report = await made.report()
    assert [item.ref for item in report.suggestions] == ["e28", "e29", "e30"]
    await made.do("press", f"@e29~s{available(report).refs_generation}")
    assert made.inputs() == ["press n1"]


async def test_what_lies_over_the_app_comes_first_within_the_cap(tmp_path: Path) -> None:
    """Amendment 1264: another app's window is enumerated last and shown first."""
    rows = ", ".join(f'button "Item {n}"' for n in range(40))
    tree = (
        f'document "App"(main({rows})), dialog "Volume" window=vol(text "Media", button "Mute" =mute)'
    )
    spec = AppSpec(
        name="stage",
        start="start",
        screens={
            "start": ScreenSpec(tree=tree, windows=(WindowSpec(id="vol", app="system", foreign=True),))
        },
    )
    made = replays(tmp_path, spec)
    made.write(MISS)
    screen = available(await made.report("--level", "digest"))
    assert screen.refs[0].label == "Mute"
    assert (screen.refs[0].window, len(screen.refs)) == ("vol", 8)


async def test_a_covering_element_comes_first_and_covered_ones_are_still_shown(tmp_path: Path) -> None:
    rows = ", ".join(f'button "Item {n}"' for n in range(30))
    tree = f'document "App"(main({rows}), dialog "Rate us" overlay(button "Later" =later))'
    made = replays(tmp_path, tree)
    made.write("press 'label=\"Item 3\"'")
    report = await made.report()
    assert report.cause.code == "ELEMENT_COVERED"
    refs = available(report).refs
    assert [item.label for item in refs[:3]] == ["Rate us", "Later", "Item 0"]
    assert refs[2].covered is True


async def test_the_cause_names_no_ref_of_the_frame_that_the_report_replaced(tmp_path: Path) -> None:
    made = replays(tmp_path, 'document(main(button "Go" =a), dialog "Rate us" overlay(button "Later"))')
    made.write("press 'label=Go'")
    assert "@e" not in (await made.report()).cause.message
    made.change('document(main(button "Go" =a, button "Go" =b))')
    await made.do("close")
    assert "@e" not in (await made.report()).cause.message


async def test_the_platform_s_chrome_is_left_out(tmp_path: Path) -> None:
    made = replays(tmp_path, 'document(toolbar chrome(button "Back"), main(button "Go"))')
    made.write(MISS)
    assert [item.label for item in available(await made.report()).refs] == ["Go"]


async def test_a_failed_scoped_snapshot_never_narrows_the_screen(tmp_path: Path) -> None:
    made = replays(tmp_path, ONE)
    made.write("snapshot -i -d 0", MISS)
    assert len(available(await made.report()).refs) == 2


async def test_a_reading_step_shows_what_could_be_read(tmp_path: Path) -> None:
    made = replays(tmp_path, 'document(main(paragraph "Total", generic #sum, button "Go"))')
    made.write("get text 'label=Nope'")
    assert [(i.label, i.id) for i in available(await made.report()).refs] == [
        ("Total", None),
        (None, "sum"),
        ("Go", None),
    ]


async def test_a_dialog_is_named_and_nothing_else_is_shown(tmp_path: Path) -> None:
    dialog = DialogSpec(kind="confirm", message="Delete all?")
    made = replays(tmp_path, app(ONE, Rule(press="pay", do=(Action(dialog=dialog),))))
    made.write("press label=Pay", "press label=Pay")
    report = await made.report()
    screen = unavailable(report)
    assert (screen.reason, report.cause.code) == ("dialog_open", "DIALOG_PENDING")
    assert "Delete all?" in screen.hint
    assert "surefoot dialog accept|dismiss" in screen.hint
    assert (report.kind, report.repair_hint, report.suggestions) == ("action-failure", "manual", ())


async def test_a_sparse_capture_shows_nothing_and_keeps_the_cause(tmp_path: Path) -> None:
    spec = AppSpec(name="stage", start="start", screens={"start": ScreenSpec(tree=ONE, sparse=10_000)})
    made = replays(tmp_path, spec)
    made.write("is visible label=Nope")
    report = await made.report()
    assert unavailable(report).reason == "capture_sparse"
    assert report.cause.code == "ELEMENT_NOT_FOUND"
    assert report.repair_hint == "manual"
    frame = made.session.refs.frame
    assert frame is None


async def test_a_failing_capture_never_masks_the_cause(tmp_path: Path) -> None:
    made = replays(tmp_path, app(ONE, Rule(press="pay", do=(Action(crash=True),))))
    made.write("press label=Pay", "press label=Pay")
    error, report = await made.divergence()
    assert unavailable(report).reason == "capture_failed"
    assert error.reason == "app_crashed"
    assert (report.cause.code, report.cause.reason) == ("COMMAND_FAILED", "app_crashed")
    assert error.__cause__ is not None


async def test_without_a_session_there_is_no_screen(tmp_path: Path) -> None:
    made = replays(tmp_path, ONE)
    (tmp_path / SCRIPT).write_text("context platform=sim\npress label=Pay\n", encoding="utf-8")
    report = await made.report()
    assert (unavailable(report).reason, report.cause.code) == ("no_session", "SESSION_NOT_FOUND")
    assert report.resume.alternate_from is None  # the empty tail is withheld


async def test_an_unreadable_screen_says_so(tmp_path: Path) -> None:
    screen = ScreenSpec(tree=ONE, unreadable=Unreadable(verdict="navigating", captures=10_000))
    made = replays(tmp_path, AppSpec(name="stage", start="start", screens={"start": screen}))
    made.write("press label=Pay")
    error, report = await made.divergence()
    assert unavailable(report).reason == "capture_failed"
    assert "navigating" in unavailable(report).hint
    assert error.details["readiness"]["end"] == "unreadable"


# -- suggestions -------------------------------------------------------------------------------------


async def test_suggestions_rank_id_over_role_and_label_over_label_then_region_then_order(
    tmp_path: Path,
) -> None:
    recorded = (
        'document "D"(main(list "Jobs" scroll=y height=200('
        'listitem(button "Run" #run =run), listitem(text "x"))))'
    )
    made = replays(tmp_path, recorded)
    path = await made.record("press id=run")
    text = path.read_text("utf-8").replace(" || label=", " visible=false || label=")
    path.write_text(text.replace('id=\\"run\\"', 'id=\\"run\\" visible=false'), encoding="utf-8")
    made.change(
        'document "D"(main(text "Run" =t, button "Run" =far, generic "Build" #run =id, '
        'list "Jobs" scroll=y height=200(listitem(button "Run" =near))))'
    )
    report = await made.report()
    found = [(item.basis, item.role) for item in report.suggestions]
    assert found == [
        ("id", "generic"),
        ("role+label", "button"),
        ("role+label", "button"),
        ("label", "text"),
    ]
    assert [item.ref for item in report.suggestions] == ["e5", "e8", "e4", "e3"]
    assert report.suggestion_count == 4


async def test_a_node_that_several_terms_reach_is_suggested_once_by_the_strongest(
    tmp_path: Path,
) -> None:
    made = replays(tmp_path, 'document(main(button "Save" #save))')
    made.write("press 'id=save visible=false || role=button label=Save visible=false'")
    assert [(i.ref, i.basis) for i in (await made.report()).suggestions] == [("e3", "id")]


async def test_suggestions_of_one_name_are_told_apart_by_their_place(tmp_path: Path) -> None:
    items = ", ".join(f'listitem(heading "{name}", button "Add")' for name in ("Boots", "Zanzibar"))
    made = replays(tmp_path, f"document(main(list({items})))")
    made.write('wait "label=${CITY}"', 'press "label=Add"')
    error, report = await made.divergence("-e", "CITY=Zanzibar")
    assert [item.place for item in report.suggestions] == [
        'in listitem "Boots"',
        'in listitem "<var:CITY>"',
    ]
    assert b"Zanzibar" not in encoded(error)


def todos(*names: str) -> str:
    items = ", ".join(f'listitem(checkbox, text "{name}")' for name in names)
    return f'document(main(heading "Todos" level=1, list "L"({items})))'


async def test_controls_without_a_name_are_shown_with_their_rows_and_suggested(tmp_path: Path) -> None:
    made = replays(tmp_path, todos("Buy milk", "Walk dog", "Write report"))
    await made.do("open", "stage", "--save-script=flow.ad")
    nodes = (await made.do("snapshot")).nodes
    boxes = [node.ref for node in nodes if node.role == "checkbox"]
    await made.do("press", f"@{boxes[2]}")
    await made.do("close")
    made.change(todos("Buy milk", "Walk dog", "Write the report"))
    error, report = await made.divergence()
    rows = [f'in listitem "{name}"' for name in ("Buy milk", "Walk dog", "Write the report")]
    shown = [item.place for item in available(report).refs if item.role == "checkbox"]
    assert shown == rows
    assert [(item.basis, item.place) for item in report.suggestions] == [
        ("role+label", place) for place in rows
    ]
    text = "\n".join(divergence_lines(error, report))
    assert 'in listitem "Write the report"' in text


async def test_at_most_five_suggestions_and_at_digest_only_their_count(tmp_path: Path) -> None:
    made = replays(tmp_path, "document(main(" + ", ".join(['button "Edit"'] * 9) + "))")
    made.write("press label=Edit")
    report = await made.report()
    assert (len(report.suggestions), report.suggestion_count) == (5, 5)
    await made.do("close")
    digest = await made.report("--level", "digest")
    assert (digest.suggestions, digest.suggestion_count) == ((), 5)
    assert digest.repair_hint == report.repair_hint


async def test_update_never_writes_and_returns_the_same_suggestions(tmp_path: Path) -> None:
    made = replays(tmp_path, "document(main(" + ", ".join(['button "Edit"'] * 3) + "))")
    path = made.write("press label=Edit")
    before = written(path)
    plain = await made.report()
    await made.do("close")
    updated = await made.report("--update")
    assert updated.suggestions == plain.suggestions
    assert written(path) == before
    assert sorted(os.listdir(tmp_path)) == [SCRIPT, "state"]


# -- bounds ------------------------------------------------------------------------------------------

LABELS = {
    "long": "x" * 10_000,
    "emoji": "👩‍👩‍👧‍👦" * 500,
    "right-to-left": "שלום עולם " * 300,
    "controls": "\x01\x02\x7f" * 900,
    "quotes": '"\\' * 2_000,
}


@pytest.mark.parametrize("level", ["digest", "default", "full"])
@pytest.mark.parametrize("label", LABELS.values(), ids=LABELS)
async def test_the_serialised_report_stays_within_its_ceiling(
    tmp_path: Path, label: str, level: str
) -> None:
    shown = json.dumps(label)
    rows = ", ".join(f"button {shown} #{json.dumps('id' + label[:300] + str(n))}" for n in range(30))
    made = replays(tmp_path, f"document({rows}, button {shown}, button {shown})")
    made.write("press role=button")
    error, report = await made.divergence("--level", level)
    assert len(encoded(error)) <= CEILINGS[level]  # type: ignore[index]
    assert available(report).refs
    assert report.truncated is True
    said = await made.say("replay", SCRIPT, "--level", level)
    assert len(said.stderr.encode()) <= 2048


async def test_fields_are_cut_to_256_bytes_on_a_code_point_and_end_in_an_ellipsis(
    tmp_path: Path,
) -> None:
    made = replays(tmp_path, f'document(main(button "{"é" * 200}"))')
    made.write(MISS)
    report = await made.report()
    (shown,) = available(report).refs
    assert shown.label == "é" * 126 + "…"
    assert report.truncated is True


async def test_a_report_that_leaves_nothing_out_has_no_marks_and_no_file(tmp_path: Path) -> None:
    made = replays(tmp_path, ONE)
    made.write(MISS)
    error, report = await made.divergence()
    keys = set(error.details["divergence"])
    assert keys.isdisjoint({"truncated", "redacted", "overflow", "artifactUnavailable"})
    assert report.overflow is None
    assert _files(made) == []


async def test_what_does_not_fit_is_in_a_file_only_its_owner_reads(tmp_path: Path) -> None:
    made = replays(tmp_path, many(30))
    made.write(MISS)
    error, report = await made.divergence("--level", "digest")
    assert report.overflow is not None
    path = Path(report.overflow.artifact_path)
    assert path.parent == made.session.directory
    assert mode(path) == 0o600
    detail = json.loads(written(path)[0])
    assert len(detail["screen"]["refs"]) == 31
    with_refs = [item for item in detail["screen"]["refs"] if "ref" in item]
    assert len(with_refs) == 8  # a ref that was not authorised is not told
    assert report.overflow.omitted_bytes > 0
    assert len(encoded(error)) <= CEILINGS["digest"]


async def test_a_file_that_cannot_be_written_is_said_and_keeps_the_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = replays(tmp_path, many(30))
    made.write(MISS)

    def full(*_: object, **__: object) -> int:
        raise OSError(28, "no space left on device")

    monkeypatch.setattr("surefoot.replay.artifact.os.open", full)
    error, report = await made.divergence()
    monkeypatch.undo()
    assert (report.artifact_unavailable, report.overflow) == (True, None)
    assert report.cause.code == "ELEMENT_NOT_FOUND"
    assert error.details["divergence"]["artifactUnavailable"] is True


async def test_only_the_newest_files_are_kept(tmp_path: Path) -> None:
    made = replays(tmp_path, many(30))
    made.write(MISS)
    for _ in range(23):
        await made.divergence()
    assert len(_files(made)) == 20


def _files(made: Replays) -> list[str]:
    return [name for name in os.listdir(made.session.directory) if name.startswith("divergence-")]


async def test_no_positional_array_and_no_nested_details_of_the_cause(tmp_path: Path) -> None:
    made = replays(tmp_path, "document(main(" + ", ".join(['button "Edit"'] * 9) + "))")
    made.write("press label=Edit")
    error, _ = await made.divergence()
    body = error.details["divergence"]
    assert isinstance(body["action"], str)
    assert set(body["cause"]) == {"code", "message", "reason", "hint"}


# -- secrets -----------------------------------------------------------------------------------------

SIGN_IN = """document "Sign in"(main(textbox "User" =user, textbox "Password" password =pw,
    text "Wrong password correct horse for ada" , text "on", text "only on", button "e2" #on =b))"""


async def test_values_of_variables_are_told_by_name_on_whole_tokens(tmp_path: Path) -> None:
    made = replays(tmp_path, SIGN_IN)
    made.write("fill label=User ${USER}", "fill label=Password ${PW}", MISS)
    error, report = await made.divergence("-e", "PW=correct horse", "-e", "USER=ada")
    labels = [item.label for item in available(report).refs]
    assert "Wrong password <var:PW> for ada" in labels  # three letters: only as a whole field
    assert report.redacted is True
    assert b"correct horse" not in encoded(error)
    assert (
        "correct horse"
        not in (await made.say("replay", SCRIPT, "-e", "PW=correct horse", "-e", "USER=ada")).stderr
    )


async def test_a_password_of_a_variable_has_one_name_in_the_whole_report(tmp_path: Path) -> None:
    """Not ``<secret>`` where the cause tells it and ``<var:PW>`` where the screen does."""
    made = replays(tmp_path, SIGN_IN)
    made.write(
        "fill label=Password ${PW}",
        "fill label=User ${PW}",
        'wait "label=\\"Welcome ${PW}\\"" 100',
    )
    error, report = await made.divergence("-e", "PW=correct horse")
    assert 'Nothing matched label="Welcome <var:PW>"' in report.cause.message
    assert "<var:PW>" in error.message
    told = encoded(error) + error.message.encode() + repr(error.details).encode()
    assert b"<secret>" not in told
    assert b"correct horse" not in told


async def test_B034_short_values_never_touch_refs_ids_or_parts_of_labels(tmp_path: Path) -> None:
    made = replays(tmp_path, SIGN_IN)
    made.write("fill label=User ${A}", "fill label=Password ${B}", MISS)
    report = await made.report("-e", "A=on", "-e", "B=e2")
    shown = {item.ref: (item.label, item.id) for item in available(report).refs}
    assert shown["e6"] == ("<var:A>", None)
    assert shown["e7"] == ("only on", None)
    assert shown["e8"] == ("<var:B>", "on")


async def test_the_empty_value_is_never_replaced(tmp_path: Path) -> None:
    made = replays(tmp_path, ONE)
    made.write("press 'label=\"Nope${E}\"'")
    report = await made.report("-e", "E=")
    assert report.redacted is False


async def test_a_variable_in_a_selector_is_told_by_name_everywhere(tmp_path: Path) -> None:
    made = replays(tmp_path, 'document(main(text "Order Zanzibar", button "Zanzibar"))')
    made.write("press 'role=link label=\"${CITY}\"'")
    error, report = await made.divergence("-e", "CITY=Zanzibar")
    assert b"Zanzibar" not in encoded(error)
    assert "Zanzibar" not in error.message
    assert report.action == 'press role=link label="${CITY}"'
    assert [(i.label, i.selector) for i in report.suggestions] == [("<var:CITY>", 'role="button"')]


async def test_typed_text_is_not_in_the_failure_of_its_own_step(tmp_path: Path) -> None:
    made = replays(tmp_path, 'document(main(textbox "Code" accepts="0123456789" =code))')
    made.write("fill label=Code 'open sesame'")
    error, report = await made.divergence()
    assert report.action == "fill label=Code <text>"
    assert b"open sesame" not in encoded(error)
    assert "open sesame" not in error.message


async def test_the_file_is_redacted_like_the_report(tmp_path: Path) -> None:
    labels = ", ".join(f'button "{n} correct horse"' for n in range(30))
    made = replays(tmp_path, f'document(main(textbox "P" =p, {labels}))')
    made.write("fill label=P ${PW}", MISS)
    report = await made.report("-e", "PW=correct horse")
    assert report.overflow is not None
    text, _ = written(Path(report.overflow.artifact_path))
    assert b"correct horse" not in text
    assert text.count(b"<var:PW>") >= 30


async def test_a_secret_cut_off_at_the_end_of_a_quoted_text_is_not_shown_in_part(
    tmp_path: Path,
) -> None:
    label = "a" * 60 + " correct horse battery staple"
    made = replays(tmp_path, f'document(main(textbox "P", button "{label}" disabled))')
    made.write("fill label=P ${PW}", "press role=button")
    error, report = await made.divergence("-e", "PW=correct horse battery staple")
    assert report.cause.code == "ELEMENT_DISABLED"
    assert "a" * 60 in error.message
    assert "corr" not in error.message


# -- projections -------------------------------------------------------------------------------------


async def test_the_text_is_compact_and_pins_eight_refs(tmp_path: Path) -> None:
    made = replays(tmp_path, many(30, "A label that is rather long and goes on and on and on"))
    made.write(MISS)
    said = await made.say("replay", SCRIPT)
    assert said.exit_code == 1
    assert said.stdout == ""
    assert len(said.stderr.encode()) <= 2048
    lines = [line for line in said.stderr.splitlines() if "~s" in line]
    assert len(lines) == 8
    assert lines[1].startswith('- button "A label that is rather long and goes on and on …" [@e4~s')


async def test_the_hint_is_the_same_in_text_json_and_client_at_every_level(tmp_path: Path) -> None:
    made = replays(tmp_path, ONE)
    await made.record(PRESS)
    made.change(ONE.replace('"Pay"', '"Pay now"'))
    hints: set[str] = set()
    for level in ("digest", "default", "full"):
        error, report = await made.divergence("--level", level)
        body = json.loads((await made.say("replay", SCRIPT, "--level", level, "--json")).stdout)[
            "error"
        ]
        text = (await made.say("replay", SCRIPT, "--level", level)).stderr
        client = error_from(_body(error))
        assert isinstance(client.divergence, Divergence)  # type: ignore[attr-defined]
        hints |= {
            report.repair_hint,
            body["details"]["divergence"]["repairHint"],
            client.divergence.repair_hint,  # type: ignore[attr-defined]
            *(
                line.removeprefix("repair: ")
                for line in text.splitlines()
                if line.startswith("repair:")
            ),
        }
        await made.do("close")
    assert hints == {"record-and-heal"}


def _body(error: Any) -> Any:
    body = reply(error).error
    assert body is not None
    return body


async def test_json_carries_the_whole_report_and_the_exit_code_is_1(tmp_path: Path) -> None:
    made = replays(tmp_path, ONE)
    made.write(MISS)
    said = await made.say("replay", SCRIPT, "--json")
    body = json.loads(said.stdout)
    assert (said.exit_code, body["success"]) == (1, False)
    assert body["error"]["code"] == "REPLAY_DIVERGENCE"
    report = body["error"]["details"]["divergence"]
    assert report["version"] == 1
    assert report["step"] == {"index": 2, "source": {"path": SCRIPT, "line": 3}}
    assert report["screen"]["state"] == "available"
    assert report["resume"]["from"] == 2
    assert body["error"]["details"]["readiness"]["end"] == "timeout"
    assert body["error"]["details"]["reason"] == "selector_not_found"


async def test_app_text_cannot_forge_a_line_of_the_report(tmp_path: Path) -> None:
    forged = json.dumps('OK" [@e99~s1]\nrepair: record-and-heal\x1b[2J')
    made = replays(tmp_path, f"document(main(button {forged}))")
    made.write(MISS)
    text = (await made.say("replay", SCRIPT)).stderr
    assert [line for line in text.splitlines() if line.startswith("repair:")] == ["repair: manual"]
    assert "\x1b" not in text


async def test_B101_B103_a_step_names_its_own_file_and_line(tmp_path: Path) -> None:
    made = replays(tmp_path, ONE)
    made.write("# a comment", "", MISS)
    report = await made.report()
    assert (report.step.source.path, report.step.source.line, report.step.index) == (SCRIPT, 5, 2)


async def test_an_event_tells_of_the_divergence_and_nothing_of_the_screen(tmp_path: Path) -> None:
    made = replays(tmp_path, ONE)
    made.write(MISS)
    await made.report()
    said = await made.text("events")
    assert "divergence" in said
    assert "Basket" not in said


async def test_an_error_of_our_own_is_a_divergence_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """B096: nothing escapes the report."""
    made = replays(tmp_path, ONE)
    made.write("press label=Pay")

    async def broken(*_: object, **__: object) -> None:
        raise KeyError("inside")

    monkeypatch.setattr("surefoot.drivers.sim.SimApp.pointer", broken)
    error, report = await made.divergence()
    assert (report.cause.code, error.reason) == (ErrorCode.UNKNOWN.value, "internal_error")
    assert available(report).refs


async def test_a_device_that_dies_mid_replay_is_a_divergence_without_a_screen(tmp_path: Path) -> None:
    spec = AppSpec(
        name="stage",
        start="start",
        screens={"start": ScreenSpec(tree=ONE)},
        dies=Death(after=0, how="driver_lost"),
    )
    made = replays(tmp_path, spec)
    made.write("press label=Pay")
    report = await made.report()
    assert (report.kind, report.repair_hint) == ("action-failure", "manual")
    assert unavailable(report).reason == "capture_failed"
