"""Client, help, reference page and schemas say what the descriptors say, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import surefoot
from surefoot.commands import DESCRIPTORS, GRAMMAR, Descriptor, help_page, input_schema
from surefoot.commands.output.help import COLUMNS
from surefoot.commands.project import client_module
from surefoot.commands.reference import reference_page
from surefoot.commands.schema import output_schema
from surefoot.commands.topics import TOPICS

ROOT = Path(surefoot.__file__).parents[2]
each = pytest.mark.parametrize("one", DESCRIPTORS, ids=lambda one: one.name.replace(" ", "-"))


def test_the_client_s_methods_are_the_projection() -> None:
    written = Path(surefoot.__file__).parent / "client" / "_methods.py"
    assert written.read_text(encoding="utf-8") == client_module()


def test_the_reference_page_is_the_projection() -> None:
    assert (ROOT / "docs" / "commands.md").read_text(encoding="utf-8") == reference_page()


def test_the_list_names_every_command() -> None:
    page = help_page(None)
    for one in DESCRIPTORS:
        assert f"  {one.name} " in page
        assert one.summary in page


@each
def test_a_help_page_tells_usage_every_flag_and_the_examples(one: Descriptor[Any, Any]) -> None:
    page = help_page(one.name)
    flat = " ".join(page.split())
    assert " ".join(f"Usage: surefoot {one.usage}".split()) in flat
    for argument in one.flags:
        assert argument.flag is not None
        assert argument.flag in page
        assert argument.help.split(".")[0].split()[0] in page
    for example in one.examples:
        assert f"  {example}" in page


@pytest.mark.parametrize("topic", [None, *TOPICS, *GRAMMAR.by_name, *GRAMMAR.groups], ids=str)
def test_a_help_page_fits_eighty_columns(topic: str | None) -> None:
    assert [line for line in help_page(topic).splitlines() if len(line) > COLUMNS] == []


@pytest.mark.parametrize("group", GRAMMAR.groups)
def test_help_on_the_first_word_shows_every_form(group: str) -> None:
    page = help_page(group)
    for second in GRAMMAR.groups[group]:
        assert f"surefoot {group} {second}: " in page


@each
def test_a_schema_has_every_argument_its_bounds_and_its_choices(one: Descriptor[Any, Any]) -> None:
    schema = input_schema(one)
    assert schema["type"] == "object"
    assert list(schema["properties"]) == [argument.wire for argument in one.arguments]
    assert schema["required"] == [argument.wire for argument in one.arguments if argument.required]
    assert schema["additionalProperties"] is False
    for argument in one.arguments:
        told = schema["properties"][argument.wire]
        assert told["description"] == argument.help
        assert told.get("minimum") == argument.ge
        assert told.get("maximum") == argument.le
        assert told.get("pattern") == argument.pattern


@each
def test_a_result_has_a_schema(one: Descriptor[Any, Any]) -> None:
    schema = output_schema(one)
    name = schema["$ref"].removeprefix("#/$defs/")
    assert name == one.result.__name__
    assert list(schema["$defs"][name]["properties"]) == list(one.result.__struct_encode_fields__)
