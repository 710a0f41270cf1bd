"""What every driver must do, as one table of contracts; each is run on every driver."""

from tests.contract.contracts.events import EVENT_CONTRACTS
from tests.contract.contracts.model import Contract, Opened, Stage
from tests.contract.contracts.pointing import POINTING_CONTRACTS
from tests.contract.contracts.scrolling import SCROLLING_CONTRACTS
from tests.contract.contracts.seeing import SEEING_CONTRACTS
from tests.contract.contracts.texting import TEXT_CONTRACTS

CONTRACTS: tuple[Contract, ...] = (
    *SEEING_CONTRACTS,
    *POINTING_CONTRACTS,
    *TEXT_CONTRACTS,
    *SCROLLING_CONTRACTS,
    *EVENT_CONTRACTS,
)

__all__ = ["CONTRACTS", "Contract", "Opened", "Stage"]
