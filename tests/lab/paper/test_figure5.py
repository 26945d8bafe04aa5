from xml.etree import ElementTree

import numpy as np
import pytest

from heirwood import monks
from lab.paper.figure5 import CURVES, LAST_K, figure5, place
from lab.paper.figure5_runs import ONE_CHANGE, SCHEME, Point, estimator_of, run, start

SVG = "{http://www.w3.org/2000/svg}"
POINTS = [
    Point(SCHEME, "<table>", 1e4, (1, 50), 4.0, 0.5),
    Point(ONE_CHANGE, "monks-1", 1e4, (1, 50), 16.0, 0.25),
]


def drawn(points=(), **options):
    return ElementTree.fromstring(figure5(points, **options))


def test_each_curve_passes_through_what_theory_says():
    paths = [path for path in drawn().iter(f"{SVG}path") if path.get("class") == "curve"]

    assert [path.findtext(f"{SVG}title") for path in paths] == [curve.name for curve in CURVES]
    for curve, path in zip(CURVES, paths, strict=True):
        at = [tuple(map(float, pair.split())) for pair in path.get("d")[1:].split("L")]
        assert len(at) == LAST_K
        for k in (1, 10, LAST_K):
            assert at[k - 1] == pytest.approx(place(k, 1 - float(curve.ratio(k))), abs=0.01)


def test_the_axis_is_logarithmic():
    x = [place(k, 0)[0] for k in (1, 2, 4, 8)]

    assert np.diff(x) == pytest.approx([x[1] - x[0]] * 3)


def test_every_point_is_drawn_at_its_depth_and_saving_with_its_story():
    root = drawn(POINTS)

    circle = next(circle for circle in root.iter(f"{SVG}circle") if len(circle))
    assert (float(circle.get("cx")), float(circle.get("cy"))) == pytest.approx(place(4, 0.5), abs=0.01)
    assert circle.findtext(f"{SVG}title").startswith("the paper's scheme, <table>, x = 10,000, generations 1 to 50")
    assert sum(element.get("class") == "point" for element in root.iter()) == len(POINTS) + 2  # and the key


def test_the_caption_says_what_the_points_are():
    words = " ".join(text.text for text in drawn(POINTS).iter(f"{SVG}text"))

    assert "50 generations each of real runs on <table>, monks-1" in words
    assert "Points:" not in " ".join(text.text for text in drawn().iter(f"{SVG}text"))


def test_a_picture_on_its_own_has_paper_and_one_in_a_page_has_none():
    assert any(element.get("class") == "paper" for element in drawn().iter())
    assert not any(element.get("class") == "paper" for element in drawn(background=False).iter())


@pytest.mark.parametrize("kind", [SCHEME, ONE_CHANGE])
def test_a_watched_run_is_the_run_of_the_estimator(kind):
    table = monks(1)
    estimator = estimator_of(kind, 1e4, population=40).set_params(generations=6)

    evolution = start(table, estimator, 6)
    for _ in range(6):
        evolution.step()

    estimator.fit(table.table, table.target)
    assert list(estimator.savings_["ledger"].values()) == evolution.ledger.tolist()


@pytest.mark.compiled
@pytest.mark.parametrize(("kind", "expected"), [(SCHEME, 11 / 17), (ONE_CHANGE, 6 / 13)])
def test_converged_stumps_save_what_pencil_and_paper_say(kind, expected):
    # One change: the root (all of 2 checks per row), a new label (1/2 of 2), or a leaf that grows (1 of 5/2),
    # alike: 1 - (7/2) / (13/2). Crossover: nine pairs of nodes, of which root and root is free: 1 - 6 / 17.
    last = run(kind, monks(1), 100.0, generations=200)[-1]  # larger trees would not pay

    assert last.depth == pytest.approx(1, abs=0.05)
    assert last.saved == pytest.approx(expected, abs=0.015)
