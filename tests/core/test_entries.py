"""Kernels without an entry for Python are called by kernels alone: any other call would end the process."""

import ast
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("src", "tests", "lab", "tools")
NO_ENTRY = {"small_kernel", "inner_kernel"}
COMPILED = {*NO_ENTRY, "kernel", "part_kernel", "njit", "numba.njit"}


@cache
def parsed(path):
    return ast.parse(path.read_text())


def decorators(function):
    calls = (node.func if isinstance(node, ast.Call) else node for node in function.decorator_list)
    return {ast.unparse(call) for call in calls}


def name_of(path):
    return ".".join(path.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")


@cache
def kernels_without_entry():
    """Return {module: names}."""
    found = {}
    for path in (ROOT / "src").rglob("*.py"):
        for node in parsed(path).body:
            if isinstance(node, ast.FunctionDef) and decorators(node) & NO_ENTRY:
                found.setdefault(name_of(path), set()).add(node.name)
            made_by = node.value.func if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) else None
            if made_by is not None and ast.unparse(made_by) in NO_ENTRY:
                found.setdefault(name_of(path), set()).add(ast.unparse(node.targets[0]))
    return found


def imported(tree, module, kernels):
    """Return how a file may call kernels without an entry: its own, those it imports, those of modules it imports."""
    calls = set(kernels.get(module, ()))
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                here = alias.asname or alias.name
                if any(alias.name in names for place, names in kernels.items() if place.startswith(node.module)):
                    calls.add(here)
                calls |= {f"{here}.{name}" for name in kernels.get(f"{node.module}.{alias.name}", ())}
    return calls


def calls_from_python(node, names, is_compiled=False):
    """Yield the calls of some names outside compiled functions."""
    if not names:
        return
    for child in ast.iter_child_nodes(node):
        inside = is_compiled or (isinstance(child, ast.FunctionDef) and bool(decorators(child) & COMPILED))
        if not inside and isinstance(child, ast.Call) and ast.unparse(child.func) in names:
            yield f"line {child.lineno}: {ast.unparse(child)}"
        yield from calls_from_python(child, names, inside)


@pytest.mark.compiled  # files are the same in every lane
@pytest.mark.parametrize("folder", FOLDERS)
def test_nobody_calls_them_from_python(folder):
    kernels, found = kernels_without_entry(), []
    assert sum(map(len, kernels.values())) > 100

    for path in sorted((ROOT / folder).rglob("*.py")):
        tree = parsed(path)
        module = name_of(path) if folder == "src" else ""
        found += [
            f"{path.relative_to(ROOT)}, {call}" for call in calls_from_python(tree, imported(tree, module, kernels))
        ]

    assert found == []


def kernel_calls():
    """Return {kernel: kernels that it calls}, by name."""
    calls = {}
    for path in (ROOT / "src/heirwood/core").rglob("*.py"):
        for node in parsed(path).body:
            if isinstance(node, ast.FunctionDef) and decorators(node) & COMPILED:
                called = {ast.unparse(call.func) for call in ast.walk(node) if isinstance(call, ast.Call)}
                calls.setdefault(node.name, set()).update(called)
    return {name: called & calls.keys() for name, called in calls.items()}


def test_no_kernel_calls_itself_by_any_way():
    calls = kernel_calls()
    assert len(calls) > 150

    while leaves := {name for name, called in calls.items() if not called}:
        calls = {name: called - leaves for name, called in calls.items() if name not in leaves}

    assert calls == {}


def test_such_a_call_would_be_found():
    kernels = {"heirwood.core.draws": {"draw"}}
    code = "from heirwood.core import draws\nfrom heirwood.core.draws import draw as d\nd(1)\ndraws.draw(2)\nmy.draw(3)"
    tree = ast.parse(code + "\n@njit\ndef f():\n    d(4)")

    assert list(calls_from_python(tree, imported(tree, "", kernels))) == ["line 3: d(1)", "line 4: draws.draw(2)"]
