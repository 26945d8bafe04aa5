"""Sets from OpenML: scikit-learn's own `fetch_openml`, against a stand-in server on the loopback."""

import socket

import numpy as np
import pytest
from sklearn.datasets import _openml

from lab.paper import sets_openml
from lab.paper.savings import run_grid
from lab.paper.sets import SETS, SetMissingError, load_set
from lab.paper.sets_openml import OPENML, NotFetchedError, OpenMLSet, fetch_set
from lab.paper.table3 import summarize, text_lines
from tests.lab.paper.data_folder import FOLDER, needs_folder
from tests.lab.paper.openml_server import OpenMLServer

SMALL = """@relation small
@attribute name {ann, bob, cid}
@attribute size numeric
@attribute colour {red, green, blue}
@attribute class {yes, no}
@data
bob,1.5,green,no
ann,?,blue,yes
cid,3,?,yes
ann,-2,red,no
"""
SMALL_SET = OpenMLSet("small", 2, "class", hidden={"name": 0})
RAW_FILES = {
    "zoo": "zoo", "credit-a": "credit-a", "lymph": "lymph", "glass": "glass", "vote": "vote", "anneal": "anneal-orig",
    "kr-vs-kp": "kr-vs-kp", "breast": "breast-cancer",
}  # fmt: skip


@pytest.fixture
def server(monkeypatch, tmp_path):
    monkeypatch.delenv("HEIRWOOD_DATA", raising=False)
    monkeypatch.delenv("HEIRWOOD_OFFLINE", raising=False)
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "cache"))
    monkeypatch.setattr(sets_openml, "_unreachable", [])
    with OpenMLServer() as server:
        monkeypatch.setattr(_openml, "urlopen", server.redirect)
        yield server


def made_up(name, rng):
    """Return ARFF with the shape and the classes of one of the paper's sets, and made-up values."""
    one = SETS[name]
    labels = [label for label, n in one.classes.items() for _ in range(n)]
    columns = "".join(f"@attribute a{place} {{x,y,z}}\n" for place in range(one.columns))
    rows = "".join(",".join([*rng.choice(["x", "y", "z", "?"], one.columns), label]) + "\n" for label in labels)
    return f"@relation r\n{columns}@attribute {OPENML[name].target} {{{','.join(one.classes)}}}\n@data\n{rows}"


def test_what_is_fetched_has_the_declared_levels_and_the_hidden_column_in_its_place(server):
    server.add("small", SMALL, version=2, ignored=["name"])

    dataset = fetch_set(SMALL_SET, ("yes", "no"))

    assert dataset.table.schema.names == ("name", "size", "colour")
    assert [column.levels for column in dataset.table.schema.columns] == [
        ("ann", "bob", "cid"),
        (),
        ("red", "green", "blue"),
    ]
    nan = np.nan
    np.testing.assert_array_equal(dataset.table.values, [[1, 1.5, 1], [0, nan, 2], [2, 3, nan], [0, -2, 0]])
    assert dataset.target.tolist() == ["no", "yes", "yes", "no"]
    assert dataset.name == "small, version 2 of OpenML"


def test_without_a_folder_a_set_of_the_paper_comes_from_openml(server):
    server.add("vote", made_up("vote", np.random.default_rng(0)))

    dataset = load_set("vote")

    assert len(dataset.table) == 435
    assert any("data_name/vote/limit/2/data_version/1" in path for path in server.asked)


def test_a_second_time_it_comes_from_the_cache(server):
    server.add("vote", made_up("vote", np.random.default_rng(0)))
    load_set("vote")
    n_asked = len(server.asked)

    load_set("vote")

    assert len(server.asked) == n_asked


def test_a_folder_that_is_named_is_all_that_is_looked_at(server, tmp_path):
    server.add("vote", made_up("vote", np.random.default_rng(0)))

    with pytest.raises(SetMissingError, match=r"vote\.arff, which is not in"):
        load_set("vote", tmp_path)

    assert server.asked == []


def test_a_set_that_openml_does_not_have_is_missing(server):
    with pytest.raises(SetMissingError, match=r"vote needs vote\.arff; .* vote with version 1 not found"):
        load_set("vote")


def test_another_version_than_was_asked_for_is_refused(server):
    server.add("small", SMALL, version=2, ignored=["name"])
    server.spoil = {"version": "7"}

    with pytest.raises(NotFetchedError, match="OpenML gave small, version 7, for small, version 2"):
        fetch_set(SMALL_SET, ("yes", "no"))


def test_another_number_of_rows_counts_as_missing(server):
    server.add("vote", made_up("vote", np.random.default_rng(0)).rsplit("\n", 2)[0] + "\n")

    with pytest.raises(SetMissingError, match=r"has 434 rows and 16 columns; the paper's vote has 435 and 16"):
        load_set("vote")


def test_a_file_that_was_changed_on_its_way_is_refused(server):
    server.add("vote", made_up("vote", np.random.default_rng(0)))
    server.spoil = {"md5_checksum": "0" * 32}

    with pytest.raises(SetMissingError, match="md5 checksum"):
        load_set("vote")


def test_without_a_network_every_set_is_missing_and_the_network_is_tried_once(server, monkeypatch):
    tried = []

    def no_network(request, *_, **__):
        tried.append(request.full_url)
        raise ConnectionRefusedError(111, "Connection refused")

    monkeypatch.setattr(_openml, "urlopen", lambda *words, **named: _as_urllib_does(no_network, *words, **named))

    grid = run_grid(["zoo", "vote", "balance-scale"], [6], [4])

    assert {url.split("data_name/")[1].split("/")[0] for url in tried} == {"zoo"}
    assert [cell.set for cell in grid.cells] == ["balance-scale"]
    text = "\n".join(text_lines(summarize(grid)))
    assert text.count("OpenML could not be reached: [Errno 111] Connection refused") == 2


def _as_urllib_does(connect, request, *rest, **named):
    from urllib.error import URLError

    try:
        return connect(request, *rest, **named)
    except OSError as error:
        raise URLError(error) from error


def test_a_server_that_says_nothing_is_given_up_on(server, monkeypatch):
    monkeypatch.setattr(sets_openml, "PATIENCE", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        from urllib.request import urlopen

        def to_silence(request):
            request.full_url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
            return urlopen(request)

        monkeypatch.setattr(_openml, "urlopen", to_silence)

        with pytest.raises(SetMissingError, match="OpenML could not be reached: timed out"):
            load_set("zoo")

    assert socket.getdefaulttimeout() is None


def test_offline_means_that_nobody_is_asked(server, monkeypatch):
    monkeypatch.setenv("HEIRWOOD_OFFLINE", "1")

    with pytest.raises(SetMissingError, match="OpenML is not asked, for HEIRWOOD_OFFLINE is set"):
        load_set("zoo")

    assert server.asked == []


def test_soybean_is_not_on_openml(server):
    with pytest.raises(SetMissingError, match=r"soybean needs soybean-small-first39\.arff; .*OpenML has no copy of it"):
        load_set("soybean")

    assert server.asked == []


@needs_folder
@pytest.mark.parametrize("name", OPENML)
def test_what_comes_from_openml_equals_what_comes_from_the_folder(name, server):
    """The raw files of the folder are those that OpenML has; the paper's bins are made here."""
    with open(f"{FOLDER}/{RAW_FILES[name]}.arff", encoding="utf-8") as file:
        server.add(OPENML[name].name, file.read(), ignored=OPENML[name].hidden)

    fetched, read = load_set(name), load_set(name, FOLDER)

    assert fetched.table.schema == read.table.schema
    np.testing.assert_array_equal(fetched.table.values, read.table.values)
    assert fetched.target.tolist() == [str(label) for label in read.target.tolist()]
