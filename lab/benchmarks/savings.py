"""Does inheritance pay in seconds what it saves in words? Off and on, one run after the other, same seed."""

from lab.benchmarks.row import Row
from lab.benchmarks.runs import INFORMED, load, run
from lab.benchmarks.tables import nominal_table, numeric_table

SIZES = (3_196, 100_000, 1_000_000)
CLOSE = 1.05  # off / on below this is measured again, more often


def measure(repeats):
    """Return the rows on inheritance off / on."""
    rows = []
    for n_rows in SIZES:
        loaded = load(*(nominal_table() if n_rows == 3_196 else numeric_table(n_rows)))
        shape = {"population_size": 400, "generations": 400}
        n_pairs = {3_196: 4 * repeats, 1_000_000: min(repeats, 2)}.get(n_rows, repeats)  # short runs are noisy ones
        off, on = pair(loaded, n_pairs, majority=True, **shape)
        words = on["ledger"][5] / on["ledger"][4]
        ratio = off["refresh"] / on["refresh"]
        rows.append(
            Row(
                f"evaluation phase off / on, {n_rows:,} rows ({shape['population']} x {shape['generations']}); "
                f"words touched: {words:.2f}",
                f">= {0.85 * words:.2f}",
                f"{ratio:.2f}",
                ratio >= 0.85 * words,
            )
        )
        bar = {100_000: 2.0, 1_000_000: 1.8}.get(n_rows)
        if bar is not None:
            whole = off["whole"] / on["whole"]
            rows.append(Row(f"whole run off / on, {n_rows:,} rows", f">= {bar}", f"{whole:.2f}", whole >= bar))
    return [*rows, *never_slower(max(repeats, 9))]


def never_slower(repeats):
    """Return the rows on the worst case over schemes and small sizes."""
    schemes = {
        "generational": {},
        "generational, majority": {"majority": True},
        "the paper's": {"preset": True},
        "the paper's, m = 0.01": {"preset": True, "mutation_rate": 0.01},
        "operators that look at rows": {"operators": INFORMED, "majority": True, "generations": 40},
    }
    worst_refresh, worst_whole = (9.0, ""), (9.0, "")
    for n_rows in (100, 1_000, 3_196):
        loaded = load(*nominal_table(n_rows))
        for name, scheme in schemes.items():
            case = f"{name}, {n_rows} rows"
            shape = {"population_size": 200, "generations": 200} | scheme
            off, on = pair(loaded, repeats, **shape)
            if off["refresh"] / on["refresh"] < CLOSE:  # a run takes some hundredths of a second: noise must not decide
                off, on = pair(loaded, 4 * repeats, **shape)
            worst_refresh = min(worst_refresh, (off["refresh"] / on["refresh"], case))
            worst_whole = min(worst_whole, (off["whole"] / on["whole"], case))
    return [
        Row(
            f"any scheme, from 100 rows up: evaluation off / on, the worst ({worst_refresh[1]})",
            ">= 1.0",
            f"{worst_refresh[0]:.2f}",
            worst_refresh[0] >= 1.0,
        ),
        Row(
            f"any scheme, from 100 rows up: whole run off / on, the worst ({worst_whole[1]})",
            ">= 0.97",
            f"{worst_whole[0]:.2f}",
            worst_whole[0] >= 0.97,
        ),
    ]


def pair(loaded, repeats, **scheme):
    """Return the best phases of several runs with inheritance off and on, in turn; all are the same run."""
    best = {}
    for _ in range(repeats):
        for inherit in (False, True):
            timing = run(loaded, inherit=inherit, **scheme)
            one = best.setdefault(inherit, {"refresh": timing.refresh, "whole": timing.whole, "hall": timing.hall})
            assert one["hall"] == timing.hall == best[False]["hall"], "inheritance changed a result"
            one["refresh"] = min(one["refresh"], timing.refresh)
            one["whole"] = min(one["whole"], timing.whole)
            one["ledger"] = timing.ledger
    return best[False], best[True]
