"""Names load on first use, so that `import heirwood` is quick."""

import subprocess
import sys

import pytest

import heirwood


def modules_after(code):
    done = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys; print(' '.join(sys.modules))"],
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.split())


def test_importing_the_package_imports_nothing_heavy():
    loaded = modules_after("import heirwood; dir(heirwood); heirwood.__version__")

    assert "heirwood" in loaded
    assert loaded.isdisjoint({"numba", "sklearn", "numpy", "scipy", "pandas", "narwhals", "rich", "click"})


def test_reading_a_tree_needs_no_compiler():
    loaded = modules_after("from heirwood import TreeView, export_tree")

    assert loaded.isdisjoint({"numba", "pandas"})


def test_the_estimator_loads_neither_command_line_nor_display():
    loaded = modules_after("from heirwood import EvolvedTreeClassifier")

    assert loaded.isdisjoint({"click", "heirwood.cli", "heirwood.progress"})  # scikit-learn loads what it likes
    unasked = ("heirwood.oracle", "heirwood.data.arff_", "heirwood.data.csv_", "heirwood.export.svg")
    assert [name for name in loaded if name.startswith(unasked)] == []


def test_every_public_name_is_there():
    for name in heirwood.__all__:
        assert getattr(heirwood, name) is not None
        assert name in dir(heirwood)


def test_a_name_that_is_not_there_says_so():
    with pytest.raises(AttributeError, match="module 'heirwood' has no attribute 'nonsense'"):
        _ = heirwood.nonsense
