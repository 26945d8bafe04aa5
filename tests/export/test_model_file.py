import errno
import json
import os
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from heirwood.export import model_file
from heirwood.export.model_file import Model, ModelFileError, read_model, write_model
from heirwood.file_budgets import MODEL_BYTES
from heirwood.tree_view import Node, Question, TreeView
from tests.export.some_trees import at_most, equals, grow

COLUMNS = [
    {"name": "age", "kind": "numeric"},
    {"name": "colour", "kind": "nominal", "levels": ["blue", "red"]},
]


def small_model(**changes):
    classes = ("no", "yes")
    trees = (
        grow([4, 6], classes),
        grow((at_most("age", 41.5), (equals("colour", "red", 1, column=1), [3, 1], [1, 2]), [0, 3]), classes),
    )
    parts = {
        "chosen": 1,
        "seed": 7,
        "parameters": {"x": 1e4},
        "facts": {"generations": 12, "payoffs": [0.6, 0.8]},
    }
    return Model(COLUMNS, classes, trees, **(parts | changes))


def document():
    return json.loads(model_file._to_text(small_model()))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "small.json"


# Any model that can be: columns first, then trees that ask about them.

finite = st.floats(allow_nan=False, allow_infinity=False)
integers = st.integers(-(2**63), 2**63)
words = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
families = st.sampled_from([words, integers, finite, st.booleans()])
columns = st.fixed_dictionaries({"name": words, "kind": st.just("numeric")}) | families.flatmap(
    lambda values: st.fixed_dictionaries(
        {
            "name": words,
            "kind": st.just("nominal"),
            "levels": st.lists(values, unique=True, min_size=1, max_size=3),
        }
    )
)
free = st.dictionaries(
    words,
    st.recursive(
        st.none() | st.booleans() | integers | finite | words,
        lambda inside: st.lists(inside, max_size=2) | st.dictionaries(words, inside, max_size=2),
        max_leaves=4,
    ),
    max_size=3,
)


@st.composite
def questions(draw, table):
    place = draw(st.integers(0, len(table) - 1))
    name, levels, twin = table[place]["name"], table[place].get("levels"), draw(st.booleans())
    if draw(st.booleans()):
        return Question(place, name, "missing", None)
    if levels is None:
        return Question(place, name, "<=", draw(finite | integers), missing_passes=twin)
    code = draw(st.integers(0, len(levels) - 1))
    return Question(place, name, "=", levels[code], code, twin)


@st.composite
def trees(draw, table, classes):
    def nodes(depth):
        if depth == 0 or draw(st.booleans()):
            # Eighths add up exactly, as weights in fixed point do.
            weights = draw(st.lists(st.integers(0, 10**6), min_size=len(classes), max_size=len(classes)))
            return [leaf(draw(st.integers(0, 99)), tuple(w / 8 for w in weights))]
        left, right = nodes(depth - 1), nodes(depth - 1)
        weights = tuple(a + b for a, b in zip(left[0].weights, right[0].weights, strict=True))
        span, n_rows = 1 + len(left) + len(right), left[0].n_rows + right[0].n_rows
        return [Node(draw(questions(table)), span, draw(labels), n_rows, weights), *left, *right]

    def leaf(n_rows, weights):
        return Node(None, 1, draw(labels), n_rows, weights)

    labels = st.integers(0, len(classes) - 1)
    return TreeView(tuple(nodes(3)), classes)


@st.composite
def models(draw):
    table = draw(st.lists(columns, min_size=1, max_size=3, unique_by=lambda column: column["name"]))
    classes = tuple(draw(st.lists(draw(families), unique=True, min_size=1, max_size=3)))
    hall = draw(st.lists(trees(table, classes), min_size=1, max_size=3))
    return Model(
        table,
        classes,
        tuple(sorted(hall, key=lambda tree: tree.n_leaves)),
        draw(st.integers(0, len(hall) - 1)),
        draw(st.none() | st.integers(0, 2**64 - 1)),
        draw(free),
        draw(free),
    )


@given(model=models())
def test_what_is_written_is_read_exactly(model, tmp_path_factory):
    path = tmp_path_factory.getbasetemp() / "round_trip.json"

    write_model(model, path)

    # repr tells 1 from 1.0 and True, and 0.0 from -0.0; == would not.
    assert repr(read_model(path)) == repr(model)


# A real file, bent.

WHOLE = model_file._to_text(small_model()).encode()
TOKENS = [
    b"-1",
    b"1e999",
    b"null",
    b"true",
    b'"',
    b"{",
    b"[[",
    b"NaN",
    b"\xff",
    b"\\ud800",
    b"9" * 30,
    b",",
    b"\x00",
]


@given(data=st.data())
def test_a_damaged_file_is_refused_or_is_a_sound_model(data, tmp_path_factory):
    content = bytearray(WHOLE)
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(content)))
        kind = data.draw(st.sampled_from(["flip", "cut", "insert", "drop"]))
        if kind == "flip" and place < len(content):
            content[place] ^= data.draw(st.integers(1, 255))
        elif kind == "cut":
            del content[place:]
        elif kind == "insert":
            content[place:place] = data.draw(st.sampled_from(TOKENS))
        else:
            del content[place : place + data.draw(st.integers(1, 20))]
    path = tmp_path_factory.getbasetemp() / "damaged.json"
    path.write_bytes(content)

    try:
        model = read_model(path)
    except ModelFileError:
        return  # anything else that is raised fails the test
    write_model(model, path)
    assert read_model(path) == model


@pytest.mark.parametrize("end", range(0, len(WHOLE) - 2, 7))
def test_a_file_that_was_cut_short_is_refused(end, path):
    path.write_bytes(WHOLE[:end])

    with pytest.raises(ModelFileError, match="not whole, or not JSON"):
        read_model(path)


def bent(*steps_and_value):
    *steps, last, value = steps_and_value
    whole = document()
    inside = whole
    for step in steps:
        inside = inside[step]
    inside[last] = value
    return json.dumps(whole)


QUESTION = ("trees", 1, 0, "question")
LEVEL = ("trees", 1, 1, "question")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not whole, or not JSON"),
        ("[]", "a model file holds an object; this one holds a list"),
        ("{}", 'not a model file: its "format" is not "heirwood-model"'),
        ("[" * 100_000, "nested too deeply"),
        (bent("format", "pickle"), 'not a model file: its "format"'),
        (bent("version", 3), "this library reads up to version 2; upgrade heirwood to read it"),
        (bent("version", True), '"version" must be an int of at least 1; got True'),
        (bent("version", 0), '"version" must be an int of at least 1; got 0'),
        (bent("more", 1), "the entry 'more' is not known"),
        ('{"format": "heirwood-model", "version": 1}', "the entry 'seed' is not there"),
        ('{"format": "heirwood-model", "format": "heirwood-model"}', "the entry 'format' comes twice"),
        (bent("facts", {"payoff": float("nan")}), "NaN is not a number"),
        (bent("facts", {"payoff": float("-inf")}), "-Infinity is not a number"),
        (bent("facts", "payoff", 12345).replace("12345", "1e999"), "the number 1e999 is too large"),
        (bent("facts", "rows", 10**20), "an integer of 21 digits is not read"),
        (bent("facts", "name", "\ud800"), "half of a surrogate pair"),
        (bent("facts", "deep", json.loads("[" * 60 + "]" * 60)), "facts are nested more than 50 deep"),
        (bent("facts", []), "facts must be an object; got a list"),
        (bent("classes", {}), "classes must be a list; got a dict"),
        (bent("classes", ["no", 1]), "classes must all be of one type"),
        (bent("classes", ["no", "no"]), "classes must be distinct"),
        (bent("classes", ["no", None]), "a class must be a str, int, float or bool"),
        (bent("trees", []), "chosen must be the place of one of the 0 trees"),
        (bent("trees", 0, {}), "tree 0: nodes must be a list; got dict"),
        (bent("trees", document()["trees"][::-1]), "trees must be ordered by their number of leaves"),
        (bent("chosen", 2), "chosen must be the place of one of the 2 trees; got 2"),
        (bent("chosen", -1), "chosen must be the place of one of the 2 trees; got -1"),
        (bent("chosen", True), "chosen must be the place of one of the 2 trees; got True"),
        (bent("seed", 1.0), "seed must be null or an int of at least 0; got 1.0"),
        (bent("seed", -1), "seed must be null or an int of at least 0; got -1"),
        (bent("columns", 0, "kind", "date"), "'date'"),
        (bent("columns", 0, "name", "colour"), "occurs twice"),
        (bent("columns", 1, "levels", ["red", "red"]), "occurs twice"),
        (bent(*QUESTION, "column", 2), "asks for column 2; there are 2 columns"),
        (bent(*QUESTION, "column", 1), "says 'age', but its column is 'colour'"),
        (bent(*QUESTION, "value", "x"), "the cut of the question of node 0 must be a number"),
        (bent(*LEVEL, "code", 2), "has code 2; its column has 2 levels"),
        (bent(*LEVEL, "code", 0), "says 'red', but its code stands for 'blue'"),
        (
            bent("columns", 0, {"name": "age", "kind": "nominal", "levels": [1]}),
            "has a cut, but column 'age' is nominal",
        ),
    ],
)
def test_a_file_that_is_not_a_sound_model_is_refused(text, message, path):
    path.write_text(text)

    with pytest.raises(ModelFileError) as refusal:
        read_model(path)

    assert message in str(refusal.value)
    assert str(refusal.value).startswith(str(path))


def test_a_level_of_another_type_is_another_level(path):
    levels = {"name": "colour", "kind": "nominal", "levels": [0, 1]}
    whole = document()
    whole["columns"][1] = levels
    whole["trees"][1][1]["question"]["value"] = 1.0
    path.write_text(json.dumps(whole))

    with pytest.raises(ModelFileError, match=r"says 1.0, but its code stands for 1"):
        read_model(path)


def test_a_file_too_large_is_refused_before_it_is_read(path):
    with open(path, "wb") as file:
        file.truncate(MODEL_BYTES.default + 1)  # a hole: it takes no room on disk

    with pytest.raises(ModelFileError, match=r"more than 268,435,456 bytes, .* HEIRWOOD_MAX_MODEL_BYTES"):
        read_model(path)


def test_a_file_that_is_not_utf8_is_refused(path):
    path.write_bytes(b"\x80\x04\x95")

    with pytest.raises(ModelFileError, match="not a text in UTF-8"):
        read_model(path)


def test_a_file_that_is_not_there_is_an_os_error(path):
    with pytest.raises(FileNotFoundError):
        read_model(path)


def test_a_file_has_one_node_a_line_and_ends_with_a_newline(path):
    write_model(small_model(), path)

    text = path.read_text(encoding="utf-8")
    assert text.endswith("}\n")
    assert '\n   {"span": 1, "label": 1, "n_rows": 3, "weights": [1, 2]},\n' in text


@pytest.mark.parametrize(
    "changes",
    [
        {"parameters": {"pair": (1, 2)}},
        {"parameters": {"inner": {1: 2}}},
        {"parameters": {1: 2}},
        {"facts": {"payoff": float("nan")}},
        {"facts": {"what": object()}},
        {"facts": {"name": "\ud800"}},
        {"chosen": 2},
        {"seed": 10**30},
    ],
)
def test_a_model_that_would_not_read_back_is_not_written(changes, path):
    write_model(small_model(), path)
    before = path.read_bytes()

    with pytest.raises(ModelFileError, match="the model cannot be written"):
        write_model(small_model(**changes), path)

    assert path.read_bytes() == before


def test_a_tree_with_other_classes_is_not_written(path):
    stranger = small_model(chosen=0).trees[0]
    model = Model(COLUMNS, ("no", "maybe"), (stranger,), 0)

    with pytest.raises(ModelFileError, match="a tree has other classes than the model"):
        write_model(model, path)


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(path, monkeypatch):
    write_model(small_model(seed=1), path)

    def fail(*_):
        raise OSError(errno.ENOSPC, "disk full")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="disk full"):
        write_model(small_model(seed=2), path)

    assert [file.name for file in path.parent.iterdir()] == [path.name]
    assert read_model(path).seed == 1


@pytest.mark.skipif(os.name == "nt", reason="Windows has no permission bits to keep")
def test_a_new_file_has_the_permissions_of_any_other_file(path):
    other = path.with_name("other")
    other.touch()

    write_model(small_model(), path)

    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(other.stat().st_mode)


@pytest.mark.parametrize("name", ["", "a\0b", "nowhere/model.json", "folder"])
def test_what_the_system_says_is_an_error_of_model_files_as_well(tmp_path, name):
    (tmp_path / "folder").mkdir()
    path = f"{tmp_path}/{name}" if name else str(tmp_path)
    for access in (lambda: read_model(path), lambda: write_model(small_model(), path)):
        with pytest.raises(ModelFileError) as caught:
            access()

        assert isinstance(caught.value, OSError) or "has a NUL character in it" in str(caught.value)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no permission bits to keep")
def test_a_model_that_is_saved_again_keeps_its_permissions(path):
    write_model(small_model(), path)
    path.chmod(0o640)

    write_model(small_model(), path)

    assert stat.S_IMODE(path.stat().st_mode) == 0o640
