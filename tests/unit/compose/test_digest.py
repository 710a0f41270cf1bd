"""What a fragment's and a composition's digest bind, and what they do not."""

from __future__ import annotations

import re

import pytest
from tests.support.compositions import (
    GRAMMAR,
    closure_of,
    digest_of,
    fragment,
    include,
    is_fragment_safe,
    load,
    pinned,
    root,
)

from surefoot.compose import CANONICALIZATION, fragment_identity, load_composed, read_unit

BASE = fragment("press id=a", 'fill id=b "${USER}"')
ORDER = '"viewportOrder":0'
PIN = "sha256:" + "1" * 64


def test_digest_is_spelled_with_its_algorithm_and_carries_its_version() -> None:
    identity = fragment_identity(read_unit(BASE.encode(), "a.ad", GRAMMAR, is_fragment_safe))
    assert re.fullmatch(r"sha256:[0-9a-f]{64}", identity.digest)
    assert (identity.format, identity.canonicalization) == ("ad", CANONICALIZATION)


def test_digest_of_a_known_fragment_never_changes() -> None:
    """Published pins hold it: another value here is a new canonicalization version."""
    assert digest_of(BASE.encode()) == GOLDEN


@pytest.mark.parametrize(
    "text",
    [
        f"# a note\n\n{BASE}",
        BASE.replace("press", "  press").replace("\n", "  \n"),
        BASE.replace("\n", "\r\n"),
        "\ufeff" + BASE,
        BASE + "# recorded 2026-01-01T00:00:00Z\n",
        BASE.replace("desktop\n", 'desktop device="Nightly box" theme=dark\n'),
        BASE.replace("desktop\n", "desktop\ncontext timeout=5 retries=2\n"),
        BASE.replace(
            '"viewportOrder":0', '"viewportOrder":0,"rect":{"x":1,"y":2,"width":3,"height":4}'
        ),
        BASE.replace(ORDER, f'{ORDER},"otherWriter":1'),
        BASE.replace("press id=a", 'press "id=a"'),
        BASE.replace("press id=a", "press id=a --settle").replace(" --settle", ""),
        BASE + "# agent-device:heal-complete\n",
    ],
)
def test_what_changes_nothing_that_runs_changes_no_digest(text: str) -> None:
    assert digest_of(text.encode()) == digest_of(BASE.encode())


@pytest.mark.parametrize(
    "text",
    [
        BASE.replace("platform=sim", "platform=web"),
        BASE.replace("target=desktop", "target=mobile"),
        BASE.replace("5000", "5001"),
        BASE.replace('"label":"Home"', '"label":"House"'),
        BASE.replace('"sibling":0', '"sibling":1'),
        BASE.replace("press id=a", "click id=a"),
        BASE.replace("press id=a", "press id=c"),
        BASE.replace("press id=a", "press id=a --count 2"),
        BASE.replace("${USER}", "${NAME}"),
        BASE.replace("press id=a\n", ""),
        BASE + "press id=z\n",
        BASE + include("x", "./x.ad", PIN) + "\n",
    ],
)
def test_what_changes_the_run_changes_the_digest(text: str) -> None:
    assert digest_of(text.encode()) != digest_of(BASE.encode())


CALLER = fragment(include("x", "./x.ad", PIN))


@pytest.mark.parametrize(
    "text",
    [
        CALLER.replace('"callSiteId":"x"', '"callSiteId":"y"'),
        CALLER.replace("./x.ad", "./moved/x.ad"),
        CALLER.replace(PIN, PIN.replace("1", "2")),
    ],
    ids=["call-site", "locator", "child-digest"],
)
def test_every_part_of_an_include_is_bound(text: str) -> None:
    assert digest_of(text.encode()) != digest_of(CALLER.encode())


def test_file_name_of_a_fragment_is_not_bound() -> None:
    units = [read_unit(BASE.encode(), key, GRAMMAR, is_fragment_safe) for key in ("a.ad", "f/b.ad")]
    assert fragment_identity(units[0]) == fragment_identity(units[1])


def test_values_of_variables_are_not_bound() -> None:
    sources = pinned({"main.ad": root("@include a ./a.ad"), "a.ad": BASE})
    plans = [load(sources, env={"USER": value}) for value in ("ann", "bob")]
    assert plans[0].composition_digest == plans[1].composition_digest


def test_child_that_changed_does_not_change_its_caller_until_it_is_repinned() -> None:
    sources = pinned({"main.ad": root("@include a ./a.ad"), "a.ad": CALLER, "x.ad": fragment()})
    before = digest_of(sources["a.ad"])
    sources["x.ad"] = fragment("press id=new").encode()
    assert digest_of(sources["a.ad"]) == before


def _flow(**texts: str) -> dict[str, str]:
    return {
        "main.ad": root("@include a ./a.ad", "press id=between", "@include b ./b.ad"),
        "a.ad": fragment("@include c ./c.ad"),
        "b.ad": fragment("press id=b"),
        "c.ad": fragment("press id=c"),
        **{f"{name}.ad": text for name, text in texts.items()},
    }


def _composition(sources: dict[str, str]) -> str:
    return load(pinned(sources)).composition_digest


@pytest.mark.parametrize(
    "sources",
    [
        _flow(c=fragment("press id=other")),
        _flow(main=root("@include b ./b.ad", "press id=between", "@include a ./a.ad")),
        _flow(main=root("@include z ./a.ad", "press id=between", "@include b ./b.ad")),
        _flow(main=root("@include a ././a.ad", "press id=between", "@include b ./b.ad")),
        _flow(main=root("@include a ./a.ad", "press id=elsewhere", "@include b ./b.ad")),
        _flow(main=root("@include a ./a.ad", "@include b ./b.ad", "press id=between")),
    ],
    ids=["grandchild", "order", "call-site", "locator", "root-step", "place-among-steps"],
)
def test_composition_digest_binds(sources: dict[str, str]) -> None:
    assert _composition(sources) != _composition(_flow())


@pytest.mark.parametrize(
    "sources",
    [
        {**_flow(), "apart.ad": fragment("press id=x")},
        _flow(main="# note\n\n" + _flow()["main.ad"]),
        _flow(c="# note\n" + fragment("press id=c")),
        _flow(main=_flow()["main.ad"].replace("desktop\n", "desktop device=box\n")),
    ],
    ids=["unrelated-file", "comment-in-root", "comment-in-child", "device"],
)
def test_composition_digest_does_not_bind(sources: dict[str, str]) -> None:
    assert _composition(sources) == _composition(_flow())


def test_composition_digest_does_not_bind_where_the_root_lies() -> None:
    sources = {f"deep/{key}": text for key, text in _flow().items()}
    assert load(pinned(sources), "deep/main.ad").composition_digest == _composition(_flow())


def test_effective_platform_of_the_root_is_bound() -> None:
    closure = closure_of(pinned({"main.ad": root(header="")}))
    plans = [
        load_composed(closure, GRAMMAR, platform=name, target="desktop") for name in ("sim", "web")
    ]
    assert plans[0].composition_digest != plans[1].composition_digest


GOLDEN = "sha256:1017bc767013191dd612a189e1276d1167ee3b2552eacf727f783d292c51a65c"
