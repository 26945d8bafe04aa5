"""Large arrays of zeros take memory when they are written to, and give it back."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest

from heirwood.data.lazy_memory import SMALL, LazyRows


@pytest.mark.parametrize("shape", [(0, 5), (3, 0), (4, 100), (3, SMALL)])
def test_rows_are_zero_at_first_and_can_be_written_to(shape):
    rows = LazyRows(shape, np.int32)

    assert rows.array.shape == shape
    assert not rows.array.any()
    rows.array[:] = 7
    assert (rows.array == 7).all()


def resident():
    """Return the memory of this process, in MiB."""
    return int(re.search(r"VmRSS:\s+(\d+)", Path("/proc/self/status").read_text())[1]) / 1024


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks Linux for the memory of a process")
def test_memory_is_taken_when_a_row_is_written_to_and_given_back():
    length = 2**23 + 1000  # 32 MiB each, and not a whole number of pages
    before = resident()
    rows = LazyRows((20, length), np.int32)
    assert resident() - before < 20

    rows.array[3:7] = 1
    written = resident() - before
    assert 120 < written < 160

    for row in (3, 4, 5):
        rows.release(row)
    assert resident() - before < written - 80
    assert (rows.array[6] == 1).all()
    rows.array[4] = 2
    assert (rows.array[4] == 2).all()
