"""What random screens say."""

from __future__ import annotations

from random import Random

from tests.support.identity_parts import Record


def words(joined: str) -> tuple[str, ...]:
    """The words between the bars."""
    return tuple(joined.split("|"))


FIRST = words(
    "Alice|Bob|Carol|Dan|Eve|Fay|Gus|Hana|Ivan|Jo|Kim|Lena|Max|Nora|Oli|Pia|Quin|Rosa|Sam|Tess|"
    "Uma|Vera|Will|Xena|Yuri|Zoe|Ann|Ben|Cyd|Dora|Emil|Finn|Greta|Hugo|Ida|Jan"
)
LAST = words("Ash|Bell|Cole|Diaz|Eng|Fox|Gray|Hill|Ito|Jung|Klein|Lund|Moss|Nagy|Orr|Park")
FILES = words("report|invoice|notes|photo|budget|plan|draft|letter|song|movie|slides|backup")
SUFFIXES = words("pdf|txt|png|mp3|docx|csv")
THINGS = words(
    "Lamp|Desk|Chair|Blue mug|Red mug|Notebook|Pencil|Backpack|Umbrella|Kettle|Toaster|Candle|Mirror|"
    "Carpet|Bookshelf|Clock|Vase|Blanket|Pillow|Bottle"
)
MAKES = ("", "Old ", "Small ", "Large ", "White ", "Oak ")
SUBJECTS = words(
    "Lunch on Friday|Your invoice|Meeting notes|Welcome aboard|Trip to Rome|Server down|Weekly report|"
    "Password changed|New login|Holiday plans|Invitation|Reminder|Offer of the week|Photos"
)
SECONDS = words("Admin|Editor|Viewer|Owner|Guest|Paused|Active|Shared|Private|Paris|Rome|Oslo|Lima")
BADGES = ("New", "Sale", "Unread", "Beta")
TITLES = words(
    "Contacts|Orders|Members|Invoices|Files|Inbox|Archive|Settings|Shipping|Payment|Cart|Profile|Billing|"
    "Teams|Projects|Devices|Reports|Messages"
)
TEXTS = words(
    "Choose what to do next|This cannot be undone|Your changes are kept|Delete the file?|"
    "Delete the account?|Leave this page?|Send the message?|Nothing here yet|Sign in to go on|"
    "Pay with a card|Tell us where to send it|Discard the draft?"
)
FIELDS = words("Street|City|Name|Email|Phone|Card|Company|Country|Note|Password")
ACTIONS = words(
    "Delete|Edit|Open|More|Retry|Share|Remove|View|Download|Reply|Archive|Rename|Copy|Move|Print"
)
GO_ON = words("Next|OK|Continue|Save|Cancel|Back|Close|Submit|Confirm|Done")
ICONS = words("Bold|Italic|Undo|Redo|Search|Help|Zoom|Refresh|Filter|Sort")
NOUNS = ("person", "full name", "file", "thing", "subject", "date", "amount", "word")
WEIGHTS = (6, 5, 5, 5, 5, 1, 1, 2)


def number(random: Random) -> str:
    """A text that changes by itself."""
    return random.choice(
        (
            f"{random.randint(0, 99)}",
            f"${random.randint(1, 99)}.{random.randint(10, 99)}",
            f"{random.randint(2, 60)} items",
            f"May {random.randint(1, 28)}",
            f"{random.randint(2, 59)} min ago",
        )
    )


def name(random: Random, noun: str) -> str:
    """What a record of this noun is called."""
    if noun == "person":
        return random.choice(FIRST)
    if noun == "full name":
        return f"{random.choice(FIRST)} {random.choice(LAST)}"
    if noun == "file":
        return f"{random.choice(FILES)}{random.choice(('', '', '2', '3'))}.{random.choice(SUFFIXES)}"
    if noun == "thing":
        return f"{random.choice(MAKES)}{random.choice(THINGS)}"
    if noun == "subject":
        subject = random.choice(SUBJECTS)
        about = random.choice(("", "Re: ", "Fwd: "))
        return f"{about}{subject}" if about else f"{subject}, {random.choice(FIRST)}"
    if noun == "date":
        return f"May {random.randint(1, 28)}"
    if noun == "amount":
        return f"${random.randint(1, 99)}.{random.randint(10, 99)}"
    return "".join(random.choices("bdfgklmnprst", k=1) + random.choices("aeiou", k=1)) + random.choice(
        ("rin", "lo", "mas", "ket", "vin", "dor")
    )


class Maker:
    """Makes records that no other call of the same screen or its edits has made."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.made = 0

    def record(
        self, noun: str, controls: tuple[str, ...], *, second: bool, number_: bool, badge: float
    ) -> Record:
        random = self.random
        self.made += 1
        return Record(
            uid=f"r{self.made}",
            name=name(random, noun),
            second=random.choice(SECONDS) if second else "",
            number=number(random) if number_ else "",
            badge=random.choice(BADGES) if random.random() < badge else "",
            controls=controls,
        )
