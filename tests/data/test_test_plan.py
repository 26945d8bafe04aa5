"""The plan of a bank: how soon it is left."""

import numpy as np
import pytest

from heirwood.data.schema import Column, Schema, Table
from heirwood.data.test_plan import plan_tests
from heirwood.stopped_error import StoppedError


@pytest.mark.parametrize("kind", ["numeric", "nominal", "integers"])
def test_it_is_left_soon_where_nobody_waits_for_it_however_many_columns_there_are(kind):
    """Once wide tables were planned to the end, or in blocks of many thousand columns."""
    values = np.random.default_rng(0).integers(0, 4, (5, 3_000)).astype(float)
    levels = tuple("abcd") if kind == "nominal" else ()
    columns = tuple(Column(f"c{i}", "nominal" if levels else "numeric", levels) for i in range(values.shape[1]))
    table = Table(Schema(columns), values)
    asked = []

    with pytest.raises(StoppedError):
        plan_tests(table, kind == "integers", 255, must_end=lambda: len(asked) == 2 or bool(asked.append(0)))

    assert len(asked) == 2
    plan_tests(table, kind == "integers", 255, must_end=lambda: bool(asked.append(0)))
    assert len(asked) - 2 >= values.shape[1] / 1_000
