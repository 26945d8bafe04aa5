"""Sets that are drawn, with noise, as their authors describe them: the same rows every time."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from sklearn.datasets import make_classification

from heirwood.data import Column, Dataset, Schema, Table

FLIPPED = 0.1  # share of rows that get another class
SEGMENTS = (
    "1110111",
    "0010010",
    "1011101",
    "1011011",
    "0111010",
    "1101011",
    "1101111",
    "1010010",
    "1111111",
    "1111011",
)
BANDS = ((0, 40), (40, 60), (60, 200))  # of age, in Agrawal's functions
THOUSAND = 1000.0


def waveform() -> Dataset:
    """Return 5,000 rows of mixtures of two of three waves (Breiman et al., "CART", 1984)."""
    rng = np.random.default_rng(1)
    places = np.arange(1, 22)
    waves = np.array([np.maximum(6 - np.abs(places - middle), 0) for middle in (11, 15, 7)])
    classes = rng.integers(0, 3, 5000)
    first, second = np.array([(0, 1), (0, 2), (1, 2)])[classes].T
    share = rng.random((5000, 1))
    values = share * waves[first] + (1 - share) * waves[second] + rng.normal(size=(5000, 21))
    return _numeric("waveform", values, classes)


def led24() -> Dataset:
    """Return 5,000 digits of seven segments, each wrong one time in ten, and 17 columns that tell nothing."""
    rng = np.random.default_rng(2)
    digits = rng.integers(0, 10, 5000)
    lit = np.array([[int(segment) for segment in digit] for digit in SEGMENTS])[digits]
    wrong = rng.random(lit.shape) < FLIPPED
    values = np.hstack([lit ^ wrong, rng.integers(0, 2, (5000, 17))])
    return _made("led24", values, [("0", "1")] * 24, digits)


def agrawal(function: int) -> Dataset:
    """Return 20,000 applicants whose group is given by a function of Agrawal et al. (1993), a tenth of them flipped."""
    rng = np.random.default_rng(10 + function)
    n = 20_000
    salary = rng.uniform(20, 150, n) * THOUSAND
    commission = np.where(salary >= 75 * THOUSAND, 0.0, rng.uniform(10, 75, n) * THOUSAND)
    age = rng.integers(20, 81, n).astype(float)
    education, car, zipcode = rng.integers(0, 5, n), rng.integers(0, 20, n), rng.integers(0, 9, n)
    house = (9 - zipcode) * 100 * THOUSAND * rng.uniform(0.5, 1.5, n)
    years = rng.integers(1, 31, n).astype(float)
    loan = rng.uniform(0, 500, n) * THOUSAND
    answer = {2: _agrawal2, 5: _agrawal5, 9: _agrawal9}[function](salary, commission, age, education, loan)
    values = np.column_stack([salary, commission, age, education, car, zipcode, house, years, loan])
    levels = [(), (), (), _levels(5), _levels(20), _levels(9), (), (), ()]
    return _made(f"agrawal-{function}", values, levels, _flip(answer, rng))


def _agrawal2(salary: np.ndarray, _: np.ndarray, age: np.ndarray, __: np.ndarray, ___: np.ndarray) -> np.ndarray:
    lowest = (50, 75, 25)
    return _in_bands(age, [_between(salary, low, low + 50) for low in lowest])


def _agrawal5(salary: np.ndarray, _: np.ndarray, age: np.ndarray, __: np.ndarray, loan: np.ndarray) -> np.ndarray:
    bands = []
    for low, inside, outside in ((50, 100, 200), (75, 200, 300), (25, 300, 100)):
        earns = _between(salary, low, low + 50)
        bands.append(np.where(earns, _between(loan, inside, inside + 200), _between(loan, outside, outside + 200)))
    return _in_bands(age, bands)


def _agrawal9(
    salary: np.ndarray, commission: np.ndarray, _: np.ndarray, education: np.ndarray, loan: np.ndarray
) -> np.ndarray:
    left = 0.67 * (salary + commission) - 5 * THOUSAND * education - 0.2 * loan - 10 * THOUSAND
    return np.asarray(left > 0)


def _between(values: np.ndarray, low: float, high: float) -> np.ndarray:
    return (values >= low * THOUSAND) & (values <= high * THOUSAND)


def _in_bands(age: np.ndarray, answers: Sequence[np.ndarray]) -> np.ndarray:
    """Return the answer of the band of age that each row is in."""
    return np.select([(age >= low) & (age < high) for low, high in BANDS], list(answers))


def ringnorm() -> Dataset:
    """Return 7,400 rows of two normal distributions in 20 columns, one around the other (Breiman, 1996)."""
    rng = np.random.default_rng(3)
    classes = rng.integers(0, 2, 7400)
    values = rng.normal(size=(7400, 20))
    values = np.where(classes[:, None] == 0, 2 * values, values + 2 / np.sqrt(20))
    return _numeric("ringnorm", values, classes)


def hastie() -> Dataset:
    """Return 12,000 rows inside or outside a sphere in ten columns (Hastie et al., "Elements", 10.2)."""
    values = np.random.default_rng(4).normal(size=(12_000, 10))
    return _numeric("hastie", values, (values**2).sum(axis=1) > 9.34)


def sea() -> Dataset:
    """Return 20,000 rows on either side of a diagonal, with a third column that tells nothing (Street, Kim, 2001)."""
    rng = np.random.default_rng(5)
    values = rng.uniform(0, 10, (20_000, 3))
    return _numeric("sea", values, _flip(values[:, 0] + values[:, 1] <= 8, rng))


def checkerboard() -> Dataset:
    """Return 4,000 rows on a board of four by four squares, with eight columns that tell nothing."""
    rng = np.random.default_rng(6)
    values = rng.uniform(0, 4, (4000, 10))
    return _numeric("checkerboard", values, _flip(values[:, :2].astype(int).sum(axis=1) % 2 == 1, rng))


def madelon() -> Dataset:
    """Return 2,600 rows of 200 columns, eight of them informative, in clusters on a cube (Guyon, 2003)."""
    values, classes = make_classification(
        2600, 200, n_informative=8, n_redundant=12, n_clusters_per_class=8, flip_y=FLIPPED, random_state=7
    )
    return _numeric("madelon", values, classes)


def rare() -> Dataset:
    """Return 50,000 rows of 15 columns, of which one in eighty is positive, by chances that columns have together."""
    rng = np.random.default_rng(8)
    values = rng.normal(size=(50_000, 15))
    score = 1.5 * (values[:, 0] > 0.5) * (values[:, 1] > 0) + 1.2 * values[:, 2] + (np.abs(values[:, 3]) > 1.5)
    return _numeric("rare", values, rng.random(50_000) < 1 / (1 + np.exp(5.7 - score)))


def wide_nominal() -> Dataset:
    """Return 20,000 rows of 40 nominal columns with 5 to 60 levels, few of them common; eight tell of three classes."""
    rng = np.random.default_rng(9)
    sizes = rng.integers(5, 61, 40)
    shares = [1 / np.arange(1, size + 1) / (1 / np.arange(1, size + 1)).sum() for size in sizes]
    values = np.column_stack([rng.choice(len(each), 20_000, p=each) for each in shares])
    scores = np.zeros((20_000, 3))
    for column in range(8):
        scores += rng.normal(size=(sizes[column], 3))[values[:, column]]
    classes = (scores + rng.gumbel(size=scores.shape)).argmax(axis=1)
    return _made("wide-nominal", values, [_levels(size) for size in sizes], classes)


def _levels(n: int) -> tuple[str, ...]:
    return tuple(f"v{level}" for level in range(n))


def _flip(answer: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return np.asarray(answer != (rng.random(len(answer)) < FLIPPED))


def _numeric(name: str, values: np.ndarray, classes: np.ndarray) -> Dataset:
    return _made(name, values, [()] * values.shape[1], classes)


def _made(name: str, values: np.ndarray, levels: Sequence[tuple[str, ...]], classes: np.ndarray) -> Dataset:
    """Return a set; a column without levels is numeric."""
    columns = tuple(Column(f"x{place}", "nominal" if each else "numeric", each) for place, each in enumerate(levels))
    target = np.asarray(classes).astype(int).astype(str)
    table = Table(Schema(columns), np.asfortranarray(values, dtype=np.float64))
    return Dataset(table, target, "class", tuple(sorted(set(target.tolist()), key=int)), name)


#: By name; all of them have more to learn than noise, and more noise than can be learnt.
GENERATED: dict[str, Callable[[], Dataset]] = {
    "waveform": waveform,
    "led24": led24,
    "agrawal-2": lambda: agrawal(2),
    "agrawal-5": lambda: agrawal(5),
    "agrawal-9": lambda: agrawal(9),
    "ringnorm": ringnorm,
    "hastie": hastie,
    "sea": sea,
    "checkerboard": checkerboard,
    "madelon": madelon,
    "rare": rare,
    "wide-nominal": wide_nominal,
}
