"""Files of data that were made up or damaged: refused with a ValueError, or read to a sound table."""

import gzip

import numpy as np

from heirwood import read_arff, read_csv
from heirwood.data.arff_writer import write_arff
from heirwood.data.costs import read_costs
from heirwood.data.costs_file import read_costs_file
from heirwood.data.readers import read_file
from tests.fuzz.mutate import mutated_bytes, some

ALLOWED = (ValueError,)
CLASSES = np.array(["no", "yes"])
VALUES = [
    "1", "2.5", "-3", "1e5", "1e400", "0x10", "inf", "nan", "NaN", "?", "NA", "", "''", '""', "a", "b", "a b", "'a, b'",
    '"c,d"', '"e""f"', "'g\\'h'", "\\u0041", "'\\ud83d'", "{", "}", "%", "a%b", "\t", "1_0",
    "\u0665", "\xe4", "\U0001f600", "=1", "-0", "01", "true", "False", "\u2028", "\x1c", "x" * 50, "1,2",
    "'unclosed", '"unclosed',
]  # fmt: skip


def make_case(rng):
    """Return a file: its name and its bytes."""
    kind = some(rng, ["csv"] * 5 + ["arff"] * 5 + ["costs.csv"])
    make = {"csv": _csv, "arff": _arff, "costs.csv": _costs}[kind]
    data = make(rng).encode(some(rng, ["utf-8"] * 6 + ["utf-8-sig", "utf-16"]))
    if rng.random() < 0.5:
        data = mutated_bytes(rng, data)
    name = f"rows.{kind}"
    if rng.random() < 0.25:
        data, name = gzip.compress(data, mtime=0), f"{name}.gz"
        if rng.random() < 0.7:
            data = mutated_bytes(rng, data)
    return {"name": name, "data": data}


def _csv(rng):
    n = int(rng.integers(1, 5))
    end = some(rng, ["\n"] * 4 + ["\r\n", "\r"])
    names = [some(rng, ["a", "b", "c", "d", "class", '"x, y"', "a"]) for _ in range(n)]
    columns = [_column(rng) for _ in range(n)]
    rows = [[_value(rng, column) for column in columns] for _ in range(int(rng.integers(0, 12)))]
    return end.join([",".join(names), *(",".join(row) for row in rows)]) + end


def _arff(rng):
    n = int(rng.integers(1, 5))
    types = [
        some(rng, ["numeric", "real", "{a,b}", "{x, 'y z', \"w\"}", "string", "{}", "date", "{a,a}"]) for _ in range(n)
    ]
    lines = ["@relation r", *(f"@attribute {some(rng, 'abcde')}{i} {kind}" for i, kind in enumerate(types)), "@data"]
    pick = {"numeric": ["1", "2.5", "?"], "real": ["-1e3", "7"], "{a,b}": ["a", "b", "?"], "string": ["s", "'t u'"]}
    for _ in range(int(rng.integers(0, 12))):
        if rng.random() < 0.2:
            lines.append("{" + ", ".join(f"{i} {_value(rng, pick.get(t, VALUES))}" for i, t in enumerate(types)) + "}")
        else:
            lines.append(
                some(rng, [",", ", ", "\t"]).join(_value(rng, pick.get(kind, ["x", "'y z'"])) for kind in types)
            )
    return "\n".join(lines) + "\n"


def _costs(rng):
    names = some(rng, [["no", "yes"], ["yes", "no"], ["no", "yes", "no"], ["no"]])
    end = some(rng, ["\n", "\r\n", "\n\n", "\n,\n"])
    rows = [[name, *(some(rng, ["0", "0", "1", "5", "0.5", *VALUES]) for _ in names)] for name in names]
    return end.join(",".join(row) for row in [["true", *names], *rows]) + end


def _column(rng):
    return some(rng, [["1", "2", "3.5", "-4"], ["a", "b"], ["1", "a"], ["yes", "no", "?"], ["1", "", "NA"], VALUES])


def _value(rng, column):
    return some(rng, VALUES) if rng.random() < 0.03 else some(rng, column)


def run_case(case, folder):
    """Read the file, follow its schema, and write it again as ARFF: the same table every time."""
    path = folder / case["name"]
    path.write_bytes(case["data"])
    if "costs" in case["name"]:
        costs = read_costs_file(path, CLASSES)
        assert set(costs) == {(true, predicted) for true in CLASSES.tolist() for predicted in CLASSES.tolist()}
        assert read_costs(costs, CLASSES).shape == (2, 2)
        return
    data = read_file(path, target=False)
    table = data.table
    assert table.values.shape == (len(table), len(table.schema))
    assert len(table) > 0
    assert not np.isinf(table.values).any()
    for place, column in enumerate(table.schema.columns):
        if column.kind == "nominal":
            codes = table.values[:, place]
            codes = codes[~np.isnan(codes)]
            assert ((codes >= 0) & (codes < len(column.levels)) & (codes % 1 == 0)).all()
    again = read_file(path, target=False, schema=table.schema).table
    assert np.array_equal(again.values, table.values, equal_nan=True)
    if path.suffix == ".csv":
        assert read_csv(path, target=False).table.schema == table.schema
    written = folder / "written.arff"
    write_arff(data, written)
    back = read_arff(written, target=False).table
    assert np.array_equal(back.values, table.values, equal_nan=True)
