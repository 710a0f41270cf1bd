"""Addresses: exact equality, what takes no part in it, and the token's one spelling."""

from __future__ import annotations

import base64
import json

import msgspec
import pytest
from tests.support.compositions import closure_of, digest_of, fragment, load, pinned, root

from surefoot.compose import (
    Address,
    ComposedPlan,
    ControlEntry,
    ControlNode,
    FragmentOwner,
    Invocation,
    RootOwner,
    StepNode,
    address_json,
    address_token,
    parse_token,
    walk_closure,
)
from surefoot.errors import SurefootError

DIGEST = "sha256:" + "ab" * 32
ROOT = Address(owner=RootOwner(format="ad", composition_digest=DIGEST), local_step=2)
NESTED = Address(
    owner=FragmentOwner(format="ad", fragment_digest=DIGEST),
    invocation_path=(Invocation(call_site_id="login-entry"), Invocation(call_site_id="auth-step")),
    control_path=(ControlEntry(control_id="submit-retry", iteration=1),),
    local_step=3,
)


def _two_calls() -> ComposedPlan:
    lines = ("@include first ./a.ad", "press id=between", "@include second ./a.ad")
    return load(pinned({"main.ad": root(*lines), "a.ad": fragment("press id=a")}))


def test_wire_shape_of_a_nested_address() -> None:
    assert address_json(NESTED) == {
        "version": 1,
        "owner": {"kind": "fragment", "format": "ad", "fragmentDigest": DIGEST},
        "invocationPath": [
            {"callSiteId": "login-entry", "iteration": 0},
            {"callSiteId": "auth-step", "iteration": 0},
        ],
        "controlPath": [{"controlId": "submit-retry", "iteration": 1}],
        "localStep": 3,
    }


def test_wire_shape_of_a_root_address() -> None:
    assert address_json(ROOT)["owner"] == {
        "kind": "root",
        "format": "ad",
        "compositionDigest": DIGEST,
    }


def test_two_invocations_share_a_digest_and_not_an_address() -> None:
    presses = [step for step in _two_calls().steps if step.step.positionals == ("id=a",)]
    assert presses[0].address.owner == presses[1].address.owner
    assert presses[0].address.local_step == presses[1].address.local_step == 2
    assert [step.address.invocation_path[0].call_site_id for step in presses] == ["first", "second"]
    assert presses[0].address != presses[1].address


def test_includes_take_no_local_step_of_their_parent() -> None:
    roots = [step for step in _two_calls().steps if step.is_root]
    assert [(step.step.command, step.address.local_step) for step in roots] == [
        ("open", 1),
        ("press", 2),
        ("close", 3),
    ]


def test_entry_guard_is_local_step_one_and_the_root_has_none() -> None:
    steps = _two_calls().steps
    assert [step.display_ordinal for step in steps if step.is_entry_guard] == [2, 5]
    assert all(step.address.local_step == 1 for step in steps if step.is_entry_guard)


def test_inserted_earlier_include_leaves_the_addresses_of_later_fragments_alone() -> None:
    one = {"main.ad": root("@include late ./late.ad"), "late.ad": fragment("press id=a")}
    two = {
        **one,
        "main.ad": root("@include early ./early.ad", "@include late ./late.ad"),
        "early.ad": fragment("press id=b", label="Other"),
    }
    before = [step.address for step in load(pinned(one)).steps if not step.is_root]
    after = [step.address for step in load(pinned(two)).steps if not step.is_root]
    assert after[2:] == before


def test_provenance_names_every_include_and_takes_no_part_in_equality() -> None:
    sources = {
        "flows/main.ad": root("@include a ../f/a.ad"),
        "f/a.ad": fragment("@include b ./b.ad"),
        "f/b.ad": fragment("press id=b", label="Deep"),
    }
    plain = load(pinned(sources), "flows/main.ad").steps[-2]
    where = plain.provenance
    assert [(place.path, place.line) for place in where.invocation_sources] == [
        ("flows/main.ad", 5),
        ("f/a.ad", 6),
    ]
    assert (where.step_source.path, where.step_source.line) == ("f/b.ad", 5)
    moved = {**sources, "f/b.ad": "# note\n\n" + sources["f/b.ad"]}
    other = load(pinned(moved), "flows/main.ad").steps[-2]
    assert other.provenance.step_source.line == 7
    assert other.address == plain.address


def test_global_position_is_nowhere_in_an_address() -> None:
    for step in _two_calls().steps:
        assert set(address_json(step.address)) == {
            "version",
            "owner",
            "invocationPath",
            "controlPath",
            "localStep",
        }


@pytest.mark.parametrize(
    "other",
    [
        msgspec.structs.replace(NESTED, version=2),
        msgspec.structs.replace(NESTED, local_step=4),
        msgspec.structs.replace(NESTED, control_path=()),
        NESTED.in_round("submit-retry", 2),
        msgspec.structs.replace(NESTED, invocation_path=NESTED.invocation_path[::-1]),
        msgspec.structs.replace(NESTED, owner=FragmentOwner(format="maestro", fragment_digest=DIGEST)),
        msgspec.structs.replace(NESTED, owner=RootOwner(format="ad", composition_digest=DIGEST)),
    ],
)
def test_every_field_counts_in_equality(other: Address) -> None:
    assert other != NESTED


def test_repeated_logical_steps_have_distinct_control_paths() -> None:
    closure = closure_of(pinned({"main.ad": root("@include a ./a.ad"), "a.ad": fragment("press id=a")}))
    unit = closure.units["a.ad"]
    steps = [node for node in unit.nodes if isinstance(node, StepNode)]
    control = ControlNode(kind="repeat", control_id="again", nodes=(steps[1],))
    closure.units["a.ad"] = msgspec.structs.replace(unit, nodes=(steps[0], control))
    graph = walk_closure(closure)
    plan = load(pinned({"main.ad": root("@include a ./a.ad"), "a.ad": fragment("press id=a")}))
    repeated = msgspec.structs.replace(plan, graph=graph).steps[2].address
    assert repeated.control_path == (ControlEntry(control_id="again"),)
    rounds = [repeated.in_round("again", at) for at in range(3)]
    assert len(set(rounds)) == 3
    assert [address.is_first_round for address in rounds] == [True, False, False]


@pytest.mark.parametrize("address", [ROOT, NESTED])
def test_token_reads_back_as_the_same_address(address: Address) -> None:
    assert parse_token(address_token(address)) == address


def test_token_is_unpadded_base64url_of_the_canonical_json() -> None:
    token = address_token(ROOT)
    assert "=" not in token
    data = base64.urlsafe_b64decode(token + "=" * (-len(token) % 4))
    assert data == (
        b'{"controlPath":[],"invocationPath":[],"localStep":2,"owner":{"compositionDigest":"'
        + DIGEST.encode()
        + b'","format":"ad","kind":"root"},"version":1}'
    )


def _token(body: object) -> str:
    return (
        base64.urlsafe_b64encode(json.dumps(body, separators=(",", ":")).encode()).decode().rstrip("=")
    )


def _edit(**changes: object) -> dict[str, object]:
    return dict(sorted({**address_json(NESTED), **changes}.items()))


@pytest.mark.parametrize(
    "token",
    [
        "",
        "7",
        "not a token",
        address_token(ROOT) + "=",
        address_token(ROOT)[:-2],
        _token([]),
        _token({}),
        _token({"version": "1"}),
        _token(_edit(extra=1)),
        _token(_edit(localStep=0)),
        _token(_edit(localStep=True)),
        _token(_edit(invocationPath=[])),
        _token(_edit(controlPath=[{"controlId": "a", "iteration": -1}])),
        _token(_edit(owner={"kind": "fragment", "format": "ad", "fragmentDigest": "ab"})),
        _token(_edit(owner={"kind": "library", "format": "ad", "fragmentDigest": DIGEST})),
        _token(_edit(owner={"kind": "fragment", "format": "yaml", "fragmentDigest": DIGEST})),
        _token(dict(reversed(_edit().items()))),
        "A" * 20_000,
    ],
)
def test_anything_but_the_canonical_token_is_refused(token: str) -> None:
    with pytest.raises(SurefootError) as caught:
        parse_token(token)
    assert caught.value.reason == "fragment_resume_unsupported"
    assert caught.value.details["problem"] == "token_malformed"


def test_address_of_another_version_is_unsupported() -> None:
    with pytest.raises(SurefootError) as caught:
        parse_token(_token(_edit(version=2)))
    assert caught.value.reason == "fragment_unsupported"


def test_owner_of_a_fragment_step_is_its_content_digest() -> None:
    plan = _two_calls()
    expected = FragmentOwner(format="ad", fragment_digest=digest_of(fragment("press id=a").encode()))
    assert plan.steps[1].address.owner == expected
