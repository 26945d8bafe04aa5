"""Nothing here asks a network: sets come from the folder or from a server on the loopback."""

import pytest


@pytest.fixture(autouse=True)
def offline(monkeypatch):
    monkeypatch.setenv("HEIRWOOD_OFFLINE", "1")
