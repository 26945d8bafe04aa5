"""Every export of the registry, on trees that are hard to write down."""

import html.parser
import json
import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

from heirwood.export.colour import to_colour
from heirwood.export.formats import EXPORTS, export_tree
from heirwood.export.palette import colour
from heirwood.export.text import to_text
from heirwood.tree_view import Node, TreeView
from tests.export.some_trees import HOSTILE, alphabet, at_most, deep_chain, hostile, iris, single_leaf

TREES = {
    "iris": iris(),
    "single leaf": single_leaf(),
    "deep chain": deep_chain(),
    "hostile names": hostile(),
    "26 classes": alphabet(),
}
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(params=TREES)
def tree(request):
    return TREES[request.param]


@pytest.mark.parametrize("format", EXPORTS)
def test_every_export_writes_every_tree(format, tree):
    written = export_tree(tree, format)

    assert written.strip()
    assert written == export_tree(tree, format)
    written.encode("utf-8")


@pytest.mark.parametrize("format", EXPORTS)
def test_every_export_is_free_of_control_characters(format):
    written = export_tree(hostile(), format)

    assert re.findall(r"[\x00-\x09\x0b-\x1f]", written) == []


@pytest.mark.parametrize("format", EXPORTS)
def test_every_export_names_every_class_that_a_leaf_predicts(format):
    written = export_tree(alphabet(), format)

    for name in alphabet().classes:
        assert re.search(rf"\b{name}\b", written)


def test_an_unknown_format_is_refused_with_those_that_are_known():
    with pytest.raises(ValueError, match="format 'pdf' is not known; choose one of dot, html, json"):
        export_tree(iris(), "pdf")


def test_text_is_one_line_for_each_node_under_a_summary():
    assert export_tree(iris(), "text") == "\n".join(
        [
            "3 leaves, depth 2, 96.0% right on 150 rows",
            "",
            "petal_length <= 2.45?",
            "├─ yes → setosa         100% right, 50 rows",
            "└─ no  petal_width <= 1.75?",
            "   ├─ yes → versicolor  90.7% right, 54 rows",
            "   └─ no  → virginica   97.8% right, 46 rows",
        ]
    )


def test_text_in_ascii_draws_with_ascii_only():
    assert to_text(iris(), ascii=True).isascii()


def test_text_of_a_deep_tree_stays_narrow_and_tells_the_depth():
    lines = export_tree(deep_chain(), "text").splitlines()

    assert len(lines) == 2 + 4001
    assert max(map(len, lines)) < 110
    assert lines[-1].startswith("⋯ depth 2000: no  → yes")


def test_text_rails_show_which_branches_go_on():
    tree = TreeView.from_dict(iris().to_dict())
    nodes = tree.nodes
    mirrored = TreeView((nodes[0], *nodes[2:], nodes[1]), tree.classes).validate()

    assert to_text(mirrored).splitlines()[3:] == [
        "├─ yes petal_width <= 1.75?",
        "│  ├─ yes → versicolor  90.7% right, 54 rows",
        "│  └─ no  → virginica   97.8% right, 46 rows",
        "└─ no  → setosa         100% right, 50 rows",
    ]


def test_a_share_is_never_rounded_to_all_or_nothing():
    document = {
        "classes": ["a", "b"],
        "nodes": [{"span": 1, "label": 0, "n_rows": 100001, "weights": [100000, 1]}],
    }

    assert "99.9% right, 100,001 rows" in export_tree(TreeView.from_dict(document), "text")


def test_colour_says_the_same_as_text(tree):
    assert to_colour(tree).plain == to_text(tree)


def test_colour_gives_a_class_its_colour_and_reads_no_markup():
    text = to_colour(iris())

    styled = {text.plain[span.start : span.end]: str(span.style) for span in text.spans}
    assert styled["setosa"] == f"bold {colour(0)}"
    assert styled["virginica"] == f"bold {colour(2)}"


def test_26_classes_have_26_colours():
    assert len({colour(label) for label in range(26)}) == 26


def test_json_reads_back_as_the_same_tree(tree):
    assert TreeView.from_dict(json.loads(export_tree(tree, "json"))) == tree


def test_json_keeps_that_rows_have_weights():
    assert TreeView.from_dict(json.loads(export_tree(weighted(), "json"))) == weighted()


def test_json_has_one_node_a_line():
    assert len(export_tree(deep_chain(), "json").splitlines()) == 4001 + 5


def test_dot_escapes_what_graphviz_reads():
    source = export_tree(hostile(), "dot")

    assert '3 [label="]]>\\n100% right, 2 rows"' in source
    for label in re.findall(r'label="((?:[^"\\]|\\.)*)"', source):
        assert "&" not in label.replace("&amp;", "")
    # Outside of quoted labels nothing of a name is left.
    assert "`" not in re.sub(r'"(?:[^"\\]|\\.)*"', "", source)


def test_svg_is_xml_with_a_box_for_each_node_and_two_edges_for_each_question(tree):
    picture = ET.fromstring(export_tree(tree, "svg"))

    boxes = [group for group in picture.iter(f"{SVG}g") if group.find(f"{SVG}title") is not None]
    assert len(boxes) == len(tree.nodes)
    assert len(list(picture.iter(f"{SVG}path"))) == len(tree.nodes) - 1


def test_svg_boxes_lie_inside_the_picture_and_apart_from_each_other(tree):
    picture = ET.fromstring(export_tree(tree, "svg"))
    width, height = float(picture.get("width")), float(picture.get("height"))

    rows = {}
    for group in picture.iter(f"{SVG}g"):
        if group.find(f"{SVG}title") is not None:
            x, y, wide, high = (float(group.find(f"{SVG}rect").get(k)) for k in ("x", "y", "width", "height"))
            assert 0 <= x <= x + wide <= width
            assert 0 <= y <= y + high <= height
            rows.setdefault(y, []).append((x, x + wide))
    for boxes in rows.values():
        boxes.sort()
        assert all(end < start for (_, end), (start, _) in pairwise(boxes))


def test_svg_shortens_long_names_and_keeps_them_whole_in_the_tooltip():
    name = "capital_gain_in_the_previous_financial_year_in_dollars"
    document = json.loads(export_tree(iris(), "json").replace("petal_length", name))

    picture = ET.fromstring(export_tree(TreeView.from_dict(document), "svg"))

    drawn = [text.text for text in picture.iter(f"{SVG}text")]
    assert not any(name in text for text in drawn)
    assert any(text.startswith("capital_gain_in") and text.endswith("…") for text in drawn)
    assert any(title.text.startswith(f"{name} <= 2.45?") for title in picture.iter(f"{SVG}title"))


class Tags(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.seen = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.seen.append((tag, dict(attributes)))


def test_html_runs_no_script_and_loads_nothing(tree):
    tags = Tags(export_tree(tree, "html")).seen

    assert {tag for tag, _ in tags} <= {"div", "svg", "title", "g", "rect", "path", "text"}
    for _, attributes in tags:
        assert not any(name.startswith("on") or name in ("href", "src") for name in attributes)


def test_html_begins_with_what_the_tree_is():
    assert "3 leaves, depth 2, 96.0% right on 150 rows</div>" in export_tree(iris(), "html")


def test_hostile_names_hold_what_each_format_must_escape():
    assert set("<>&\"'`{}|\n\\\x00🌳") <= set(HOSTILE)


def test_a_fitted_estimator_is_exported_by_the_tree_it_uses():
    class Fitted:
        tree_ = iris()

    assert export_tree(Fitted(), "rules") == export_tree(iris(), "rules")


def test_what_is_no_tree_is_refused_by_name():
    with pytest.raises(TypeError, match="got a str; expected a TreeView or a fitted estimator"):
        export_tree("tree", "text")


def weighted():
    """A leaf of 4 rows that weigh 12, 9 of them right, and one of 5 rows that weigh 5."""
    leaves = [Node(None, 1, 0, 4, (9.0, 3.0)), Node(None, 1, 1, 5, (1.0, 4.0))]
    return TreeView((Node(at_most("a", 2), 3, 0, 9, (10.0, 7.0)), *leaves), ("no", "yes"), True).validate()


@pytest.mark.parametrize("form", ["text", "rules", "dot", "svg", "html"])
def test_with_weights_shares_are_said_to_be_of_the_weight(form):
    told = export_tree(weighted(), form)

    assert "75.0% of the weight" in told
    assert "80.0% of the weight" in told
    assert "of the weight" not in export_tree(iris(), form)


def test_a_summary_of_weights_says_so():
    assert export_tree(weighted(), "text").startswith("2 leaves, depth 1, 76.5% of the weight right on 9 rows")
