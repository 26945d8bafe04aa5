"""The slow backend: the oracle's nested trees, with the paper's instance indices at their leaves."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from heirwood.backends.problem import Problem, narrowed
from heirwood.core.bitsets import n_words, pack, unpack
from heirwood.data.cut_slots import CutSlots
from heirwood.data.exact_cuts import NOBODY, Gap
from heirwood.data.test_bank import FREE, KIND_NAMES, TestBank
from heirwood.oracle.breed import N_ATTEMPTS, breed_by, holds_limit, plant
from heirwood.oracle.classify import Meter, classify, ledger_line, refresh
from heirwood.oracle.depth2 import Depth2Search, Found
from heirwood.oracle.lookahead import Lookahead
from heirwood.oracle.optimal import OptimalSearch
from heirwood.oracle.problem import CutSlots as PlainRoom
from heirwood.oracle.problem import Problem as PlainProblem
from heirwood.oracle.problem import Test
from heirwood.oracle.tree import Node, Tree, from_genes, genes, height, hits, n_leaves, renumber, rows_of
from heirwood.oracle.tree_hash import hash_of_rows
from heirwood.oracle.words_read import leaf_words, stump_words
from heirwood.payoff import Trees
from heirwood.stopped_error import StoppedError


class SlowBackend:
    """Owns nested trees under handles."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.plain = plain_problem(problem)
        self._total = problem.target.total
        self._trees: dict[int, Tree] = {}
        self._next = 0
        self._mothers: np.ndarray = np.empty(0, np.int64)
        self._room = None if problem.bank.exact is None else CutSlots(problem.bank)
        self._used: np.ndarray = np.empty(0, np.int32)
        self.n_bred = 0  # of the last children, how many were built before it had to end

    def start(self, keys: np.ndarray) -> np.ndarray:
        """Plant and evaluate one tree for each key; return their handles."""
        planted = []
        for key in keys:
            for attempt in range(N_ATTEMPTS + 1):
                bred = plant(self.plain, int(key), attempt)
                (done,) = self.evaluate([bred])
                if holds_limit(bred, done, self.plain):
                    break
            planted.append(done)
        return self._take_in(planted)

    def adopt(self, rows_of_genes: list[np.ndarray]) -> np.ndarray:
        """Take in and evaluate trees given as genes; return their handles."""
        everyone = self.plain.everyone
        trees = [from_genes([int(gene) for gene in row]) for row in rows_of_genes]
        return self._take_in([classify(tree, everyone, self.plain, Meter()) for tree in trees])

    def breed(
        self, mothers: np.ndarray, fathers: np.ndarray, keys: np.ndarray, must_end: Callable[[], bool] | None = None
    ) -> np.ndarray:
        """Build one child per pair; return the children's handles, fewer where it must end; they are not evaluated."""
        lent = [-1] * len(keys) if self._room is None else self._room.lend(len(keys)).tolist()
        bred = []
        for mother, father, key, place in zip(mothers.tolist(), fathers.tolist(), keys.tolist(), lent, strict=True):
            if must_end is not None and must_end():
                break
            self.plain.room.lent = None if place < 0 else place
            bred.append(breed_by(self._trees[mother], self._trees[father], self.plain, key))
        self._used = np.array([used for _, used in bred], np.int32)
        self._mothers, self.n_bred = mothers[: len(bred)], len(bred)
        return self._take_in([child for child, _ in bred])

    def refresh(self, children: np.ndarray) -> np.ndarray:
        """Evaluate the children just bred; return what they cost, summed.

        With too few rows at a leaf a child becomes its mother, but its cost still counts.
        """
        bred = [self._trees[child] for child in children.tolist()]
        finished = self.evaluate(bred)
        mothers = [self._trees[mother] for mother in self._mothers.tolist()]
        for child, was, done, mother in zip(children.tolist(), bred, finished, mothers, strict=True):
            self._trees[child] = done if holds_limit(was, done, self.plain) else mother
        lines = [ledger_line(was, done, self.plain) for was, done in zip(bred, finished, strict=True)]
        return np.array(lines, np.int64).reshape(-1, 6).sum(axis=0)

    def evaluate(self, bred: list[Tree]) -> list[Tree]:
        """Return bred trees with their instances classified, those of stale parts or all.

        This is what the paper's algorithm does and no more; ledger and limits come after. So it is what is timed
        where the paper's claim is tested.
        """
        plain, meter = self.plain, Meter()
        if self.problem.inherit:
            return [refresh(tree, plain, meter) for tree in bred]
        return [classify(tree, plain.everyone, plain, meter) for tree in bred]

    def record(self, handles: np.ndarray) -> Trees:
        """Return the sums and sizes of some trees."""
        trees = [self._trees[int(handle)] for handle in handles]
        return Trees(
            np.array([hits(tree) for tree in trees], np.int64),
            np.array([n_leaves(tree) for tree in trees], np.int64),
            np.array([height(tree) for tree in trees], np.int64),
            self._total,
            len(self.plain.table),
            worst=self.problem.target.worst_loss,
        )

    def tree_hashes(self, handles: np.ndarray) -> np.ndarray:
        """Return a number for each tree, the same for trees whose leaves get as many rows and hits."""
        return np.array([hash_of_rows(self._trees[int(handle)]) for handle in handles], np.uint64)

    def operators(self, children: np.ndarray) -> np.ndarray:
        """Return the operator of the last mutation of each child just bred; -1 for none."""
        return self._used.copy()

    def adapt(self, **rules: Any) -> None:
        """Change rules of breeding, from the next generation on."""
        plain = {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in rules.items()}
        self.plain = replace(self.plain, **plain)

    def keep(self, handles: np.ndarray) -> None:
        """Let go of every tree but these, and of tests that joined the bank and that none of them asks."""
        self._trees = {int(handle): self._trees[int(handle)] for handle in handles}
        if self._room is not None:
            self._settle(self._room)

    def _settle(self, room: CutSlots) -> None:
        """End a generation: what its children wrote joins the bank, if a tree asks it."""
        bank, plain = self.problem.bank, self.plain
        for place in plain.room.fresh:
            write_down(place, plain.tests[place], plain.table, bank)
        plain.room.fresh.clear()
        asked = {gene for tree in self._trees.values() for gene in genes(tree)}
        numbers = room.settle(np.isin(np.arange(room.n_places) + room.n_fixed, list(asked)))
        if numbers is not None:
            every = [*range(room.n_fixed), *numbers.tolist()]
            self._trees = {handle: renumber(tree, every.__getitem__) for handle, tree in self._trees.items()}
        plain.tests[room.n_fixed :] = plain_tests(bank)[room.n_fixed :]

    def lookahead(self) -> "_Lookahead":
        """Return what looks ahead on the table."""
        return _Lookahead(lambda: self.plain)

    def hold(self, gap: Gap) -> int:
        """Return a test that asks a cut of a gap and stays until `release`; -1 where no place is left for one."""
        if self._room is None:
            return NOBODY
        test = self._room.hold(gap)
        self.plain.tests[test] = plain_tests(self.problem.bank)[test]
        return test

    def release(self) -> None:
        """Hold no test any more."""
        if self._room is not None:
            self._room.release()

    def narrowed(self, tests: np.ndarray) -> "SlowBackend":
        """Return a backend that looks at some tests of the bank alone."""
        return SlowBackend(narrowed(self.problem, tests))

    def pairs(self) -> Depth2Search:
        """Return what finds the best tree of two levels for some rows."""
        return _Pairs(self.plain, self.problem)

    def optimum(self, tests: np.ndarray, price: int, levels: int) -> OptimalSearch:
        """Return a search for the best tree over some tests of the bank, on as many copies of each row as it weighs."""
        copies = self.problem.target.copies().tolist()
        plain = replace(
            self.plain,
            table=[self.plain.table[row] for row in copies],
            classes=[self.plain.classes[row] for row in copies],
            n_words=n_words(len(copies)),
        )
        return _Optimum(self.problem, plain, tests.tolist(), price, levels)

    def genes(self, handle: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the genes of one tree, and the rows and hits of its nodes."""
        tree = self._trees[int(handle)]
        rows: list[int] = []
        right: list[int] = []
        _sums(tree, rows, right)
        return np.array(genes(tree), np.int32), np.array(rows, np.int32), np.array(right, np.int64)

    def _take_in(self, trees: list[Tree]) -> np.ndarray:
        handles = np.arange(self._next, self._next + len(trees))
        self._next += len(trees)
        self._trees.update(zip(handles.tolist(), trees, strict=True))
        return handles


class _Lookahead(Lookahead):
    """The oracle's look ahead, with a name for each part of a gap."""

    def purest(self, criterion: int, must_end: object = None) -> tuple[float, list[int], Gap] | None:
        """Return how pure the sides of the purest cut are, the weights of the classes that pass it, and its gap."""
        found = super().purest(criterion, must_end)
        return None if found is None else (*found[:2], Gap(*found[2]))


class _Pairs(Depth2Search):
    """The oracle's search for pairs, asked as the compiled one is: with rows as bit rows, and until nobody waits."""

    def __init__(self, plain: PlainProblem, problem: Problem) -> None:
        super().__init__(plain)
        self._whole = problem

    def _divide(self, rows: list[int], test: int) -> tuple[list[int], list[int]]:
        check_waited_for(self._whole)
        return super()._divide(rows, test)

    def stump(self, rows: Any, price: float) -> Found:
        """Return what the best tree of up to one level is worth, and the tree."""
        return super().stump(as_instances(rows, self.problem), price)

    def pair(self, rows: Any, price: float, least: float = -math.inf) -> Found:
        """Return the same of up to two levels."""
        return super().pair(as_instances(rows, self.problem), price, least)


class _Optimum(OptimalSearch):
    """The oracle's search for the best tree, likewise."""

    def __init__(self, problem: Problem, plain: PlainProblem, tests: Sequence[int], price: int, levels: int) -> None:
        self._whole = problem
        super().__init__(plain, tests, price, levels)

    def _divide(self, rows: tuple[int, ...], test: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        check_waited_for(self._whole)
        return super()._divide(rows, test)

    def begin(self, rows: Any, levels: int) -> None:
        """Search from now on for the best tree for some rows."""
        super().begin(tuple(as_instances(rows, self.problem)), levels)


def check_waited_for(problem: Problem) -> None:
    """Give up where nobody waits for what is being searched: in plain Python one step may take seconds."""
    if problem.is_stopped:
        raise StoppedError


def as_instances(rows: Any, problem: PlainProblem) -> Any:
    """Return the numbers of some rows that may be given as a bit row."""
    return np.flatnonzero(unpack(rows, len(problem.table))).tolist() if isinstance(rows, np.ndarray) else rows


def _sums(tree: Tree, rows: list[int], right: list[int]) -> None:
    """Append the rows and hits of every node, in preorder."""
    rows.append(len(rows_of(tree)))
    right.append(hits(tree))
    if isinstance(tree, Node):
        _sums(tree.left, rows, right)
        _sums(tree.right, rows, right)


def write_down(place: int, cut: Test, table: list[list[float]], bank: TestBank) -> None:
    """Note in a bank what a child wrote to its place; whoever draws the tree reads its bits there."""
    exact = bank.exact
    assert exact is not None
    column = exact.columns.tolist().index(cut.column)
    exact.ensure_ranked(column)
    exact.column[place] = column
    exact.rank[place] = exact.ranks[column][exact.table[:, cut.column] <= cut.value].max()
    bank.missing_passes[place] = cut.missing_passes
    bank.bits[place] = pack(np.array([cut.passes(row) for row in table]))


def plain_tests(bank: TestBank) -> list[Test]:
    """Return the questions of a bank; a free place asks nothing, and nobody passes."""
    asked = zip(bank.columns, bank.kinds, bank.values, bank.missing_passes, strict=True)
    return [
        Test(int(column), "nothing" if kind == FREE else KIND_NAMES[kind], float(value), bool(passes))
        for column, kind, value, passes in asked
    ]


def plain_problem(problem: Problem) -> PlainProblem:
    """Say a problem in plain Python: raw values and questions, no bit rows."""
    bank, target, rules = problem.bank, problem.target, problem.rules
    if problem.values is None:
        raise ValueError("the slow backend reads the raw table; give Problem its values")
    attributes = []
    for start, stop in zip(bank.first[:-1], bank.first[1:], strict=True):
        single = np.diff(bank.tickets[start:stop], prepend=0)
        attributes.append([(int(start) + i, int(n)) for i, n in enumerate(single)])
    planes = problem.target.planes(problem.majority)
    n_planes = np.diff(planes.starts).tolist()
    return PlainProblem(
        table=problem.values.tolist(),
        classes=target.codes.tolist(),
        weights=target.weights.tolist(),
        n_classes=target.n_classes,
        costs=None if target.costs is None else target.costs.steps.tolist(),
        loss=target.loss,
        scale_of_loss=target.scale_of_loss,
        most_loss=target.most_loss,
        tests=plain_tests(bank),
        attributes=attributes,
        majority=problem.majority,
        max_leaf_nodes=rules.max_leaf_nodes,
        max_depth=rules.max_depth,
        min_rows=rules.min_rows,
        crossover_rate=rules.crossover_rate,
        mutation_rate=rules.mutation_rate,
        n_mutations=rules.n_mutations,
        inner_odds=rules.inner_odds.tolist(),
        leaf_odds=rules.leaf_odds.tolist(),
        prune_root=rules.prune_root,
        n_drawn=rules.n_drawn,
        n_answers=rules.n_answers,
        price=rules.price,
        graft_rate=rules.graft_rate,
        room=PlainRoom(frozenset() if bank.exact is None else frozenset(bank.exact.columns.tolist())),
        n_words=len(planes.everyone),
        leaf_words=leaf_words(planes.weighted, planes.majority, n_planes),
        stump_words=stump_words(planes.weighted, planes.majority, n_planes),
    )
