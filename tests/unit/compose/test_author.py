"""The writer of fragments and includes: ids are kept on edit, fresh for a new occurrence; round
trips."""

from __future__ import annotations

import pytest
from tests.support.compositions import (
    GRAMMAR,
    NOWHERE,
    digest_of,
    fragment,
    load,
    pinned,
    root,
)

from surefoot.compose import (
    add_include,
    fragment_script,
    move_include,
    remove_include,
    repin_include,
)
from surefoot.errors import SurefootError
from surefoot.script import Script, parse_script, write_script

NEW = "sha256:" + "9" * 64


def _script(text: str) -> Script:
    return parse_script(text.encode(), "main.ad")


def _ids(script: Script) -> list[str | None]:
    return [one.reference.call_site_id if one.reference else None for one in script.includes]


def _root() -> Script:
    sources = {
        "main.ad": root("@include login ./login.ad", "@include cart ./cart.ad"),
        "login.ad": fragment(),
        "cart.ad": fragment(),
    }
    return _script(pinned(sources)["main.ad"].decode())


def test_parsed_and_written_composition_parses_as_the_same_plan() -> None:
    sources = pinned(
        {
            "main.ad": root("@include a ./a.ad", "# between", "press id=x"),
            "a.ad": fragment('fill id=u "${USER:-ann}"'),
        }
    )
    written = {
        key: write_script(parse_script(data, key), GRAMMAR).encode() for key, data in sources.items()
    }
    assert load(written).composition_digest == load(sources).composition_digest
    again = {
        key: write_script(parse_script(data, key), GRAMMAR).encode() for key, data in written.items()
    }
    assert again == written


def test_repinned_include_keeps_its_call_site() -> None:
    edited = repin_include(_root(), "login", NEW)
    assert _ids(edited) == ["login", "cart"]
    assert edited.includes[0].reference is not None
    assert edited.includes[0].reference.digest == NEW


def test_moved_include_keeps_its_call_site_and_pin() -> None:
    edited = move_include(_root(), "login", "./shared/login.ad")
    assert _ids(edited) == ["login", "cart"]
    assert edited.includes[0].locator == "./shared/login.ad"
    assert edited.includes[0].reference == _root().includes[0].reference


def test_new_occurrence_gets_a_fresh_call_site() -> None:
    edited = add_include(_root(), len(_root().nodes) - 1, "./login.ad", NOWHERE)
    assert _ids(edited) == ["login", "cart", "login-2"]


def test_removing_one_leaves_the_others_alone() -> None:
    assert _ids(remove_include(_root(), "login")) == ["cart"]


def test_first_include_of_a_flat_script_brings_the_guard() -> None:
    flat = _script('# a flow\ncontext platform=sim\nopen "shop"\nclose\n')
    text = write_script(add_include(flat, 3, "./login.ad", NEW), GRAMMAR)
    assert text == (
        "# a flow\ncomposition-v1\ncontext platform=sim\n"
        'open "shop"\n'
        f'# agent-device:fragment-ref-v1 {{"callSiteId":"login","digest":"{NEW}"}}\n'
        'include "./login.ad"\n'
        "close\n"
    )


def test_include_that_is_not_there_cannot_be_edited() -> None:
    with pytest.raises(SurefootError) as caught:
        repin_include(_root(), "nobody", NEW)
    assert caught.value.reason == "fragment_call_site_invalid"


def test_written_fragment_has_guard_context_and_steps_and_is_admitted() -> None:
    actions = parse_script(fragment("press id=a").encode(), "a.ad").actions
    text = write_script(fragment_script("a.ad", "sim", "desktop", actions), GRAMMAR)
    assert text.startswith(
        "fragment-v1\ncontext platform=sim target=desktop\n# agent-device:target-v1 "
    )
    assert digest_of(text.encode()) == digest_of(fragment("press id=a").encode())
