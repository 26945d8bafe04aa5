"""Small data sets that need no file: their rows are all the combinations of their attributes, or all that can occur.

Each is complete and free of noise, so a perfect tree exists.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from heirwood.data.dataset import Dataset
from heirwood.data.schema import Column, Schema, Table

BOARD_LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
MONKS_LEVELS = {"a1": "123", "a2": "123", "a3": "12", "a4": "123", "a5": "1234", "a6": "12"}


def balance_scale() -> Dataset:
    """Return the balance scale, which tips left (L), tips right (R) or is in balance (B).

    The four numeric columns are the weight and the distance on each side, from 1 to 5; the side with the
    larger product goes down.

    Returns
    -------
    Dataset
        625 rows, in UCI's order of rows; the classes in the order L, B, R.

    References
    ----------
    R. S. Siegler, "Three aspects of cognitive development", Cognitive Psychology 8, 1976.
    """
    names = ("left-weight", "left-distance", "right-weight", "right-distance")
    rows = np.array(list(product(range(1, 6), repeat=4)), dtype=np.float64, order="F")
    torque = rows[:, 0] * rows[:, 1] - rows[:, 2] * rows[:, 3]
    target = np.array(["R", "B", "L"])[np.sign(torque).astype(np.intp) + 1]
    schema = Schema(tuple(Column(name, "numeric") for name in names))
    return Dataset(Table(schema, rows), target, "class", ("L", "B", "R"), "balance-scale")


def multiplexer(address_bits: int = 2) -> Dataset:
    """Return a multiplexer: the address bits say which data bit is the answer.

    Parameters
    ----------
    address_bits : {1, 2, 3}, default=2
        With k address bits there are 2**k data bits: 3, 6 or 11 columns in all.

    Returns
    -------
    Dataset
        The complete truth table, 2**n rows for n columns. The columns, ``a0`` (the highest bit of the
        address), ..., ``d0``, ..., and the class are nominal with the levels "0" and "1".
    """
    if address_bits not in (1, 2, 3):
        raise ValueError(f"address_bits is {address_bits!r}; expected 1, 2 or 3 (a table of 8, 64 or 2,048 rows).")
    n_data = 2**address_bits
    names = [f"a{bit}" for bit in range(address_bits)] + [f"d{bit}" for bit in range(n_data)]
    rows = np.array(list(product((0, 1), repeat=len(names))), dtype=np.float64, order="F")
    address = rows[:, :address_bits] @ 2 ** np.arange(address_bits)[::-1]
    answer = rows[np.arange(len(rows)), address_bits + address.astype(np.intp)]
    schema = Schema(tuple(Column(name, "nominal", ("0", "1")) for name in names))
    return _binary(schema, rows, answer == 1, f"multiplexer{len(names)}")


def monks(problem: int = 1) -> Dataset:
    """Return one of the three MONK's problems, about robots that are described by six attributes.

    Parameters
    ----------
    problem : {1, 2, 3}, default=1
        The class is "1" if, in problem 1, a1 = a2 or a5 = 1; in problem 2, exactly two attributes have their
        first value; in problem 3, a5 = 3 and a4 = 1, or a5 is not 4 and a2 is not 3.

    Returns
    -------
    Dataset
        All 432 robots, without the noise of problem 3's training set; columns and class are nominal.

    References
    ----------
    S. B. Thrun et al., "The MONK's Problems: A Performance Comparison of Different Learning Algorithms",
    Carnegie Mellon University, 1991.
    """
    if problem not in (1, 2, 3):
        raise ValueError(f"problem is {problem!r}; expected 1, 2 or 3.")
    codes = np.array(list(product(*(range(len(levels)) for levels in MONKS_LEVELS.values()))))
    a1, a2, _, a4, a5, _ = codes.T + 1
    if problem == 1:
        answer = (a1 == a2) | (a5 == 1)
    elif problem == 2:
        answer = (codes == 0).sum(axis=1) == 2
    else:
        answer = ((a5 == 3) & (a4 == 1)) | ((a5 != 4) & (a2 != 3))
    schema = Schema(tuple(Column(name, "nominal", tuple(levels)) for name, levels in MONKS_LEVELS.items()))
    return _binary(schema, np.asfortranarray(codes, dtype=np.float64), answer, f"monks-{problem}")


def tic_tac_toe() -> Dataset:
    """Return the boards on which a game of tic-tac-toe can end, x having moved first.

    Returns
    -------
    Dataset
        958 rows, 626 of them "positive": x has three in a row. The nine squares, from the top left to the bottom
        right, are nominal with the levels x, o and b (blank). The rows are sorted, x before o before b.

    References
    ----------
    D. W. Aha, "Incremental constructive induction: An instance-based approach", ICML 1991.
    """
    rows = np.array(sorted(_ends()), dtype=np.float64, order="F")
    names = [f"{row}-{column}-square" for row in ("top", "middle", "bottom") for column in ("left", "middle", "right")]
    schema = Schema(tuple(Column(name, "nominal", ("x", "o", "b")) for name in names))
    won = np.array([_has_line(tuple(row), 0) for row in rows])
    target = np.where(won, "positive", "negative")
    return Dataset(Table(schema, rows), target, "class", ("negative", "positive"), "tic-tac-toe")


def _ends() -> set[tuple[int, ...]]:
    """Return the boards on which a game can end, move by move from the empty one; 0 is x, 1 is o, 2 is blank."""
    ends: set[tuple[int, ...]] = set()
    boards: set[tuple[int, ...]] = {(2,) * 9}
    for move in range(9):
        player = move % 2
        moved = {
            (*board[:square], player, *board[square + 1 :])
            for board in boards
            for square in range(9)
            if board[square] == 2
        }
        over = {board for board in moved if _has_line(board, player) or 2 not in board}
        ends |= over
        boards = moved - over
    return ends


def _has_line(board: tuple[int, ...], player: int) -> bool:
    return any(all(board[square] == player for square in line) for line in BOARD_LINES)


def _binary(schema: Schema, rows: np.ndarray, answer: np.ndarray, name: str) -> Dataset:
    target = np.where(answer, "1", "0")
    return Dataset(Table(schema, rows), target, "class", ("0", "1"), name)
