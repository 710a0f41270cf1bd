"""The forms of ids that are no identities: a row each (identity.md, 2)."""

from __future__ import annotations

import pytest

from surefoot.tree import generated_form, is_accepted_id


@pytest.mark.parametrize(
    ("node_id", "form"),
    [
        (":r1:", "react useId"),
        (":R2m:", "react useId"),
        ("«r1»", "react useId 19"),
        ("_r_1_", "react useId 19.1"),
        ("radix-:r5:", "radix"),
        ("radix-42", "radix"),
        ("headlessui-menu-button-3", "headless ui"),
        ("mui-123", "material ui"),
        ("mui-4711", "material ui"),
        ("ember123", "ember"),
        ("ember4567", "ember"),
        ("__BVID__12", "bootstrap vue"),
        ("__BVID__12___label", "bootstrap vue"),
        ("react-aria-:r1:", "react aria"),
        ("react-aria1234567890-12", "react aria"),
        ("cdk-overlay-1", "angular cdk"),
        ("cdk-overlay-1234", "angular cdk"),
        ("mat-input-0", "angular material"),
        ("mat-select-value-1234", "angular material"),
        ("550e8400-e29b-41d4-a716-446655440000", "uuid"),
        ("field-550E8400-E29B-41D4-A716-446655440000", "uuid"),
        ("3f2a9c81b7d0", "hexadecimal"),
        ("field:r1:", "react useId"),
        ("7", "counter"),
        ("123", "counter"),
        ("del-0", "counter"),
        ("row_12", "counter"),
        ("item:999", "counter"),
        ("a.5", "counter"),
        ("error-404", "counter"),
        ("save", None),
        ("order-10023", None),
        ("1234", None),
        ("step1", None),
        ("facadefacade", None),
        ("123456789012", None),
        ("3f2a9c81b7d", None),
        ("mui-root", None),
        ("member", None),
        ("field-:r1a:-label", "react useId"),
        ("radix-menu", "radix"),
        ("mui-p-4711-T-1", "material ui"),
        ("__BVID__12___BV_label", "bootstrap vue"),
        ("react-aria1234-x", "react aria"),
        ("cdk-drop-list-17", "angular cdk"),
        ("mat-tab-label-0-1", "angular material"),
        ("row-123e4567-e89b-12d3-a456-426614174000-x", "uuid"),
        ("item-a1b2c3d4e5f60718-x", "hexadecimal"),
        ("v1.2", "counter"),
        ("order-2024", None),
        ("deadbeefcafe", None),
        ("radix", None),
        ("matrix-view", None),
        ("ファイル", None),
        ("android:id/title", None),
    ],
)
def test_generated_form(node_id: str, form: str | None) -> None:
    assert generated_form(node_id) == form
    assert is_accepted_id(node_id) is (form is None)


def test_the_empty_id_is_not_accepted() -> None:
    assert not is_accepted_id("")
