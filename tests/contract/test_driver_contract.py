"""One table of contracts, every driver: the virtual device always, and a real Chromium."""

from __future__ import annotations

import pytest
from tests.contract.contracts import CONTRACTS, Contract, Stage

every_contract = pytest.mark.parametrize("contract", CONTRACTS, ids=[c.name for c in CONTRACTS])


def test_every_contract_has_a_name_of_its_own() -> None:
    names = [contract.name for contract in CONTRACTS]
    assert len(names) == len(set(names))


@every_contract
async def test_sim_keeps(contract: Contract, sim_app: Stage) -> None:
    await contract.check(sim_app)


@every_contract
@pytest.mark.asyncio(loop_scope="module")
async def test_web_keeps(contract: Contract, web_app: Stage) -> None:
    await contract.check(web_app)
