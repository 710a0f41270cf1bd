"""What the demo did, as one HTML page: every command with its answer, and a look at the screen."""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from pathlib import Path

from jinja2 import Environment

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>surefoot demo</title>
<style>
  body { font: 16px/1.5 system-ui, sans-serif; color: #1d2733; }
  body { max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
  nav a { display: block; }
  h2 { margin-top: 3rem; border-top: 1px solid #cfd8e0; padding-top: 1rem; }
  pre { background: #f4f6f8; padding: .75rem 1rem; overflow-x: auto; font-size: .85rem; }
  pre { border-left: .25rem solid #19663a; }
  pre.refused { border-color: #a4262c; }
  pre b { color: #17324d; }
  small { color: #5a6b7b; float: right; }
  img { max-width: 100%; border: 1px solid #cfd8e0; }
</style>
<h1>What the demo did</h1>
<p>{{ commands }} commands in {{ seconds }} s. A red bar is a refusal: nothing was done then.</p>
<nav>{% for section in sections %}<a href="#{{ loop.index }}">{{ section.title }}</a>{% endfor %}</nav>
{% for section in sections %}
<h2 id="{{ loop.index }}">{{ section.title }}</h2>
{% for entry in section.entries %}{{ entry }}
{% endfor %}{% endfor %}
</html>
"""


@dataclass
class Section:
    """One act of the demo; its entries are finished HTML."""

    title: str
    entries: list[str] = field(default_factory=list)


class Report:
    """Collects what is shown, in order; :meth:`write` makes the page."""

    def __init__(self) -> None:
        self.sections: list[Section] = []
        self.commands = 0
        self.milliseconds = 0.0

    def section(self, title: str) -> None:
        self.sections.append(Section(title))

    def say(self, text: str) -> None:
        self._add(f"<p>{html.escape(text)}</p>")

    def command(self, command: str, output: str, *, refused: bool, milliseconds: float) -> None:
        """A command as it was typed, all it answered, and how long it took."""
        self.commands += 1
        self.milliseconds += milliseconds
        kind = ' class="refused"' if refused else ""
        self._add(
            f"<pre{kind}><small>{milliseconds:.0f} ms</small><b>$ {html.escape(command)}</b>\n"
            f"{html.escape(output)}</pre>"
        )

    def picture(self, name: str, text: str) -> None:
        """A screenshot that lies beside the page."""
        self._add(f'<p><img src="{html.escape(name)}" alt="{html.escape(text)}"></p>')

    def write(self, path: Path) -> None:
        page = Environment(autoescape=False).from_string(PAGE)
        titles = [Section(html.escape(section.title), section.entries) for section in self.sections]
        path.write_text(
            page.render(
                sections=titles, commands=self.commands, seconds=f"{self.milliseconds / 1000:.1f}"
            ),
            encoding="utf-8",
        )

    def _add(self, entry: str) -> None:
        if not self.sections:
            self.section("Begin")
        self.sections[-1].entries.append(entry)
