"""The committed methods are the descriptors' projection (architecture.md, decision 1)."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

from surefoot.client import AsyncSurefoot, Surefoot
from surefoot.commands import DESCRIPTORS
from surefoot.commands.project import client_module, method_name

METHODS = Path(inspect.getfile(Surefoot)).with_name("_methods.py")
NAMES = [method_name(one.name) for one in DESCRIPTORS]


def test_the_committed_module_is_what_the_projection_writes() -> None:
    """After a change of a descriptor: ``python -m surefoot.commands.project``"""
    assert METHODS.read_text() == client_module()


@pytest.mark.parametrize("name", NAMES)
def test_both_clients_take_the_same_arguments(name: str) -> None:
    asynchronous = inspect.signature(getattr(AsyncSurefoot, name))
    waiting = inspect.signature(getattr(Surefoot, name))
    assert asynchronous.parameters == waiting.parameters
    assert inspect.iscoroutinefunction(getattr(AsyncSurefoot, name))
    assert not inspect.iscoroutinefunction(getattr(Surefoot, name))


@pytest.mark.parametrize(
    ("command", "method"),
    [("is", "is_"), ("session list", "session_list"), ("session save-script", "session_save_script")],
)
def test_a_command_becomes_a_name_of_the_language(command: str, method: str) -> None:
    assert method_name(command) == method


def test_the_client_imports_nothing_of_the_daemons_insides() -> None:
    script = (
        "import sys, surefoot; surefoot.Surefoot; surefoot.AsyncSurefoot\n"
        "print(sorted({m.split('.')[1] for m in sys.modules if m.startswith('surefoot.')}))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['client', 'errors', 'wire']"
