"""From Python arguments to a call's."""

from __future__ import annotations

from pathlib import Path

import pytest

from surefoot.client.arguments import given, located, selector
from surefoot.errors import SurefootError


class _BytesPath:
    def __fspath__(self) -> bytes:
        return b"/x"


def where(
    target: str | None = None,
    *,
    id: str | None = None,
    role: str | None = None,
    label: str | None = None,
    takes_label: bool = True,
) -> dict[str, object]:
    return located("target", target, id=id, role=role, label=label, takes_label=takes_label)


def test_terms_become_a_selector() -> None:
    assert where(role="button", label="Save") == {"target": 'role="button" label="Save"'}


def test_text_in_a_term_is_quoted_for_the_selector_grammar() -> None:
    assert selector({"label": 'Say "hi" \\ \n'}) == 'label="Say \\"hi\\" \\\\ \\n"'


def test_a_term_keeps_its_own_script() -> None:
    assert selector({"label": "保存"}) == 'label="保存"'


def test_a_target_stays_as_it_is() -> None:
    assert where("@e12") == {"target": "@e12"}


def test_beside_a_ref_the_label_is_the_one_it_was_shown_with() -> None:
    assert where("@e12", label="Save") == {"target": "@e12", "label": "Save"}


def test_without_either_nothing_is_sent_and_the_daemon_decides() -> None:
    assert where() == {}


@pytest.mark.parametrize("terms", [{"role": "button"}, {"id": "x"}, {"id": "x", "role": "y"}])
def test_a_target_and_terms_exclude_each_other(terms: dict[str, str]) -> None:
    with pytest.raises(SurefootError) as caught:
        where("@e12", **terms)  # type: ignore[arg-type]
    assert caught.value.reason == "target_and_terms"


def test_a_label_beside_a_target_is_refused_where_the_command_takes_none() -> None:
    with pytest.raises(SurefootError) as caught:
        where("@e12", label="Save", takes_label=False)
    assert caught.value.reason == "target_and_terms"


def test_what_was_not_given_is_left_out_and_what_is_false_is_not() -> None:
    assert given({"a": None, "b": False, "c": 0, "d": ""}) == {"b": False, "c": 0, "d": ""}


def test_paths_become_text() -> None:
    assert given({"one": Path("/a"), "many": (Path("b"), "c")}) == {"one": "/a", "many": ["b", "c"]}


@pytest.mark.parametrize("value", [b"/x", bytearray(b"x"), [b"/x"], _BytesPath()])
def test_bytes_are_no_argument(value: object) -> None:
    with pytest.raises(SurefootError) as caught:
        given({"file": value})
    assert (caught.value.code, caught.value.reason) == ("INVALID_ARGS", "bytes_given")
