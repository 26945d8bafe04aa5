"""Cells that nobody measured, and grids of them."""

from lab.paper.accuracy import Grid, list_tasks
from lab.paper.accuracy_cells import Cell
from lab.paper.accuracy_printed import J48_KINDS, SETTINGS, printed_j48


def some_cell(task, right=0.8, nodes=11, seconds=0.5, children=2500):
    return Cell(task, [round(100 * right)] * 5, [100] * 5, [nodes] * 5, [seconds] * 5, children)


def full_grid(sets=("balance-scale", "vote"), sizes=(100, 200), weka="3.6.14", right=lambda task: 0.8):
    """Return a grid whose cells are made up, J48's the printed ones."""
    missing = {"crime": "crime is lost"}
    grid = Grid(tuple(sizes), SETTINGS, {"seed": 1}, weka, "" if weka else "Weka cannot be found", missing=missing)
    for task in list_tasks(sets, grid):
        if task.learner in J48_KINDS:
            print_ = printed_j48(task.set, task.learner)
            grid.cells[task] = Cell(task, [round(1000 * print_.accuracy)], [1000], [int(print_.nodes)], [0.1], 0)
        else:
            grid.cells[task] = some_cell(task, right(task))
    return grid
