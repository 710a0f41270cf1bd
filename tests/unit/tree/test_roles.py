"""One alias table for every platform's names (identity.md 7)."""

from __future__ import annotations

import pytest

from surefoot.tree import INTERACTIVE_ROLES, ITEM_ROLES, canonical_role
from surefoot.tree.roles import ALIASES, PLATFORM_ALIASES


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("button", "button"),
        ("Button", "button"),
        ("textfield", "textbox"),
        ("statictext", "text"),
        ("StaticText", "text"),
        ("RootWebArea", "document"),
        ("image", "img"),
        ("none", "generic"),
        ("XCUIElementTypeButton", "button"),
        ("XCUIElementTypeCell", "listitem"),
        ("XCUIElementTypeTextView", "textbox"),
        ("XCUIElementTypeSecureTextField", "textbox"),
        ("AXButton", "button"),
        ("AXStaticText", "text"),
        ("UILabel", "text"),
        ("android.widget.CheckBox", "checkbox"),
        ("android.widget.EditText", "textbox"),
        ("android.widget.TextView", "text"),
        ("android.widget.LinearLayout", "generic"),
        ("linearlayout", "generic"),
        ("androidx.recyclerview.widget.RecyclerView", "list"),
        ("android.widget.ScrollView", "scrollview"),
        ("android.widget.Switch", "switch"),
        ("push button", "button"),
        ("check box", "checkbox"),
        ("page tab", "tab"),
        ("table cell", "cell"),
        ("cell", "cell"),
        ("frame", "window"),
        ("scroll pane", "scrollview"),
        ("", "generic"),
        ("!!", "generic"),
        ("com.example.Fancy$Inner", "inner"),
        ('x" [@e9]\n- button', "xe9button"),
    ],
)
def test_canonical_role(name: str, role: str) -> None:
    assert canonical_role(name) == role


@pytest.mark.parametrize("role", sorted({*ALIASES, *PLATFORM_ALIASES.values()}))
def test_canonical_roles_stand_for_themselves(role: str) -> None:
    assert canonical_role(role) == role


def test_a_role_is_bounded() -> None:
    assert canonical_role("q" * 1000) == "q" * 64


def test_sets_hold_canonical_roles_only() -> None:
    for role in INTERACTIVE_ROLES | ITEM_ROLES:
        assert canonical_role(role) == role
