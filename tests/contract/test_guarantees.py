"""The guarantee table is true: complete, every function exists, every kept promise is run on its path.

contracts.md, "Interaction guarantees". A test claims cells with :func:`claims`; its :class:`Run` forces
the path, and the test fails unless that very path was taken (or left only as its delegation says).
"""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest
from tests.support.stage import NO_FAST_PATHS, Rule, Stage, app, point, selector, sets, stage

from surefoot.drivers import SettlePolicy
from surefoot.errors import SurefootError
from surefoot.interact import (
    GUARANTEES,
    ActOptions,
    Delegated,
    DispatchPath,
    Enforced,
    Guarantee,
    Inapplicable,
    Interaction,
    RefTarget,
    Target,
    Waived,
    drag,
    press,
)
from surefoot.session import parse_ref
from surefoot.wire import (
    DisambiguatedResolution,
    ExactResolution,
    LabelFallbackResolution,
    NotObservedResolution,
    UniqueResolution,
)

SELECTOR = DispatchPath.RUNTIME_SELECTOR
REF = DispatchPath.RUNTIME_REF
NATIVE = DispatchPath.NATIVE_REF
DIRECT = DispatchPath.DIRECT_SELECTOR
COORDINATE = DispatchPath.COORDINATE
FALLBACK = DispatchPath.NON_HITTABLE_FALLBACK
DRAG = DispatchPath.TARGET_DRAG

CLAIMS: dict[tuple[DispatchPath, Guarantee], list[str]] = {}


class Run:
    """Presses with the path forced and remembers which paths were really started on."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self.ran: set[DispatchPath] = set()

    async def stage(self, tree: str, *rules: Rule, fast: bool = False) -> Stage:
        without = () if fast else NO_FAST_PATHS
        return await stage(app(tree, *rules, without=without), self._directory)

    async def press(
        self, on: Stage, path: DispatchPath, target: Target, options: ActOptions | None = None
    ) -> Interaction:
        options = options or ActOptions()
        if path is FALLBACK:
            options = replace(options, coordinate_fallback=True)
        self.ran.add(path)
        done = await press(on.session, target, options=replace(options, path=path))
        if done.path is not path:
            cells = GUARANTEES[path].values()
            assert any(isinstance(cell, Delegated) and cell.path is done.path for cell in cells)
        return done

    async def drag(
        self, on: Stage, source: Target, destination: Target, options: ActOptions | None = None
    ) -> Interaction:
        self.ran.add(DRAG)
        done = await drag(on.session, source, destination, options=options or ActOptions())
        assert done.path is DRAG
        return done

    async def refused(
        self, on: Stage, path: DispatchPath, target: Target, options: ActOptions | None = None
    ) -> SurefootError:
        """The refusal; nothing at all reached the device."""
        with pytest.raises(SurefootError) as caught:
            await self.press(on, path, target, options)
        assert on.inputs() == []
        return caught.value


Body = Callable[[Run], Awaitable[None]]


def claims(
    path: DispatchPath, *guarantees: Guarantee
) -> Callable[[Body], Callable[[Path], Awaitable[None]]]:
    """The test proves these cells of ``path``; it fails when it never ran the path."""

    def decorate(body: Body) -> Callable[[Path], Awaitable[None]]:
        for guarantee in guarantees:
            CLAIMS.setdefault((path, guarantee), []).append(body.__name__)

        @functools.wraps(body)
        async def test(tmp_path: Path) -> None:
            run = Run(tmp_path)
            await body(run)
            assert path in run.ran, f"{body.__name__} claims {path} and never ran it"

        del test.__wrapped__  # pytest reads the outer signature
        return test

    return decorate


G = Guarantee
ALL_CELLS = [(path, guarantee) for path in DispatchPath for guarantee in Guarantee]
IDS = [f"{path}-{guarantee}" for path, guarantee in ALL_CELLS]


def test_table_has_every_path_and_every_guarantee_and_nothing_else() -> None:
    assert {path: set(row) for path, row in GUARANTEES.items()} == {
        path: set(Guarantee) for path in DispatchPath
    }


@pytest.mark.parametrize(("path", "guarantee"), ALL_CELLS, ids=IDS)
def test_cell_is_backed(path: DispatchPath, guarantee: Guarantee) -> None:
    cell = GUARANTEES[path][guarantee]
    if isinstance(cell, Enforced):
        module, _, name = cell.function.partition(":")
        assert callable(getattr(import_module(module), name))
    if isinstance(cell, Delegated):
        target = GUARANTEES[cell.path][guarantee]
        assert cell.path is not path
        assert isinstance(target, Enforced), "a delegation ends where the promise is kept"
    if isinstance(cell, Inapplicable | Waived | Delegated):
        assert len(cell.reason) > 20
    claimed = (path, guarantee) in CLAIMS
    assert claimed == isinstance(cell, Enforced | Delegated)


# -- runtime-selector ----------------------------------------------------------------------------


@claims(SELECTOR, G.RESOLUTION_DISCLOSURE, G.RESPONSE_CONSTRUCTION, G.RESPONSE_IDENTITY)
async def test_selector_discloses_a_unique_match_and_names_what_it_pressed(run: Run) -> None:
    on = await run.stage('document "App"(main(button "Pay" #pay =A, button "Go" =B))')
    done = await run.press(on, SELECTOR, selector('role=button label="Pay"'))
    assert done.data.resolution == UniqueResolution()
    assert done.data.target is not None
    assert (done.data.target.role, done.data.target.label, done.data.target.id) == (
        "button",
        "Pay",
        "pay",
    )
    assert on.pressed() == ["A"]


@claims(SELECTOR, G.DISAMBIGUATION, G.RESOLUTION_DISCLOSURE)
async def test_selector_collapses_one_wrapper_chain_and_says_so(run: Run) -> None:
    on = await run.stage('document "App"(main(group "Save" =out(button "Save" =in)))')
    done = await run.press(on, SELECTOR, selector('label="Save"'))
    resolution = done.data.resolution
    assert isinstance(resolution, DisambiguatedResolution)
    assert (resolution.match_count, resolution.tiebreak) == (2, "structural-equivalence")
    assert resolution.winner_diagnostic.role == "button"
    assert [other.role for other in resolution.alternatives] == ["group"]
    assert on.pressed() == ["in"]


@claims(SELECTOR, G.DISAMBIGUATION, G.ERROR_TAXONOMY)
async def test_b045_two_equal_buttons_are_never_chosen_between(run: Run) -> None:
    on = await run.stage('document "App"(main(button "Remove" =A, button "Remove" =B))')
    error = await run.refused(on, SELECTOR, selector('label="Remove"'))
    assert error.code == "AMBIGUOUS_MATCH"
    assert error.details["matchCount"] == 2
    assert [item["ref"] for item in error.details["candidates"]] == ["e3", "e4"]


@claims(SELECTOR, G.DISAMBIGUATION)
async def test_b046_seven_rows_show_five_candidates_and_two_more(run: Run) -> None:
    on = await run.stage('document "App"(main(button "Edit" =A repeat=7))')
    error = await run.refused(on, SELECTOR, selector('label="Edit"'))
    generation = error.details["refsGeneration"]
    assert error.details["candidateLines"] == [
        *(f'@e{n + 2}~s{generation} button "Edit" number {n} of 7' for n in range(1, 6)),
        "+2 more",
    ]
    assert "+2 more" in error.message
    done = await run.press(on, REF, RefTarget(parse_ref(f"@e4~s{generation}")))
    assert done.data.resolution == ExactResolution()


@claims(SELECTOR, G.OCCLUSION)
async def test_b042_covered_target_names_the_cover_and_its_ref(run: Run) -> None:
    on = await run.stage(
        'document "App"(main(button "Buy" =buy), dialog "Cookies" =c overlay(button "Accept" =ok))'
    )
    await on.snapshot()
    error = await run.refused(on, SELECTOR, selector('label="Buy"'))
    assert error.code == "ELEMENT_COVERED"
    assert error.details["reason"] == "covered"
    cover = error.details["coveredBy"]
    assert (cover["role"], cover["label"]) == ("dialog", "Cookies")
    assert cover["ref"] == on.ref("c").token.ref
    assert 'dialog "Cookies"' in error.message
    assert (await run.press(on, REF, on.ref("ok"))).path is REF  # the refusal kept the frame


@claims(SELECTOR, G.OCCLUSION)
async def test_b042_without_a_frame_the_cover_gets_a_ref_of_its_own(run: Run) -> None:
    on = await run.stage('document "App"(main(button "Buy" =buy), dialog "Cookies" =c overlay)')
    error = await run.refused(on, SELECTOR, selector('label="Buy"'))
    cover = error.details["coveredBy"]
    done = await run.press(on, REF, RefTarget(parse_ref(f"@{cover['ref']}~s{cover['refsGeneration']}")))
    assert done.targets[0].node.label == "Cookies"


@claims(SELECTOR, G.OCCLUSION)
async def test_b042_a_cover_the_frame_has_not_shown_yet_gets_its_ref_there(run: Run) -> None:
    on = await run.stage(
        'document "App"(main(button "One" =one), main(button "Two" =two),'
        ' region "R" =r(generic =g overlay))'
    )
    first = on.session.refs.publish_partial(await on.app.observe(), [1])
    error = await run.refused(on, SELECTOR, selector('label="Two"'))
    cover = error.details["coveredBy"]
    assert cover["refsGeneration"] == first.generation
    assert f"(@{cover['ref']}~s{first.generation})" in error.message
    frame = on.session.refs.frame
    assert frame is not None
    assert frame.active
    assert frame.issues(1)  # what was shown before stays
    assert frame.issues(int(cover["ref"][1:]) - 1)


@claims(SELECTOR, G.OCCLUSION)
async def test_b042_a_cover_that_came_after_the_snapshot_keeps_the_frame(run: Run) -> None:
    on = await run.stage(
        'document "App"(main(button "Buy" =buy), dialog "Cookies" =c overlay if=banner)'
    )
    await on.snapshot()
    on.app.device.variables["banner"] = "1"
    error = await run.refused(on, SELECTOR, selector('label="Buy"'))
    assert "ref" not in error.details["coveredBy"]
    assert error.hint.startswith("It came after the last snapshot")
    frame = on.session.refs.frame
    assert frame is not None
    assert frame.active


@claims(SELECTOR, G.OFFSCREEN)
async def test_selector_refuses_what_no_scrolling_reaches_with_its_direction(run: Run) -> None:
    on = await run.stage('document "App"(main(button "Far" =A offscreen))')
    error = await run.refused(on, SELECTOR, selector('label="Far"'))
    assert (error.code, error.reason) == ("ELEMENT_OFFSCREEN", "offscreen")
    assert error.details["direction"] in {"up", "down", "left", "right"}


@claims(SELECTOR, G.NON_HITTABLE)
async def test_b044_non_hittable_target_is_disclosed_with_a_hint(run: Run) -> None:
    on = await run.stage(
        'document "App"(main(img "HQ" =pin width=30 height=30, button "HQ, Main St" =row))'
    )
    done = await run.press(on, SELECTOR, selector('label="HQ"'))
    assert done.data.target_hittable is False
    assert done.data.hint is not None
    assert on.pressed() == ["pin"]


@claims(SELECTOR, G.VERIFY_EVIDENCE)
async def test_selector_verify_tells_what_changed(run: Run) -> None:
    on = await run.stage(
        'document "App"(main(button "Add" =A, status "Added" if=added))',
        sets("press", "A", "added"),
    )
    done = await run.press(on, SELECTOR, selector('label="Add"'), ActOptions(verify=True))
    assert done.data.verified is not None
    assert done.data.verified.changed is True
    assert done.data.verified.added_count >= 1


@claims(SELECTOR, G.ERROR_TAXONOMY)
async def test_selector_miss_is_typed(run: Run) -> None:
    on = await run.stage('document "App"(main(button "Go" =A))')
    error = await run.refused(on, SELECTOR, selector('label="Gone"'))
    assert (error.code, error.reason) == ("ELEMENT_NOT_FOUND", "selector_not_found")


@claims(SELECTOR, G.ERROR_TAXONOMY)
async def test_refusal_of_the_device_names_the_target_and_leaks_no_handle(run: Run) -> None:
    on = await run.stage('document "App"(main(button "Go" =A undelivered))')
    with pytest.raises(SurefootError) as caught:
        await run.press(on, SELECTOR, selector('label="Go"'))
    assert caught.value.reason == "not_delivered"
    assert 'button "Go"' in caught.value.message
    assert caught.value.details["target"] == {"role": "button", "label": "Go"}
    assert "handle" not in str(caught.value.details)


# -- runtime-ref ---------------------------------------------------------------------------------


@claims(REF, G.RESOLUTION_DISCLOSURE, G.RESPONSE_CONSTRUCTION, G.RESPONSE_IDENTITY)
async def test_ref_discloses_exact_and_names_what_it_pressed(run: Run) -> None:
    on = await run.stage('document "App"(main(button "Pay" =A, button "Go" =B))')
    await on.snapshot()
    done = await run.press(on, REF, on.ref("B"))
    assert done.data.resolution == ExactResolution()
    assert done.data.target is not None
    assert done.data.target.label == "Go"
    assert on.pressed() == ["B"]


@claims(REF, G.RESOLUTION_DISCLOSURE, G.DISAMBIGUATION)
async def test_ref_whose_element_is_gone_falls_back_to_its_label_and_says_so(run: Run) -> None:
    on = await run.stage(
        'document "App"(main(button "Send" =old if=!again, button "Send" =new if=again))',
    )
    await on.snapshot()
    target = on.ref("old", "Send")
    on.set("again")
    done = await run.press(on, REF, target)
    assert done.data.resolution == LabelFallbackResolution()
    assert on.pressed() == ["new"]


@claims(REF, G.DISAMBIGUATION, G.ERROR_TAXONOMY)
async def test_label_fallback_refuses_several_as_a_selector_would(run: Run) -> None:
    on = await run.stage(
        'document "App"(main(button "Send" =old if=!again, button "Send" =A if=again,'
        ' button "Send" =B if=again))',
    )
    await on.snapshot()
    target = on.ref("old", "Send")
    on.set("again")
    error = await run.refused(on, REF, target)
    assert (error.code, error.details["matchCount"]) == ("AMBIGUOUS_MATCH", 2)


@claims(REF, G.RESPONSE_IDENTITY, G.ERROR_TAXONOMY)
async def test_b001_ref_stays_with_its_element_when_another_is_put_before_it(run: Run) -> None:
    on = await run.stage(
        'document "App"(main(button "New" =N if=more, button "Alpha" =A, button "Beta" =B))'
    )
    frame = await on.snapshot()
    beta = on.ref("B")
    on.set("more")
    done = await run.press(on, REF, beta)
    assert on.pressed() == ["B"]
    assert done.data.target is not None
    assert done.data.target.label == "Beta"
    assert frame.generation == on.session.refs.generation


@claims(REF, G.ERROR_TAXONOMY)
async def test_b008_ref_of_an_element_that_was_replaced_is_refused_with_its_generation(
    run: Run,
) -> None:
    on = await run.stage('document "Chat"(main(button "Send" =A if=!x, button "Send" =B if=x))')
    frame = await on.snapshot()
    target = on.ref("A")
    on.set("x")
    error = await run.refused(on, REF, target)
    assert (error.code, error.reason) == ("COMMAND_FAILED", "ref_target_gone")
    assert error.details["currentGeneration"] == frame.generation


@claims(REF, G.OCCLUSION)
async def test_ref_of_a_covered_element_is_refused(run: Run) -> None:
    on = await run.stage('document "App"(main(button "Buy" =A), dialog "Cookies" =c overlay)')
    await on.snapshot()
    error = await run.refused(on, REF, on.ref("A"))
    assert error.code == "ELEMENT_COVERED"


@claims(REF, G.OFFSCREEN)
async def test_ref_of_an_unreachable_element_is_refused(run: Run) -> None:
    on = await run.stage('document "App"(main(button "Far" =A offscreen))')
    await on.snapshot()
    assert (await run.refused(on, REF, on.ref("A"))).code == "ELEMENT_OFFSCREEN"


@claims(REF, G.NON_HITTABLE)
async def test_ref_of_a_non_hittable_element_is_disclosed(run: Run) -> None:
    on = await run.stage('document "App"(main(img "HQ" =A width=30 height=30))')
    await on.snapshot()
    assert (await run.press(on, REF, on.ref("A"))).data.target_hittable is False


@claims(REF, G.VERIFY_EVIDENCE)
async def test_ref_verify_says_when_nothing_changed(run: Run) -> None:
    on = await run.stage('document "App"(main(heading "Still" =A))')
    await on.snapshot()
    done = await run.press(on, REF, on.ref("A"), ActOptions(verify=True))
    assert done.data.verified is not None
    assert done.data.verified.changed is False


# -- native-ref ----------------------------------------------------------------------------------


@claims(NATIVE, G.RESOLUTION_DISCLOSURE, G.RESPONSE_CONSTRUCTION, G.RESPONSE_IDENTITY)
async def test_native_ref_presses_without_looking_and_discloses_exact(run: Run) -> None:
    on = await run.stage('document "App"(main(button "Pay" =A))', fast=True)
    await on.snapshot()
    captures = on.session.cost.captures
    done = await run.press(on, NATIVE, on.ref("A"))
    assert done.data.resolution == ExactResolution()
    assert done.data.target is not None
    assert done.data.target.label == "Pay"
    assert on.pressed() == ["A"]
    assert on.session.cost.captures == captures


@claims(NATIVE, G.OCCLUSION)
async def test_native_ref_of_a_covered_element_is_refused(run: Run) -> None:
    on = await run.stage(
        'document "App"(main(button "Buy" =A), dialog "Cookies" =c overlay)', fast=True
    )
    await on.snapshot()
    assert (await run.refused(on, NATIVE, on.ref("A"))).code == "ELEMENT_COVERED"


@claims(NATIVE, G.OFFSCREEN)
async def test_native_ref_of_an_unreachable_element_is_refused(run: Run) -> None:
    on = await run.stage('document "App"(main(button "Far" =A offscreen))', fast=True)
    await on.snapshot()
    assert (await run.refused(on, NATIVE, on.ref("A"))).code == "ELEMENT_OFFSCREEN"


@claims(NATIVE, G.NON_HITTABLE)
async def test_native_ref_of_a_non_hittable_element_is_disclosed(run: Run) -> None:
    on = await run.stage('document "App"(main(img "HQ" =A width=30 height=30))', fast=True)
    await on.snapshot()
    assert (await run.press(on, NATIVE, on.ref("A"))).data.target_hittable is False


@claims(NATIVE, G.ERROR_TAXONOMY)
async def test_native_ref_of_an_element_that_is_gone_is_typed_and_named(run: Run) -> None:
    on = await run.stage('document "App"(main(button "Send" =A if=!x))', fast=True)
    await on.snapshot()
    target = on.ref("A")
    on.set("x")
    error = await run.refused(on, NATIVE, target)
    assert (error.code, error.reason) == ("ELEMENT_NOT_FOUND", "node_detached")
    assert 'button "Send"' in error.message


@claims(NATIVE, G.VERIFY_EVIDENCE)
async def test_native_ref_with_verify_is_a_runtime_ref(run: Run) -> None:
    on = await run.stage('document "App"(main(button "Pay" =A))', fast=True)
    await on.snapshot()
    await run.press(on, NATIVE, on.ref("A"))
    await on.snapshot()
    done = await press(on.session, on.ref("A"), options=ActOptions(verify=True))
    assert done.path is REF
    assert done.data.verified is not None


# -- direct-ios-selector -------------------------------------------------------------------------


@claims(DIRECT, G.RESOLUTION_DISCLOSURE, G.RESPONSE_CONSTRUCTION)
async def test_direct_selector_presses_without_looking_and_claims_nothing(run: Run) -> None:
    on = await run.stage('document "App"(main(button "Pay" =A))', fast=True)
    done = await run.press(on, DIRECT, selector('role=button label="Pay"'))
    assert done.data.resolution == NotObservedResolution()
    assert done.data.target is None
    assert on.pressed() == ["A"]
    assert on.session.cost.captures == 0


@claims(DIRECT, G.DISAMBIGUATION)
async def test_direct_selector_leaves_several_raw_matches_to_the_structural_rule(run: Run) -> None:
    on = await run.stage('document "App"(main(group "Save" =out(button "Save" =in)))', fast=True)
    done = await run.press(on, DIRECT, selector('label="Save"'))
    assert done.path is SELECTOR
    assert isinstance(done.data.resolution, DisambiguatedResolution)
    assert on.pressed() == ["in"]
    both = await run.stage('document "App"(main(button "Go" =A, button "Go" =B))', fast=True)
    error = await run.refused(both, DIRECT, selector('label="Go"'))
    assert error.code == "AMBIGUOUS_MATCH"
    assert len(error.details["candidates"]) == 2


@claims(DIRECT, G.OCCLUSION)
async def test_direct_selector_of_a_covered_element_is_refused_by_the_runtime(run: Run) -> None:
    on = await run.stage(
        'document "App"(main(button "Buy" =A), dialog "Cookies" =c overlay)', fast=True
    )
    error = await run.refused(on, DIRECT, selector('label="Buy"'))
    assert error.code == "ELEMENT_COVERED"
    assert error.details["coveredBy"]["label"] == "Cookies"


@claims(DIRECT, G.OFFSCREEN)
async def test_direct_selector_of_an_unreachable_element_is_refused_by_the_runtime(run: Run) -> None:
    on = await run.stage('document "App"(main(button "Far" =A offscreen))', fast=True)
    error = await run.refused(on, DIRECT, selector('label="Far"'))
    assert (error.code, error.reason) == ("ELEMENT_OFFSCREEN", "offscreen")


@claims(DIRECT, G.NON_HITTABLE)
async def test_direct_selector_of_a_non_hittable_element_is_pressed_and_disclosed_by_the_runtime(
    run: Run,
) -> None:
    on = await run.stage('document "App"(main(img "HQ" =A width=30 height=30))', fast=True)
    done = await run.press(on, DIRECT, selector('label="HQ"'))
    assert (done.path, done.data.target_hittable) == (SELECTOR, False)


@claims(DIRECT, G.VERIFY_EVIDENCE)
async def test_direct_selector_with_verify_is_a_runtime_selector(run: Run) -> None:
    on = await run.stage('document "App"(main(button "Pay" =A))', fast=True)
    await run.press(on, DIRECT, selector('label="Pay"'))
    done = await press(on.session, selector('label="Pay"'), options=ActOptions(verify=True))
    assert done.path is SELECTOR
    assert done.data.verified is not None


@claims(DIRECT, G.ERROR_TAXONOMY)
async def test_direct_selector_failure_is_typed_and_expires_the_frame(run: Run) -> None:
    on = await run.stage('document "App"(main(button "Pay" =A undelivered))', fast=True)
    await on.snapshot()
    with pytest.raises(SurefootError) as caught:
        await run.press(on, DIRECT, selector('label="Pay"'))
    assert (caught.value.code, caught.value.reason) == ("COMMAND_FAILED", "not_delivered")
    frame = on.session.refs.frame
    assert frame is not None
    assert not frame.active


# -- coordinate ----------------------------------------------------------------------------------


@claims(COORDINATE, G.RESPONSE_CONSTRUCTION)
async def test_coordinate_press_resolves_nothing_and_says_where(run: Run) -> None:
    on = await run.stage('document "App"(main(button "Pay" =A rect=10:10:100:40))')
    done = await run.press(on, COORDINATE, point(20, 20))
    assert done.data.resolution is None
    assert done.data.target is None
    assert done.data.point is not None
    assert (done.data.point.x, done.data.point.y) == (20, 20)
    assert on.pressed() == ["A"]


@claims(COORDINATE, G.OFFSCREEN)
async def test_coordinate_outside_the_screen_is_refused(run: Run) -> None:
    on = await run.stage('document "App"(main(button "Pay" =A))')
    error = await run.refused(on, COORDINATE, point(20, 6_000))
    assert (error.code, error.reason) == ("ELEMENT_OFFSCREEN", "point_outside_viewport")
    assert error.details["direction"] == "down"


@claims(COORDINATE, G.VERIFY_EVIDENCE)
async def test_coordinate_verify_tells_what_changed(run: Run) -> None:
    on = await run.stage(
        'document "App"(main(button "Add" =A rect=10:10:100:40, status "Added" if=added))',
        sets("press", "A", "added"),
    )
    done = await run.press(on, COORDINATE, point(20, 20), ActOptions(verify=True))
    assert done.data.verified is not None
    assert done.data.verified.changed is True


@claims(COORDINATE, G.ERROR_TAXONOMY)
async def test_coordinate_failure_of_the_device_is_typed(run: Run) -> None:
    on = await run.stage('document "App"(main(button "Pay" =A rect=10:10:100:40 undelivered))')
    with pytest.raises(SurefootError) as caught:
        await run.press(on, COORDINATE, point(20, 20))
    assert (caught.value.code, caught.value.reason) == ("COMMAND_FAILED", "not_delivered")


# -- maestro-non-hittable-fallback ---------------------------------------------------------------


@claims(FALLBACK, G.RESPONSE_CONSTRUCTION)
async def test_executed_fallback_carries_no_resolution(run: Run) -> None:
    on = await run.stage('document "App"(main(img "HQ" =A width=30 height=30))', fast=True)
    done = await run.press(on, FALLBACK, selector('label="HQ"'))
    assert done.path is FALLBACK
    assert done.data.resolution is None
    assert done.data.point is not None


@claims(DIRECT, G.RESOLUTION_DISCLOSURE)
async def test_allowed_but_not_taken_fallback_is_the_direct_path(run: Run) -> None:
    on = await run.stage('document "App"(main(button "Pay" =A))', fast=True)
    done = await run.press(on, DIRECT, selector('label="Pay"'), ActOptions(coordinate_fallback=True))
    assert done.path is DIRECT
    assert done.data.resolution == NotObservedResolution()


@claims(FALLBACK, G.VERIFY_EVIDENCE)
async def test_fallback_with_verify_is_a_runtime_selector(run: Run) -> None:
    on = await run.stage('document "App"(main(img "HQ" =A width=30 height=30))', fast=True)
    await run.press(on, FALLBACK, selector('label="HQ"'))
    options = ActOptions(verify=True, coordinate_fallback=True)
    done = await press(on.session, selector('label="HQ"'), options=options)
    assert done.path is SELECTOR
    assert done.data.verified is not None


@claims(FALLBACK, G.ERROR_TAXONOMY)
async def test_fallback_keeps_the_refusal_of_the_platform_typed(run: Run) -> None:
    on = await run.stage('document "App"(main(img "HQ" =A, img "HQ" =B))', fast=True)
    error = await run.refused(on, FALLBACK, selector('label="HQ"'))
    assert (error.code, error.reason) == ("AMBIGUOUS_MATCH", "several_raw_matches")


# -- target-drag ---------------------------------------------------------------------------------

BOARD = 'document "Board"(main(listitem "Task" =t hittable, list "Done" =d(listitem "Old" =o)))'


@claims(DRAG, G.RESOLUTION_DISCLOSURE, G.RESPONSE_CONSTRUCTION, G.RESPONSE_IDENTITY)
async def test_drag_discloses_both_ends(run: Run) -> None:
    on = await run.stage(BOARD)
    await on.snapshot()
    done = await run.drag(on, on.ref("t"), selector('role=list label="Done"'))
    assert done.data.resolution == ExactResolution()
    assert done.data.target is not None
    assert done.data.target.label == "Task"
    assert done.data.destination is not None
    assert done.data.destination.resolution == UniqueResolution()
    assert done.data.destination.target is not None
    assert done.data.destination.target.label == "Done"
    assert [resolved.node.label for resolved in done.targets] == ["Task", "Done"]
    assert on.inputs() == ["drag"]


async def refused_drag(run: Run, on: Stage, source: Target, destination: Target) -> SurefootError:
    with pytest.raises(SurefootError) as caught:
        await run.drag(on, source, destination)
    assert on.inputs() == []
    return caught.value


@claims(DRAG, G.DISAMBIGUATION, G.ERROR_TAXONOMY)
async def test_drag_refuses_before_pointer_down_when_either_end_is_ambiguous(run: Run) -> None:
    on = await run.stage('document "App"(main(listitem "A" =a, listitem "B" =b, listitem "B" =c))')
    for source, destination in (("A", "B"), ("B", "A")):
        error = await refused_drag(
            run, on, selector(f"label={source}"), selector(f"label={destination}")
        )
        assert error.code == "AMBIGUOUS_MATCH"


@claims(DRAG, G.OCCLUSION)
async def test_drag_onto_a_covered_element_is_refused(run: Run) -> None:
    on = await run.stage(
        'document "App"(main(listitem "A" =a, listitem "B" =b covered=x), dialog "X" =x)'
    )
    error = await refused_drag(run, on, selector("label=A"), selector("label=B"))
    assert error.code == "ELEMENT_COVERED"


@claims(DRAG, G.OFFSCREEN)
async def test_drag_from_an_unreachable_element_is_refused(run: Run) -> None:
    on = await run.stage('document "App"(main(listitem "A" =a offscreen, listitem "B" =b))')
    error = await refused_drag(run, on, selector("label=A"), selector("label=B"))
    assert error.code == "ELEMENT_OFFSCREEN"


@claims(DRAG, G.VERIFY_EVIDENCE)
async def test_drag_verify_tells_what_changed(run: Run) -> None:
    on = await run.stage(
        'document "App"(main(listitem "A" =a, listitem "B" =b, status "Moved" if=moved))',
        sets("drop", "b", "moved"),
    )
    done = await run.drag(on, selector("label=A"), selector("label=B"), ActOptions(verify=True))
    assert done.data.verified is not None
    assert done.data.verified.changed is True


# -- fast paths are never taken where something must be observed -----------------------------------

OBSERVING: dict[str, ActOptions] = {
    "verify": ActOptions(verify=True),
    "settle": ActOptions(settle=SettlePolicy()),
    "guarded replay": ActOptions(guard=lambda *_: None),
    "evidence decides": ActOptions(decide=lambda *_: None),
    "readiness": ActOptions(readiness_ms=100),
}


@pytest.mark.parametrize("options", OBSERVING.values(), ids=OBSERVING.keys())
@pytest.mark.parametrize("path", [NATIVE, DIRECT, FALLBACK])
async def test_fast_path_is_never_taken_with(
    path: DispatchPath, options: ActOptions, tmp_path: Path
) -> None:
    on = await stage(app('document "App"(main(button "Pay" =A))'), tmp_path)
    await on.snapshot()
    target: Target = on.ref("A") if path is NATIVE else selector('label="Pay"')
    done = await press(on.session, target, options=options)
    assert done.path in {SELECTOR, REF}
    with pytest.raises(SurefootError) as caught:
        await press(on.session, target, options=replace(options, path=path))
    assert caught.value.reason == "path_not_admissible"


class _Armed:
    kind = "authoring"
    active = True


@pytest.mark.parametrize("by_ref", [True, False], ids=["native", "direct"])
async def test_fast_path_is_never_taken_while_recording(by_ref: bool, tmp_path: Path) -> None:
    on = await stage(app('document "App"(main(button "Pay" =A))'), tmp_path)
    on.session.recording = _Armed()
    await on.snapshot()
    done = await press(on.session, on.ref("A") if by_ref else selector('label="Pay"'))
    assert done.path in {SELECTOR, REF}
    assert len(done.targets) == 1
