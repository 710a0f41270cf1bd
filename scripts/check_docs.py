"""Checks that every relative link and anchor in the Markdown files leads somewhere."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*\s*$", re.MULTILINE)
FENCE = re.compile(r"^(```|~~~).*?^\1", re.MULTILINE | re.DOTALL)


def slug(heading: str) -> str:
    """The anchor a Markdown renderer makes of a heading."""
    plain = re.sub(r"[`*_]|\[|\]\([^)]*\)", "", heading).lower()
    return re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", plain))


def broken_links(page: Path) -> list[str]:
    """One line for each link of ``page`` that leads nowhere."""
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    problems = []
    for target in LINK.findall(text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists():
            problems.append(f"{page.relative_to(ROOT)}: {target}: no such file")
        elif anchor and file.suffix == ".md":
            headings = HEADING.findall(FENCE.sub("", file.read_text(encoding="utf-8")))
            if anchor not in {slug(heading) for heading in headings}:
                problems.append(f"{page.relative_to(ROOT)}: {target}: no such heading")
    return problems


def main() -> int:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    pages = [ROOT / name for name in listed.stdout.split()]
    problems = [problem for page in pages for problem in broken_links(page)]
    print("\n".join(problems) or f"docs: {len(pages)} pages, every link leads somewhere")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
