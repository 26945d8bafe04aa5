"""Files that are small and would take all memory: refused, with the option that lets them in."""

import contextlib
import csv
import gzip
import json
import re
import tracemalloc

import numpy as np
import pytest

from heirwood import EvolvedTreeClassifier, read_arff, read_csv
from heirwood.cli.scores import compare
from heirwood.data.costs_file import read_costs_file
from heirwood.data.readers import read_file
from heirwood.export.model_file import Model, ModelFileError, read_model, write_model
from heirwood.file_budgets import BUDGETS, EXPANSION, MODEL_BYTES, OBJECTS
from heirwood.strict_json import count_values, parse
from heirwood.tree_apply import find_leaves, ways
from heirwood.tree_view import Node, Question, TreeView

ROWS = b"a,b\n" + b"1,x\n2,y\n" * 2_000


def corrupt(content, place, byte):
    return content[:place] + bytes([byte]) + content[place + 1 :]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no gzip at all",
        gzip.compress(ROWS)[:-9],
        gzip.compress(ROWS)[:20],
        corrupt(gzip.compress(ROWS), 30, 0xFF),
        corrupt(gzip.compress(ROWS), -6, 0xFF),
        gzip.compress(ROWS) + b"rubbish behind it",
    ],
    ids=["empty", "none", "torn", "torn early", "flipped", "wrong checksum", "rubbish behind"],
)
def test_a_damaged_gzip_file_is_a_value_error_that_names_it(tmp_path, content):
    path = tmp_path / "rows.csv.gz"
    path.write_bytes(content)

    with pytest.raises(ValueError, match=r"rows\.csv\.gz is (a damaged gzip file|empty)"):
        read_csv(path)


@pytest.mark.parametrize("seed", range(80))
def test_no_byte_of_a_gzip_file_makes_another_kind_of_error(tmp_path, seed):
    rng = np.random.default_rng(seed)
    content = bytearray(gzip.compress(ROWS))
    for place in rng.integers(len(content), size=rng.integers(1, 4)):
        content[place] = rng.integers(256)
    path = tmp_path / "rows.csv.gz"
    path.write_bytes(bytes(content))

    with contextlib.suppress(ValueError):  # any other fails the test
        read_csv(path)


def test_a_bomb_is_refused_with_the_option(tmp_path, monkeypatch):
    path = tmp_path / "bomb.csv.gz"
    path.write_bytes(gzip.compress(b"a,b\n" + b"1,x\n" * 80_000))
    monkeypatch.setenv("HEIRWOOD_MAX_UNZIPPED", "1000")
    most = EXPANSION * path.stat().st_size

    with pytest.raises(ValueError, match=rf"bomb\.csv\.gz has more than {most:,} bytes .* HEIRWOOD_MAX_UNZIPPED"):
        read_csv(path)

    monkeypatch.setenv("HEIRWOOD_MAX_UNZIPPED", "10000000")
    assert read_csv(path).table.values.shape == (80_000, 1)


@pytest.mark.parametrize("name", ["rows.csv", "rows.csv.gz", "rows.arff"])
def test_a_line_that_is_too_long_is_refused_with_the_option(tmp_path, monkeypatch, name):
    path = tmp_path / name
    content = b"a,b\n1,x\n" + b"2" * 5_000 + b",y\n"
    if name.endswith("arff"):
        content = b"@relation r\n@attribute a numeric\n@attribute b {x,y}\n@data\n" + content[4:]
    path.write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    monkeypatch.setenv("HEIRWOOD_MAX_LINE", "1000")

    with pytest.raises(ValueError, match=r"Line \d+ of rows\S+ has more than 1,000 characters .* HEIRWOOD_MAX_LINE"):
        (read_arff if name.endswith("arff") else read_csv)(path)


def test_a_row_on_many_lines_is_too_long_as_well(tmp_path, monkeypatch):
    path = tmp_path / "rows.csv"
    path.write_text("a,b\n" + '1,"x\n' + "y\n" * 1_000 + '"\n')
    monkeypatch.setenv("HEIRWOOD_MAX_LINE", "1000")

    with pytest.raises(ValueError, match=r"A row of rows\.csv .* HEIRWOOD_MAX_LINE"):
        read_csv(path)


def sparse(n_columns, n_rows):
    header = "".join(f"@attribute a{i} numeric\n" for i in range(n_columns))
    return f"@relation r\n{header}@attribute class {{x,y}}\n@data\n" + f"{{0 1,{n_columns} y}}\n" * n_rows


def test_sparse_rows_that_stand_for_too_many_cells_are_refused_with_the_option(tmp_path, monkeypatch):
    path = tmp_path / "rows.arff"
    path.write_text(sparse(1_000, 50))
    monkeypatch.setenv("HEIRWOOD_MAX_FILLED_IN", "20000")

    with pytest.raises(ValueError, match=r"rows\.arff has more than 20,000 cells .* HEIRWOOD_MAX_FILLED_IN"):
        read_arff(path)

    monkeypatch.setenv("HEIRWOOD_MAX_FILLED_IN", "50000")
    assert read_arff(path).table.values.shape == (50, 1_000)


def test_a_sparse_row_of_many_values_takes_time_by_its_length(tmp_path):
    path = tmp_path / "rows.arff"
    n = 20_000
    row = "{" + ",".join(f"{i} 1" for i in range(n)) + f",{n} y}}\n"
    path.write_text(sparse(n, 0) + row)

    assert read_arff(path).table.values.sum() == n  # in a second; once it was as the square of it


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (r"'\ud83d\ude00'", "\U0001f600"),
        (r"'\u00e4'", "ä"),
    ],
)
def test_escapes_of_one_character_are_one(tmp_path, value, words):
    path = tmp_path / "rows.arff"
    path.write_text(f"@relation r\n@attribute a {{{value}, x}}\n@attribute b {{x,y}}\n@data\n{value},x\nx,y\n")

    assert read_arff(path).table.schema.columns[0].levels[0] == words


def test_half_a_character_is_refused(tmp_path):
    path = tmp_path / "rows.arff"
    path.write_text("@relation r\n@attribute a {'\\ud83d', x}\n@attribute b {x,y}\n@data\nx,y\n")

    with pytest.raises(ValueError, match=r"Line 2 of rows\.arff: .* half of a surrogate pair"):
        read_arff(path)


def zipped(path, content):
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


CSV_OF_COMMAS = b"a,b,c,d,e\n" + b",,,,\n" * 20_000
ATTRIBUTES = b"@relation r\n" + b"".join(b"@attribute %c real\n" % c for c in b"abcde") + b"@data\n"
ARFF_OF_GAPS = ATTRIBUTES + b"?,?,?,?,?\n" * 20_000


@pytest.mark.parametrize(("name", "content"), [("rows.csv.gz", CSV_OF_COMMAS), ("rows.arff.gz", ARFF_OF_GAPS)])
def test_many_cells_from_few_bytes_are_refused_with_the_option(tmp_path, monkeypatch, name, content):
    path = zipped(tmp_path / name, content)
    monkeypatch.setenv("HEIRWOOD_MAX_CELLS", "10000")

    with pytest.raises(ValueError, match=rf"{name} has more than 10,000 cells .* HEIRWOOD_MAX_CELLS"):
        read_file(path, target=False)

    monkeypatch.setenv("HEIRWOOD_MAX_CELLS", "100000")
    assert read_file(path, target=False).table.values.shape == (20_000, 5)


@pytest.mark.parametrize("name", ["rows.csv", "rows.arff"])
def test_a_file_that_is_not_zipped_has_never_too_many_cells(tmp_path, monkeypatch, name):
    path = zipped(tmp_path / name, CSV_OF_COMMAS[:260] if name.endswith("csv") else ATTRIBUTES + b"?,?,?,?,?\n" * 50)
    monkeypatch.setenv("HEIRWOOD_MAX_CELLS", "1")

    assert read_file(path, target=False).table.values.shape == (50, 5)


@pytest.mark.parametrize("name", ["rows.csv", "rows.arff"])
def test_too_many_columns_are_refused_with_the_option(tmp_path, monkeypatch, name):
    header = ",".join(f"c{i}" for i in range(101))
    attributes = "".join(f"@attribute c{i} real\n" for i in range(101))
    row = ",".join("1" * 101) + "\n"
    (tmp_path / name).write_text(
        f"{header}\n{row}" if name.endswith("csv") else f"@relation r\n{attributes}@data\n{row}"
    )
    monkeypatch.setenv("HEIRWOOD_MAX_COLUMNS", "100")

    with pytest.raises(ValueError, match=rf"{name} has more than 100 columns, .* HEIRWOOD_MAX_COLUMNS"):
        read_file(tmp_path / name)

    monkeypatch.setenv("HEIRWOOD_MAX_COLUMNS", "101")
    assert len(read_file(tmp_path / name).table.schema) == 100


TEXTS_OF_A = [f"t{i}" for i in range(10_000)]
HEADERS = {
    "rows.csv": "a,b\n",
    "rows.arff": "@relation r\n@attribute a string\n@attribute b {x}\n@data\n",
    "declared.arff": f"@relation r\n@attribute a {{{','.join(TEXTS_OF_A)}}}\n@attribute b {{x}}\n@data\n",
}


@pytest.mark.parametrize("name", HEADERS)
def test_too_many_levels_are_refused_with_the_option(tmp_path, monkeypatch, name):
    path = tmp_path / name
    path.write_text(HEADERS[name] + "".join(f"{text},x\n" for text in TEXTS_OF_A))
    monkeypatch.setenv("HEIRWOOD_MAX_LEVELS", "5000")

    with pytest.raises(ValueError, match=rf"{name} has more than 5,000 different texts .* HEIRWOOD_MAX_LEVELS"):
        read_file(path)

    monkeypatch.setenv("HEIRWOOD_MAX_LEVELS", "10010")
    assert len(read_file(path).table.schema.columns[0].levels) == 10_000


@pytest.mark.parametrize("name", ["rows.csv", "rows.arff"])
def test_a_table_is_in_memory_once_while_it_is_read(tmp_path, monkeypatch, name):
    path = zipped(tmp_path / name, CSV_OF_COMMAS if name.endswith("csv") else ARFF_OF_GAPS)
    monkeypatch.setattr("heirwood.data.csv_reader.BATCH", 100)
    monkeypatch.setattr("heirwood.data.arff_reader.BATCH", 100)
    read_file(path, target=False)

    tracemalloc.start()
    table = read_file(path, target=False).table
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    # Python counts the room for the table before columns move there, one by one; the system does not, so to it a
    # table is there once.
    a_column = 8 * len(table)
    assert peak < 2 * table.values.nbytes + a_column  # once 3 times, and to the system as well


@pytest.mark.parametrize("name", ["rows.csv", "rows.csv.gz"])
def test_wide_rows_are_read_a_few_at_a_time(tmp_path, monkeypatch, name):
    n_columns = 1_000
    path = zipped(tmp_path / name, ",".join(f"c{i}" for i in range(n_columns)).encode() + (b"\n" + b"," * 999) * 150)
    monkeypatch.setattr("heirwood.data.csv_reader.CELLS", 10_000)

    tracemalloc.start()
    table = read_csv(path, target=False).table
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert table.values.shape == (150, n_columns)
    assert peak < 2 * table.values.nbytes + 1_500 * n_columns  # once four times the table


# ---- models ----


def chain(n):
    """Return a tree of n questions, each asked of the rows that passed the one before it."""
    asked = [Node(Question(0, "a", "<=", float(-i)), 2 * (n - i) + 1, 0, n - i + 1, (n - i + 1.0,)) for i in range(n)]
    return TreeView((*asked, *[Node(None, 1, 0, 1, (1.0,))] * (n + 1)), ("x",))


def test_a_model_of_too_many_values_is_refused_before_they_are_made(tmp_path, monkeypatch):
    path = tmp_path / "model.json"
    path.write_text("[" + "[]," * 100_000 + "[]]")
    monkeypatch.setenv("HEIRWOOD_MAX_OBJECTS", "50000")

    with pytest.raises(ModelFileError, match=r"more than 50,000 values in JSON.* HEIRWOOD_MAX_OBJECTS"):
        read_model(path)


def test_a_tree_that_is_too_deep_is_refused_with_the_option(monkeypatch):
    document = json.loads(json.dumps(chain(300).to_dict()))
    monkeypatch.setenv("HEIRWOOD_MAX_DEPTH", "299")

    with pytest.raises(ValueError, match=r"more than 299 questions on one path.* HEIRWOOD_MAX_DEPTH"):
        TreeView.from_dict(document)

    monkeypatch.setenv("HEIRWOOD_MAX_DEPTH", "300")
    assert TreeView.from_dict(document) == chain(300)


@pytest.mark.parametrize(
    ("variable", "what"),
    [
        ("HEIRWOOD_MAX_DEPTH", "questions on one path"),
        ("HEIRWOOD_MAX_OBJECTS", "values in JSON"),
        ("HEIRWOOD_MAX_MODEL_BYTES", "bytes"),
    ],
)
def test_what_fit_made_is_saved_and_the_budget_it_needs_is_said(tmp_path, monkeypatch, variable, what):
    path = tmp_path / "model.json"
    X = np.arange(8.0)[:, None]
    tree = EvolvedTreeClassifier(population_size=10, generations=5, payoff="fewest_errors", random_state=0).fit(
        X, [0, 1, 0, 1, 0, 1, 0, 1]
    )
    monkeypatch.setenv(variable, "1")

    with pytest.warns(UserWarning, match=rf"model\.json is written, and has .* {what}, .* {variable} to \d+") as said:
        tree.save(path)

    with pytest.raises(ModelFileError, match=rf"model\.json.* more than 1 {what}.* {variable}"):
        EvolvedTreeClassifier.load(path)
    enough = re.search(r"to (\d+) or more", str(said[0].message))[1]
    monkeypatch.setenv(variable, enough)
    assert EvolvedTreeClassifier.load(path).predict(X).tolist() == tree.predict(X).tolist()
    monkeypatch.setenv(variable, str(int(enough) - 1))
    with pytest.raises(ModelFileError, match=variable):
        EvolvedTreeClassifier.load(path)


def test_a_model_of_many_classes_and_sizes_is_within_the_budgets(tmp_path):
    classes, weights = tuple(range(160)), (12_345.0,) * 160
    leaves = Node(None, 1, 0, 12_345, weights), Node(None, 1, 159, 12_345, weights)
    asked = Question(0, "a column with a long name", "<=", 1234.5678901234)
    tree = TreeView((Node(asked, 3, 0, 24_690, tuple(2 * w for w in weights)), *leaves), classes)
    columns = [{"name": asked.attribute, "kind": "numeric"}]

    write_model(Model(columns, classes, (tree,) * 10, 0), tmp_path / "model.json")

    share = 256**2 / 30  # what this file has of the nodes of a hall with 256 sizes
    text = (tmp_path / "model.json").read_text()
    assert count_values(text) * share < OBJECTS.default / 2
    assert len(text) * share < MODEL_BYTES.default / 2


N = 5_000
TEXTS = {
    "lists": "[" + "[]," * N + "[]]",
    "lists within lists": "[" + ("[" * 400 + "]" * 400 + ",") * 50 + "[]]",
    "objects": "[" + '{"a":0},' * N + "{}]",
    "objects within objects": "[" + ('{"a":' * 400 + "0" + "}" * 400 + ",") * 50 + "0]",
    "names": "{" + ",".join(f'"{k:x}":0' for k in range(N)) + "}",
    "texts": "[" + ",".join(f'"{chr(0x4E00 + k)}"' for k in range(N)) + "]",
    "numbers": "[" + ",".join(f"{k}.5" for k in range(N)) + "]",
}


@pytest.mark.parametrize("name", TEXTS)
def test_no_value_takes_more_memory_than_the_budget_reckons_with(name):
    parse("[0]")
    tracemalloc.start()
    document = parse(TEXTS[name])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert document
    assert peak / count_values(TEXTS[name]) < 80


def test_ways_through_a_long_chain_take_no_more_than_they_are_long():
    n = 20_000
    tree = chain(n)
    X = -np.linspace(0, n, 20)[:, None]

    found = ways(tree, find_leaves(tree, X))

    assert found.shape == (20, 2 * n + 1)
    assert found.nnz == sum(len(tree.path(leaf)) + 1 for leaf in find_leaves(tree, X).tolist())


@pytest.mark.parametrize("text", ["0", "-5", "many", "1.5"])
def test_a_budget_that_is_no_number_is_refused(monkeypatch, text):
    monkeypatch.setenv("HEIRWOOD_MAX_DEPTH", text)

    with pytest.raises(ValueError, match=f"HEIRWOOD_MAX_DEPTH is '{text}'; expected a whole number"):
        TreeView.from_dict(chain(2).to_dict())


@pytest.mark.parametrize("budget", BUDGETS, ids=lambda budget: budget.variable)
def test_every_budget_has_a_name_of_its_own(budget):
    assert budget.variable.startswith("HEIRWOOD_MAX_")
    assert budget.most == budget.default


# ---- classes ----


def test_more_classes_than_anybody_means_are_refused_before_they_take_memory(monkeypatch):
    """Every one of 50,000 would be compared with every other: 20 GB."""
    y = np.arange(50_000)
    tracemalloc.start()
    with pytest.raises(ValueError, match=r"The target has more than 2,000 classes.* HEIRWOOD_MAX_CLASSES to a larger"):
        EvolvedTreeClassifier().fit(y[:, None], y)
    assert tracemalloc.get_traced_memory()[1] < 50 * 2**20
    tracemalloc.stop()

    monkeypatch.setenv("HEIRWOOD_MAX_CLASSES", "9")
    with pytest.raises(ValueError, match="more than 9 classes"):
        EvolvedTreeClassifier(generations=1).fit(np.arange(40)[:, None], np.arange(40) % 10)
    monkeypatch.setenv("HEIRWOOD_MAX_CLASSES", "10")
    EvolvedTreeClassifier(generations=1).fit(np.arange(40)[:, None], np.arange(40) % 10)


def test_a_model_of_more_classes_is_refused_too(tmp_path, monkeypatch):
    path = tmp_path / "model.json"
    EvolvedTreeClassifier(generations=1).fit(np.arange(40)[:, None], np.arange(40) % 10).save(path)

    monkeypatch.setenv("HEIRWOOD_MAX_CLASSES", "9")

    with pytest.raises(ModelFileError, match="more than 9 classes"):
        EvolvedTreeClassifier.load(path)


def test_a_table_of_more_classes_is_not_scored(monkeypatch):
    monkeypatch.setenv("HEIRWOOD_MAX_CLASSES", "9")

    with pytest.raises(ValueError, match="The table has more than 9 classes"):
        compare(list(map(str, range(10))), ["0"] * 10, ["0", "1"])


# ---- long fields ----


@pytest.mark.parametrize("quote", ["", '"'])
def test_a_field_may_be_as_long_as_its_line(tmp_path, quote, monkeypatch):
    path = tmp_path / "rows.csv"
    long = "x" * 200_000  # more than the csv module takes unless it is told
    path.write_text(f"a,b\n{quote}{long}{quote},yes\nshort,no\n")

    assert read_csv(path).table.schema.columns[0].levels == ("short", long)
    assert csv.field_size_limit() == 131_072  # of the whole process

    monkeypatch.setenv("HEIRWOOD_MAX_LINE", "150000")
    with pytest.raises(ValueError, match=r"rows\.csv has more than 150,000 characters in one line.*HEIRWOOD_MAX_LINE"):
        read_csv(path)


def test_a_row_of_costs_over_many_lines_is_one_line(tmp_path, monkeypatch):
    path = tmp_path / "costs.csv"
    path.write_text('true,a,b\na,0,"' + "1\n" * 1_000 + '"\nb,1,0\n')
    monkeypatch.setenv("HEIRWOOD_MAX_LINE", "1000")

    with pytest.raises(ValueError, match=r"A row of costs\.csv \(it goes over .* HEIRWOOD_MAX_LINE"):
        read_costs_file(path, np.array(["a", "b"]))
