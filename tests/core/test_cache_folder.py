"""The folder of compiled kernels: another one for whatever changes the machine code."""

import pytest
from numba.core import config

from heirwood.core import _jit


@pytest.mark.parametrize("setting", _jit._SETTINGS)
def test_settings_of_numba_that_change_machine_code_change_the_digest(monkeypatch, setting):
    before = _jit._digest()
    assert hasattr(config, setting)
    monkeypatch.setattr(config, setting, 7)  # no value that it has
    assert _jit._digest() != before


def test_the_digest_is_that_of_the_folder_in_use():
    assert _jit.CACHE_FOLDER.name == f"kernels-{_jit._digest()}"
