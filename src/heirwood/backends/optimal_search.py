"""The compiled search for the best tree there is: its tests, its memory, and what it found."""

import numpy as np

from heirwood.core.bitsets import WORD, pack, unpack
from heirwood.core.optimal.compact_rows import n_slots
from heirwood.core.optimal.search import go_on, read_tree
from heirwood.core.optimal.search_frame import CLOSED, ENTER, ENTRY, FRAME, HIT, LEAF, LEVEL, NOTHING, USED, SearchState
from heirwood.core.optimal.subproblem_cache import move_entries
from heirwood.payoff.bound.hits_upper_bound import equal_rows

FIRST_ENTRIES, MOST_ENTRIES = 2**13, 2**21  # of the memo: it grows as it is filled, to 80 MiB


class OptimalSearch:
    """A search for the tree with the most hits, less a price for each leaf, over some tests.

    Parameters
    ----------
    bits : (n, n_words) uint64
    tests : (n,) int64
        What these tests are called in genes, ascending.
    codes : (n_rows,) int64
        Class of each row.
    n_classes : int
    price : int
        Of a leaf, in parts of a hit: `HIT` is one.
    levels : int
        The most tests on a path.
    fewest : int
        Rows at a leaf.

    Attributes
    ----------
    n_tests : int
        Tests that divide the rows, each in a way of its own.
    """

    def __init__(
        self,
        bits: np.ndarray,
        tests: np.ndarray,
        codes: np.ndarray,
        n_classes: int,
        price: int,
        levels: int,
        fewest: int,
    ) -> None:
        everyone = pack(np.ones(len(codes), bool))
        distinct = distinct_tests(bits, everyone)
        bits = bits[distinct]
        self._tests = tests[distinct]
        self.n_tests = len(distinct)
        n_words = bits.shape[1]
        slots = n_slots(self.n_tests)
        passes = np.zeros((len(codes), slots), bool)
        passes[:, : self.n_tests] = unpack(bits, len(codes)).T
        is_class = codes[:, None] == np.arange(n_classes)
        agrees = agreeing_rows(pack(passes), codes, n_classes)
        says_yes = np.concatenate([passes, is_class, agrees[:, None]], axis=1)
        answers = pack(says_yes)
        packed = np.zeros((2 * n_words, WORD * answers.shape[1]), np.uint64)
        packed[:n_words, : says_yes.shape[1]] = pack(says_yes.T).T
        self._search = SearchState(
            bits=bits,
            planes=pack(is_class.T),
            answers=answers,
            packed=packed,
            rows=np.zeros((levels + 2, n_words), np.uint64),
            near=np.zeros((levels + 2, n_words), np.uint64),
            bounds=np.full((levels + 1, self.n_tests), NOTHING, np.int64),
            stumps=np.zeros((levels + 1, self.n_tests), np.int64),
            frames=np.zeros(levels + 2, FRAME),
            memo=np.zeros(FIRST_ENTRIES, ENTRY),
            rights=np.zeros((levels + 1, self.n_tests), np.int64),
            left=np.zeros((n_classes + 1, slots), np.int64),
            passed=np.zeros(slots, np.int64),
            sides=np.zeros((2, slots), np.int64),
            threes=np.zeros((2, slots), np.int64),
            both=np.zeros((n_classes, slots), np.int64),
            most=np.zeros((5, slots), np.int64),
            whole=np.zeros((2, n_classes), np.int64),
            where=np.zeros(3, np.int64),
            price=np.int64(price),
            fewest=np.int64(fewest),
        )
        self.begin(everyone, levels)

    def begin(self, rows: np.ndarray, levels: int) -> None:
        """Search from now on for the best tree for some rows, given as a bit row; what is known already helps."""
        self._search.rows[0] = self._search.near[0] = rows
        self._search.where[LEVEL] = self._search.where[CLOSED] = 0
        self._search.frames[0] = 0
        self._root["stage"], self._root["levels"], self._root["need"] = ENTER, levels, NOTHING
        self._root["width"] = len(rows)
        self._root["leaves"], self._root["test"] = 1, LEAF  # until it is looked at
        self._rows = rows

    def go_on(self, effort: int, need: int) -> int:
        """Search on for a tree that is worth more than `need`; return the words that were read."""
        self._root["need"] = max(int(self._root["need"]), need)
        spent = int(go_on(self._search, effort))
        while spent < effort and self._is_crowded and not self.is_full:
            larger = np.zeros(4 * len(self._search.memo), ENTRY)
            move_entries(self._search.memo, larger)
            self._search = self._search._replace(memo=larger)
            spent += int(go_on(self._search, effort - spent))
        return spent

    @property
    def is_done(self) -> bool:
        """Whether no tree is worth more than the one found, or than was needed."""
        return bool(self._search.where[LEVEL] < 0)

    @property
    def is_full(self) -> bool:
        """Whether there is no memory to go on with."""
        return self._is_crowded and len(self._search.memo) == MOST_ENTRIES

    @property
    def n_closed(self) -> int:
        """Tests at the root that are done with."""
        return int(self._search.where[CLOSED])

    @property
    def found(self) -> int:
        """What the best tree so far is worth."""
        return int(HIT) * int(self._root["hits"]) - int(self._search.price) * int(self._root["leaves"])

    def genes(self) -> np.ndarray:
        """Return the best tree so far."""
        levels, n_words = int(self._root["levels"]), self._search.rows.shape[1]
        rows = np.zeros((levels + 2, n_words), np.uint64)
        rows[0] = self._rows
        genes = np.zeros(2 * int(self._root["n_rows"]) + 1, np.int64)
        n = read_tree(self._search, self._root["test"], levels, genes, rows, np.zeros(levels + 2, np.int64))
        tests = np.append(self._tests, -1)  # an empty search has no tests at all
        return np.where(genes[:n] >= 0, tests[np.maximum(genes[:n], 0)], genes[:n]).astype(np.int32)

    @property
    def _is_crowded(self) -> bool:
        return bool(self._search.where[USED] >= 3 * len(self._search.memo) // 4)

    @property
    def _root(self) -> np.void:
        root: np.void = self._search.frames[0]
        return root


def repeated(bits: np.ndarray, n_rows: int, copies: np.ndarray) -> np.ndarray:
    """Return bit rows of copies of the rows, given the number of the row that each is a copy of."""
    if len(copies) == n_rows:
        return bits
    return pack(unpack(bits, n_rows)[..., copies])


def distinct_tests(bits: np.ndarray, everyone: np.ndarray) -> np.ndarray:
    """Return the first of all tests that divide the rows alike, without those that divide nothing; ascending."""
    passes_first = (bits[:, :1] & np.uint64(1)) == 1
    sides = np.where(passes_first, bits, ~bits & everyone)  # of the two sides the one with the first row
    _, first = np.unique(sides, axis=0, return_index=True)
    dividing = (sides[first] != everyone).any(axis=1)
    return np.sort(first[dividing])


def agreeing_rows(answers: np.ndarray, codes: np.ndarray, n_classes: int) -> np.ndarray:
    """Return which rows are of the commonest class among those that answer all tests alike: no tree gets more right."""
    groups = equal_rows(answers)
    weights = np.zeros((int(groups.max()) + 1, n_classes), np.int64)
    np.add.at(weights, (groups, codes), 1)
    agreeing: np.ndarray = weights.argmax(axis=1)[groups] == codes
    return agreeing
