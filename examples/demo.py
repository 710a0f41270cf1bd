"""The demo: records a journey through the shop, replays it, repairs it when the shop has changed, and
makes its sign-in a fragment that two flows share.

Every step is the installed ``surefoot`` command, as a person or an agent would type it. The files it
leaves are in ``demo-output/``.
"""

from __future__ import annotations

import difflib
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from report import Report
from shop.server import Shop

ROOT = Path(__file__).resolve().parent.parent
OUTPUT = ROOT / "demo-output"
SUREFOOT = Path(sys.executable).with_name("surefoot")


class Terminal:
    """Runs surefoot commands, shows each with its answer, and keeps what it cost."""

    def __init__(self, state_dir: str) -> None:
        self._environment = {
            **os.environ,
            "SUREFOOT_STATE_DIR": state_dir,
            "AD_VAR_PASSWORD": "correct horse",
        }
        self.captures: list[int] = []
        self.report = Report()

    def title(self, text: str) -> None:
        print(f"\n\n== {text}")
        self.report.section(text)

    def say(self, text: str) -> None:
        print(f"\n  {text}")
        self.report.say(text)

    def look(self, name: str, text: str) -> None:
        """A screenshot for the report."""
        self.run("screenshot", name, "--overlay-refs", show=False)
        self.report.picture(name, text)

    def run(self, *words: str, expect: int = 0, show: bool = True, whole: bool = False) -> str:
        """One command; its output. Ends the demo when the exit code is not ``expect``."""
        begun = time.perf_counter()
        done = subprocess.run(
            [SUREFOOT, *words],
            cwd=OUTPUT,
            env=self._environment,
            capture_output=True,
            text=True,
            check=False,
        )
        output = (done.stdout + done.stderr).rstrip()
        if show or done.returncode != expect:
            command = f"surefoot {shlex.join(words)}"
            taken = (time.perf_counter() - begun) * 1000
            self.report.command(command, output, refused=done.returncode != 0, milliseconds=taken)
            print(f"\n$ {command}")
            said = output.splitlines()
            print("\n".join(f"  {line}" for line in (said if whole else _shortened(said))))
        if done.returncode != expect:
            sys.exit(f"demo: that should have ended with {expect}, not {done.returncode}")
        return output

    def act(self, *words: str) -> None:
        """An interaction: with ``--settle`` and ``--cost``, counted."""
        output = self.run(*words, "--settle", "--cost")
        cost = next(line for line in output.splitlines() if line.startswith("cost:"))
        self.captures.append(int(cost.split()[1]))


def _shortened(lines: list[str], most: int = 7) -> list[str]:
    if len(lines) <= most + 1:
        return lines
    return [*lines[: most - 1], f"… {len(lines) - most} more lines", lines[-1]]


def record(terminal: Terminal, shop: Shop) -> None:
    terminal.title("1. Record: sign in, put the rope into the basket, order it")
    terminal.run("open", shop.url, "--save-script=order.ad")
    terminal.run("snapshot", "-i")
    terminal.act("fill", 'label="Email"', "ada@example.com")
    terminal.act("fill", 'label="Password"', "correct horse", "--record-as", "PASSWORD")
    terminal.act("press", 'role="button" label="Sign in"')
    terminal.run("wait", 'role="heading" label="Catalogue"')
    terminal.say("Five buttons are called Add, so the name alone is refused:")
    said = terminal.run("press", 'label="Add"', expect=1).splitlines()
    rope = next(line for line in said if line.endswith('in listitem "Rope"'))
    terminal.act("press", rope.split()[0])
    terminal.run("wait", "text", "Rope is in the basket")
    terminal.act("press", 'role="link" label="Basket"')
    terminal.act("press", 'role="button" label="Checkout"')
    terminal.act("fill", 'label="Full name"', "Ada Byron")
    terminal.act("fill", 'label="Street"', "12 St James's Square")
    terminal.act("fill", 'label="Country"', "Portugal")
    terminal.act("press", 'label="I accept the terms"')
    terminal.act("press", 'role="button" label="Place order"')
    terminal.run("wait", 'role="heading" label="Order confirmed"')
    terminal.run("close")
    spent = terminal.captures
    terminal.say(
        f"{len(spent)} interactions took {sum(spent)} captures: "
        f"{sum(spent) / len(spent):.2f} each, never more than {max(spent)}."
    )


def repair(terminal: Terminal, shop: Shop) -> None:
    terminal.title("5. The shop renames its button: press it once, and the script is healed")
    shop.drifts = {"rename"}
    said = terminal.run("replay", "order.ad", "--save-script", expect=1, whole=True).splitlines()
    button = next(line for line in said if line.startswith('- button "Buy now"'))
    ref = button.partition("[")[2].partition("]")[0]
    resume = next(line for line in said if "--from" in line)
    terminal.say("Three commands repair it: do the step, go on, close.")
    terminal.run("press", ref)
    terminal.run(*shlex.split(resume)[1:])
    terminal.run("close")
    terminal.say("The healed script stands beside the original and replays in a fresh session:")
    terminal.run("replay", "order.healed.ad")
    print("\n$ diff order.ad order.healed.ad")
    print("\n".join(f"  {line}" for line in changes("order.ad", "order.healed.ad")))


FLOWS = {
    "look.ad": ('wait "role=heading label=Catalogue"',),
    "basket.ad": ('press "role=link label=Basket"', 'wait text "Your basket"'),
}
"""What each of the two flows does behind the sign-in."""


def share(terminal: Terminal, shop: Shop) -> None:
    terminal.title("6. The sign-in becomes a fragment; two flows share it")
    said = capture(terminal, shop, "ada@example.com")
    pin = said.partition("to include it from here:\n")[2].splitlines()[:2]
    for name, steps in FLOWS.items():
        head = ("composition-v1", "context platform=web target=desktop", f'open "{shop.url}"')
        text = "\n".join([*head, *(line.strip() for line in pin), *steps, "close", ""])
        (OUTPUT / name).write_text(text, encoding="utf-8")
    print("\n$ cat basket.ad")
    print("\n".join(f"  {line}" for line in (OUTPUT / "basket.ad").read_text("utf-8").splitlines()))
    for name in FLOWS:
        terminal.run("replay", name)
    terminal.say("The sign-in is recorded again, and differs: each flow refuses before anything opens.")
    capture(terminal, shop, "grace@example.com", "--force", show=False)
    for name in FLOWS:
        terminal.run("replay", name, expect=2)
        terminal.run("fragment", "pin", name, "--write", show=False)
    terminal.say("Pinned again, both run:")
    for name in FLOWS:
        terminal.run("replay", name)


def capture(terminal: Terminal, shop: Shop, email: str, *flags: str, show: bool = True) -> str:
    """Record the sign-in as a fragment; what its save says."""
    heading, start = 'role="heading" label="Sign in"', ("session", "fragment", "start", "sign-in.ad")
    terminal.run("open", shop.url, show=False)
    terminal.run(*start, "--entry", heading, *flags, show=show)
    terminal.run("fill", 'label="Email"', email, show=show)
    terminal.run("fill", 'label="Password"', "correct horse", "--record-as", "PASSWORD", show=show)
    terminal.run("press", 'role="button" label="Sign in"', show=show)
    said = terminal.run("session", "fragment", "save", show=show, whole=True)
    terminal.run("close", show=False)
    return said


def changes(before: str, after: str) -> list[str]:
    """The steps that differ, each with the evidence above it; long lines are cut."""
    old, new = (steps_of(OUTPUT / name) for name in (before, after))
    lines = list(difflib.unified_diff(old, new, before, after, lineterm="", n=0))
    return [line if len(line) <= 118 else line[:117] + "…" for line in lines]


def steps_of(path: Path) -> list[str]:
    """A script's lines; of the evidence only who the element is, not where it was drawn."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.partition(',"ancestry"')[0] for line in lines]


def main() -> None:
    shutil.rmtree(OUTPUT, ignore_errors=True)
    OUTPUT.mkdir()
    with tempfile.TemporaryDirectory(prefix="surefoot-demo-") as state_dir, Shop() as shop:
        terminal = Terminal(state_dir)
        try:
            record(terminal, shop)
            terminal.title("2. Replay the script in a fresh session")
            terminal.run("replay", "order.ad")
            terminal.title("3. Two new products come first; the rope's own button is still pressed")
            shop.drifts.add("insert")
            terminal.run("replay", "order.ad", "--keep-session")
            terminal.run("get", "text", 'role="heading"')
            terminal.run("close")
            terminal.title("4. The rope is sold out: no other button is pressed, the replay stops")
            shop.drifts = {"sold-out"}
            terminal.run("replay", "order.ad", expect=1, whole=True)
            terminal.look("sold-out.png", "The screen on which the replay stopped")
            terminal.run("close")
            repair(terminal, shop)
            share(terminal, shop)
        finally:
            terminal.run("daemon", "stop", show=False)
            terminal.report.write(OUTPUT / "report.html")
    folder = OUTPUT.relative_to(ROOT)
    print(f"\n\nThe recorded script is {folder}/order.ad, the healed one {folder}/order.healed.ad,")
    print(f"the fragment {folder}/sign-in.ad. Open {folder}/report.html to see all of it.")


if __name__ == "__main__":
    main()
