"""The changes a recorded step is tried against, and what is said of the ones it does not survive."""

from __future__ import annotations

import msgspec
import pytest

from surefoot.check import (
    MAX_NODES,
    MUTATIONS,
    Judged,
    Manner,
    Robustness,
    Target,
    Trial,
    assess,
    judge,
    merged,
    try_step,
)
from surefoot.identity import IdentityView, record_landmark, record_target
from surefoot.selectors import build_chain, parse_selector
from surefoot.tree import Node, Tree


def tree(*rows: tuple[int, str, str] | tuple[int, str, str, str]) -> Tree:
    """Nodes by parent, role, label and id."""
    nodes: list[Node] = []
    for index, (parent, role, label, *more) in enumerate(rows):
        nodes.append(
            Node(
                index=index,
                parent=parent,
                depth=0 if parent < 0 else nodes[parent].depth + 1,
                role=role,
                handle=f"h{index}",
                label=label,
                id=more[0] if more else "",
                editable=role == "textbox",
            )
        )
    return Tree(nodes)


ROWS = tree(
    (-1, "document", "Shop"),
    (0, "main", ""),
    (1, "heading", "Orders"),
    (1, "list", ""),
    (3, "listitem", ""),
    (4, "text", "Ada"),
    (4, "button", "Open"),
    (3, "listitem", ""),
    (7, "text", "Bob"),
    (7, "button", "Open"),
    (1, "form", ""),
    (10, "button", "Save", "save"),
    (0, "status", "Ready"),
)
ADA_OPEN, BOB_OPEN, SAVE, READY = 6, 9, 11, 12


def trial(at: int, *, annotated: bool = True, source: Tree = ROWS, manner: Manner = "act") -> Trial:
    node = source[at]
    view = IdentityView(source)
    write = record_landmark if manner == "landmark" else record_target
    return Trial(
        step=1,
        command="press",
        label=node.label,
        tree=source,
        at=at,
        target=Target(
            selector=build_chain(source, node).selector,
            evidence=write(view, node) if annotated else None,
            manner=manner,
        ),
    )


def weak(found: Trial) -> dict[str, tuple[str, str]]:
    return {one.mutation: (one.outcome, one.reason) for one in try_step(found).weaknesses}


# -- the changes ---------------------------------------------------------------------------------------


def labels(changed: Tree) -> list[str]:
    return [node.label for node in changed if node.label]


@pytest.mark.parametrize("name", MUTATIONS)
@pytest.mark.parametrize("at", [ADA_OPEN, BOB_OPEN, SAVE, READY])
def test_a_changed_capture_is_a_sound_tree_that_still_holds_the_element(name: str, at: int) -> None:
    changed = MUTATIONS[name](ROWS, ROWS[at])  # type: ignore[index]
    if changed is None:
        assert (name, at == SAVE) == ("id-dropped", False)
        return
    assert changed.tree[changed.at].handle == ROWS[at].handle
    for index, node in enumerate(changed.tree):
        assert node.index == index
        assert -1 <= node.parent < index or node.parent == -1
        assert node.depth == (0 if node.parent < 0 else changed.tree[node.parent].depth + 1)
    fresh = Tree(changed.tree.nodes)
    for derived in ("labels", "values", "siblings", "subtree_ends", "regions", "by_role", "ids"):
        assert getattr(changed.tree, derived) == getattr(fresh, derived), derived


def test_a_row_is_inserted_before_the_one_the_element_stands_in() -> None:
    changed = MUTATIONS["row-inserted"](ROWS, ROWS[ADA_OPEN])
    assert changed is not None
    assert labels(changed.tree)[2:6] == ["Neu hinzugefügt", "Open", "Ada", "Open"]


def test_without_a_row_a_line_of_text_is_inserted() -> None:
    changed = MUTATIONS["row-inserted"](ROWS, ROWS[SAVE])
    assert changed is not None
    assert labels(changed.tree)[-3:] == ["Neu hinzugefügt", "Save", "Ready"]


def test_a_wrapper_goes_around_everything_beside_the_element() -> None:
    changed = MUTATIONS["wrapper-added"](ROWS, ROWS[READY])
    assert changed is not None
    wrapper = changed.tree.parent(changed.tree[changed.at])
    assert wrapper is not None
    assert (wrapper.role, wrapper.parent) == ("generic", 0)
    assert [node.role for node in changed.tree.children(wrapper)] == ["main", "status"]


def test_the_nearest_label_beside_the_element_is_renamed() -> None:
    changed = MUTATIONS["sibling-renamed"](ROWS, ROWS[ADA_OPEN])
    assert changed is not None
    assert labels(changed.tree)[2:4] == ["Umbenannt", "Open"]


def test_the_label_is_translated_with_the_same_words_inside() -> None:
    both = tree((-1, "document", ""), (0, "button", "Save"), (1, "text", "Save"), (0, "text", "Save"))
    changed = MUTATIONS["label-translated"](both, both[1])
    assert changed is not None
    assert labels(changed.tree) == ["Übersetzt", "Übersetzt", "Save"]


def test_the_original_capture_is_never_touched() -> None:
    before = [repr(node) for node in ROWS]
    assess([trial(at) for at in (ADA_OPEN, BOB_OPEN, SAVE, READY)])
    assert [repr(node) for node in ROWS] == before


# -- the verdicts --------------------------------------------------------------------------------------


def test_a_button_in_a_row_survives_what_leaves_its_row_alone() -> None:
    assert weak(trial(BOB_OPEN)) == {
        "sibling-renamed": ("refuses", "identity-mismatch"),
        "label-translated": ("refuses", "identity-mismatch"),
    }


def test_an_element_with_an_id_survives_a_translation_and_not_the_loss_of_its_id() -> None:
    assert weak(trial(SAVE)) == {"id-dropped": ("refuses", "identity-mismatch")}


def test_a_step_without_evidence_takes_another_element_for_its_own() -> None:
    one = Trial(
        step=1,
        command="get",
        label="Ready",
        tree=ROWS,
        at=READY,
        target=Target(selector=parse_selector("label=Ready || role=text"), evidence=None),
    )
    twin = tree((-1, "document", ""), (0, "text", "Ready"), (0, "button", "Go"))
    assert weak(trial(1, source=twin, annotated=False)) == {
        "label-translated": ("refuses", "selector-miss")
    }
    assert weak(one) == {"label-translated": ("refuses", "ambiguous")}
    alone = tree((-1, "document", ""), (0, "button", "Buy", "buy"))
    by_role = Trial(
        step=1,
        command="press",
        label="Buy",
        tree=alone,
        at=1,
        target=Target(selector=parse_selector('label="Buy" || role=text'), evidence=None),
    )
    two = tree((-1, "document", ""), (0, "button", "Buy"), (0, "text", "Tax"))
    mistaken = Trial(step=1, command="press", label="Buy", tree=two, at=1, target=by_role.target)
    assert weak(mistaken) == {"label-translated": ("mistakes", "another-element")}


def test_a_step_that_the_page_as_it_was_refuses_survives_nothing() -> None:
    one = trial(BOB_OPEN, annotated=False)
    tried = try_step(one)
    assert tried.survived == 0
    assert [(item.mutation, item.reason) for item in tried.weaknesses] == [("unchanged", "ambiguous")]


def test_a_landmark_is_compared_by_its_identity_alone() -> None:
    assert weak(trial(READY, manner="landmark")) == {"label-translated": ("refuses", "selector-miss")}


def test_a_focused_element_needs_no_selector() -> None:
    source = Tree(
        [
            Node(index=0, parent=-1, depth=0, role="document", handle="a"),
            Node(index=1, parent=0, depth=1, role="textbox", handle="b", label="Name", focused=True),
        ]
    )
    evidence = record_target(IdentityView(source), source[1])
    one = Trial(
        step=1,
        command="type",
        label="Name",
        tree=source,
        at=1,
        target=Target(selector=None, evidence=evidence),
    )
    assert weak(one) == {"label-translated": ("refuses", "identity-mismatch")}


# -- bounds and totals ---------------------------------------------------------------------------------


def test_the_score_counts_survived_changes_in_percent() -> None:
    found = assess([trial(SAVE), trial(BOB_OPEN)])
    assert (found.trials, found.survived, found.score) == (9, 6, 66)


def test_nothing_tried_has_no_score() -> None:
    assert Robustness().score is None


def test_steps_past_the_time_are_counted_and_not_tried() -> None:
    turns = iter([True, False, False])
    found = assess([trial(SAVE)] * 3, lambda: next(turns))
    assert (len(found.steps), found.untried) == (1, 2)


def test_a_capture_that_is_too_large_is_not_tried() -> None:
    large = Tree(
        [
            Node(index=at, parent=(at and 0) or -1, depth=min(at, 1), role="text", handle=str(at))
            for at in range(MAX_NODES + 1)
        ]
    )
    one = Trial(
        step=1,
        command="press",
        label=None,
        tree=large,
        at=1,
        target=Target(selector=parse_selector("role=text"), evidence=None),
    )
    assert assess([one]).untried == 1


def test_parts_of_a_recording_are_merged_in_the_order_of_its_steps() -> None:
    late = assess([msgspec.structs.replace(trial(SAVE), step=5)])
    early = assess([msgspec.structs.replace(trial(SAVE), step=2)])
    whole = merged([late, early, Robustness(untried=3)])
    assert ([one.step for one in whole.steps], whole.untried) == ([2, 5], 3)


# -- the judge -----------------------------------------------------------------------------------------


def judged(selector: str, manner: Manner = "act", source: Tree = ROWS) -> Judged:
    target = Target(selector=parse_selector(selector), evidence=None, manner=manner)
    return judge(IdentityView(source), target)


@pytest.mark.parametrize(
    ("selector", "manner", "refusal"),
    [
        ("label=Nobody", "act", "selector-miss"),
        ("label=Nobody", "landmark", "selector-miss"),
        ("label=Open", "act", "ambiguous"),
        ("label=Open", "read", "ambiguous"),
    ],
)
def test_a_step_without_evidence_is_refused_as_live(
    selector: str, manner: Manner, refusal: str
) -> None:
    assert judged(selector, manner).refusal == refusal


def test_a_wait_takes_the_first_of_several() -> None:
    assert judged("label=Open", "landmark").node is ROWS[ADA_OPEN]


def test_evidence_decides_among_several() -> None:
    evidence = record_target(IdentityView(ROWS), ROWS[BOB_OPEN])
    target = Target(selector=parse_selector("label=Open"), evidence=evidence)
    found = judge(IdentityView(ROWS), target)
    assert (found.node, found.by_evidence, found.match_count) == (ROWS[BOB_OPEN], True, 2)


def test_a_landmark_that_is_unverifiable_is_refused() -> None:
    evidence = record_landmark(IdentityView(ROWS), ROWS[READY])
    assert evidence is not None
    broken = msgspec.structs.replace(evidence, verification="unverifiable")
    target = Target(selector=parse_selector("label=Ready"), evidence=broken, manner="landmark")
    assert judge(IdentityView(ROWS), target).refusal == "identity-unverifiable"
