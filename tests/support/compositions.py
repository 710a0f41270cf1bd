"""Flows and fragments written down, with their pins computed: ``pinned({"main.ad": "@include a
./a.ad"})``."""

from __future__ import annotations

from collections.abc import Mapping

from tests.support.script_grammar import SmallGrammar

from surefoot.compose import (
    Closure,
    ComposedPlan,
    MemoryReader,
    Preflight,
    SourceReader,
    fragment_identity,
    joined,
    load_composed,
    preflight,
    read_closure,
    read_unit,
)
from surefoot.compose.preflight import Effective
from surefoot.errors import SurefootError
from surefoot.script import Scope

GRAMMAR = SmallGrammar()
SAFE = frozenset({"press", "click", "fill", "type", "get", "is", "wait", "drag"})
NOWHERE = "sha256:" + "0" * 64


def is_fragment_safe(command: str, _word: str) -> bool:
    return command in SAFE


def target(label: str = "Home", verification: str = "verified") -> str:
    return (
        f'# agent-device:target-v1 {{"role":"heading","label":"{label}","ancestry":[],"sibling":0,'
        f'"viewportOrder":0,"verification":"{verification}"}}'
    )


def guard(label: str = "Home", timeout: str = " 5000") -> str:
    """The two lines of an entry guard."""
    return f'{target(label)}\nwait "label=\\"{label}\\""{timeout}'


def fragment(*lines: str, label: str = "Home", platform: str = "sim", on: str = "desktop") -> str:
    """A whole fragment: format guard, context, entry guard, then the lines given."""
    head = ("fragment-v1", f"context platform={platform} target={on}", guard(label))
    return "".join(f"{line}\n" for line in (*head, *lines))


def root(*lines: str, header: str = "context platform=sim target=desktop") -> str:
    """A whole composition: guard, context, open, the lines given, close."""
    body = ("composition-v1", header, 'open "shop"', *lines, "close")
    return "".join(f"{line}\n" for line in body if line)


def include(site: str, locator: str, digest: str = NOWHERE) -> str:
    """A pinned include, two lines, with the pin as given."""
    reference = f'# agent-device:fragment-ref-v1 {{"callSiteId":"{site}","digest":"{digest}"}}'
    return f'{reference}\ninclude "{locator}"'


def pinned(sources: Mapping[str, str]) -> dict[str, bytes]:
    """The sources with every line ``@include SITE LOCATOR`` made a pinned include, pins current."""
    done: dict[str, bytes] = {}

    def data(key: str) -> bytes:
        if key not in done:
            done[key] = b""
            lines = [line(key, text) for text in sources[key].split("\n")]
            done[key] = "\n".join(lines).encode()
        return done[key]

    def line(key: str, text: str) -> str:
        if not text.startswith("@include "):
            return text
        _, site, locator = text.split(" ")
        return include(site, locator, digest_of(data(joined(key, locator))))

    return {key: data(key) for key in sources}


def digest_of(data: bytes) -> str:
    return fragment_identity(read_unit(data, "any.ad", GRAMMAR, is_fragment_safe)).digest


def closure_of(
    sources: Mapping[str, bytes], key: str = "main.ad", reader: SourceReader | None = None
) -> Closure:
    return read_closure(key, sources[key], reader or MemoryReader(sources), GRAMMAR, is_fragment_safe)


def look(
    sources: Mapping[str, bytes], key: str = "main.ad", *, env: Mapping[str, str] | None = None
) -> Preflight:
    return preflight(
        closure_of(sources, key),
        effective=Effective(platform="sim", target="desktop"),
        scope=Scope.of(cli=env),
    )


def load(
    sources: Mapping[str, bytes], key: str = "main.ad", *, env: Mapping[str, str] | None = None
) -> ComposedPlan:
    return load_composed(
        closure_of(sources, key), GRAMMAR, platform="sim", target="desktop", scope=Scope.of(cli=env)
    )


def refusal(
    sources: Mapping[str, bytes], key: str = "main.ad", *, env: Mapping[str, str] | None = None
) -> SurefootError:
    """The error of a composition that may not run."""
    try:
        load(sources, key, env=env)
    except SurefootError as error:
        return error
    raise AssertionError("the composition was admitted")
