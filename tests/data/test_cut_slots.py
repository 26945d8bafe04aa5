"""The room of a bank: exact cuts join it, share places, leave it, and it never grows beyond them."""

import numpy as np
import pytest

from heirwood.core.bitsets import pack
from heirwood.data.cut_slots import CutSlots, make_cut_slots, seat
from heirwood.data.cuts import between
from heirwood.data.extra_tests import more_tests
from heirwood.data.test_bank import FREE, make_bank
from heirwood.data.test_plan import AT_MOST
from tests.data.test_test_bank import check_bits, check_padding
from tests.tables import mixed_table

TABLE = mixed_table(3)
LENGTH = TABLE.values[:, 0]
DISTINCT = np.unique(LENGTH[~np.isnan(LENGTH)])


def roomy(places=4, max_cuts=3):
    """Return a bank with places whose exact columns are all ranked."""
    bank = make_cut_slots(make_bank(TABLE, max_cuts=max_cuts, room=places), TABLE)
    for column in range(len(bank.exact.columns)):
        bank.exact.ensure_ranked(column)
    return bank


def halfway(rank):
    return between(DISTINCT[rank : rank + 1], DISTINCT[rank + 1 : rank + 2])[0]


def write(bank, test, rank, passes=False):
    """Do what a child does that sharpens: a cut of the first exact column, written to its place."""
    bank.exact.column[test], bank.exact.rank[test] = 0, rank
    bank.missing_passes[test] = passes
    ranks = bank.exact.ranks[0]
    bank.bits[test] = pack((ranks <= rank) & ((ranks >= 0) | passes))


def free_rank(bank, nth=0):
    """Return a rank of the first exact column that no test of the bank cuts at."""
    return int(np.flatnonzero(bank.exact.known[0, : len(DISTINCT) - 1] == 0)[nth])


def asked(bank, *tests):
    return np.isin(np.arange(len(bank.columns) - bank.n_tests) + bank.n_tests, tests)


def check_places(bank):
    """Every place that is taken has the bit row of its question, and is known by it."""
    for test in np.flatnonzero(bank.kinds != FREE)[bank.n_tests :]:
        values = TABLE.values[:, bank.columns[test]]
        passed = (values <= bank.values[test]) | (np.isnan(values) & bank.missing_passes[test])
        assert bank.bits[test].tolist() == pack(passed).tolist()
        exact = bank.exact
        assert exact.asking(int(exact.column[test]), int(exact.rank[test]), bool(bank.missing_passes[test])) == test


def test_only_columns_with_more_midpoints_than_cuts_are_exact():
    bank = roomy(max_cuts=20)

    n_values = {column: len(np.unique(values[~np.isnan(values)])) for column, values in enumerate(TABLE.values.T)}
    assert bank.exact.columns.tolist() == [column for column in (0, 1, 4) if n_values[column] > 21] == [0]
    assert roomy(max_cuts=3).exact.columns.tolist() == [0, 1]


def test_a_bank_that_has_all_midpoints_gets_no_room():
    bank = make_bank(TABLE, room=4)

    assert make_cut_slots(bank, TABLE) is bank
    assert bank.exact is None


def test_tests_keep_their_numbers_and_places_follow():
    plain, bank = make_bank(TABLE, max_cuts=3), roomy()

    assert bank.n_tests == plain.n_tests
    assert len(bank.columns) == len(bank.bits) == plain.n_tests + 4
    assert bank.kinds[bank.n_tests :].tolist() == [FREE] * 4
    assert bank.bits[: plain.n_tests].tolist() == plain.bits.tolist()
    check_bits(bank, TABLE)
    check_padding(bank)


def test_questions_that_join_before_stay_before_the_places():
    bank = more_tests(make_bank(TABLE, max_cuts=3, room=4), TABLE, [0], [AT_MOST], [halfway(0)], [False])

    roomy_bank = make_cut_slots(bank, TABLE)

    roomy_bank.exact.ensure_ranked(0)
    assert len(roomy_bank.bits) == bank.n_tests + 4
    assert roomy_bank.exact.asking(0, 0, False) == bank.n_tests - 1
    check_bits(roomy_bank, TABLE)


def test_questions_that_come_too_late_are_refused():
    with pytest.raises(ValueError, match="before make_cut_slots"):
        more_tests(roomy(), TABLE, [0], [AT_MOST], [0.123], [False])


def test_ranks_and_cuts_are_those_of_the_values():
    exact = roomy().exact
    present = ~np.isnan(LENGTH)

    assert exact.n_values[0] == len(DISTINCT)
    assert [exact.neighbours(0, rank) for rank in (0, 5)] == [(DISTINCT[0], DISTINCT[1]), (DISTINCT[5], DISTINCT[6])]
    assert DISTINCT[exact.ranks[0][present]].tolist() == LENGTH[present].tolist()
    assert (exact.ranks[0][~present] == -1).all()


def test_a_column_is_ranked_when_it_is_wanted():
    exact = make_cut_slots(make_bank(TABLE, max_cuts=3, room=4), TABLE).exact
    assert exact.n_values.tolist() == [0, 0]

    exact.wanted[1] = True
    exact.rank_wanted()

    assert (exact.n_values > 0).tolist() == [False, True]
    assert exact.ranks[1].tolist() == roomy().exact.ranks[1].tolist()


def test_every_drawn_cut_is_known_by_its_rank():
    bank = roomy()

    cuts = [test for test in range(bank.n_tests) if bank.kinds[test] == AT_MOST and bank.columns[test] in (0, 1)]

    for test in cuts:
        column = bank.exact.columns.tolist().index(bank.columns[test])
        values = TABLE.values[:, bank.columns[test]]
        rank = len(np.unique(values[values <= bank.values[test]])) - 1
        assert bank.exact.asking(column, rank, bool(bank.missing_passes[test])) == test
    assert (bank.exact.known > 0).sum() == len(cuts)


def test_places_are_lent_in_child_order_until_none_is_left():
    bank = roomy(places=4)
    room = CutSlots(bank)

    assert room.lend(3).tolist() == [bank.n_tests + i for i in range(3)]
    assert room.lend(3).tolist() == [bank.n_tests + 3, -1, -1]
    room.settle(asked(bank))
    assert room.lend(1).tolist() == [bank.n_tests]


def test_a_test_that_a_tree_asks_joins_with_the_decimal_midpoint():
    bank = roomy()
    room = CutSlots(bank)
    first, second = room.lend(2).tolist()
    rank = free_rank(bank)
    write(bank, second, rank, passes=True)

    assert room.settle(asked(bank, second)) is None

    question = bank.question(second)
    assert question.value == halfway(rank)
    assert question.missing_passes
    assert question.attribute == "length"
    assert room.n_taken == 1
    assert room.lend(2).tolist() == [first, second + 1]
    check_places(bank)


def test_equal_questions_of_one_generation_share_the_place_of_the_first_child():
    bank = roomy()
    room = CutSlots(bank)
    one, two, three, four = room.lend(4).tolist()
    for place in (one, two, four):
        write(bank, place, free_rank(bank))
    write(bank, three, free_rank(bank, 1))

    numbers = room.settle(asked(bank, two, three, four))

    assert numbers[[two - bank.n_tests, three - bank.n_tests, four - bank.n_tests]].tolist() == [two, three, two]
    assert room.n_taken == 2
    assert room.lend(4).tolist() == [one, four, -1, -1]
    check_places(bank)


def test_the_twin_is_another_question():
    bank = roomy()
    room = CutSlots(bank)
    one, two = room.lend(2).tolist()
    write(bank, one, free_rank(bank), passes=False)
    write(bank, two, free_rank(bank), passes=True)

    assert room.settle(asked(bank, one, two)) is None
    assert room.n_taken == 2
    check_places(bank)


def test_a_place_that_no_tree_asks_is_free_again_and_its_cut_unknown():
    bank = roomy()
    before = bank.exact.known.copy()
    room = CutSlots(bank)
    [place] = room.lend(1).tolist()
    write(bank, place, free_rank(bank))
    room.settle(asked(bank, place))
    assert bank.kinds[place] == AT_MOST

    room.settle(asked(bank))

    assert room.n_taken == 0
    assert bank.kinds[place] == FREE
    assert bank.exact.known.tolist() == before.tolist()
    assert bank.exact.column[place] == -1
    assert room.lend(1).tolist() == [place]


def test_generations_come_and_go_and_the_bank_is_never_larger():
    rng = np.random.default_rng(0)
    bank = roomy(places=12)
    room, in_use = CutSlots(bank), set()
    for _ in range(200):
        lent = [place for place in room.lend(int(rng.integers(1, 9))).tolist() if place >= 0]
        for place in lent:
            write(bank, place, free_rank(bank, int(rng.integers(20))), bool(rng.integers(2)))
        staying = {test for test in (*in_use, *lent) if rng.random() < 0.7}

        numbers = room.settle(asked(bank, *staying))

        in_use = staying if numbers is None else {int(numbers[test - bank.n_tests]) for test in staying}
        assert in_use == set((np.flatnonzero(bank.kinds[bank.n_tests :] != FREE) + bank.n_tests).tolist())
        assert room.n_taken == len(in_use) <= 12
        check_places(bank)


def test_a_cut_of_an_earlier_run_takes_its_place_again():
    bank = roomy()
    seat(bank, TABLE, bank.n_tests + 2, 0, DISTINCT[4], DISTINCT[5], True)

    assert bank.question(bank.n_tests + 2).value == halfway(4)
    assert CutSlots(bank).lend(4).tolist() == [bank.n_tests, bank.n_tests + 1, bank.n_tests + 3, -1]
    check_places(bank)


def test_places_that_an_earlier_run_needs_are_there_also_where_nothing_is_exact():
    bank = make_cut_slots(make_bank(TABLE), TABLE, at_least=3)

    seat(bank, TABLE, bank.n_tests + 2, 0, 0.123, 0.123, False)

    assert len(bank.bits) == bank.n_tests + 3
    assert bank.bits[bank.n_tests + 2].tolist() == pack(LENGTH <= 0.123).tolist()
    CutSlots(bank).settle(asked(bank))
    assert bank.kinds[bank.n_tests + 2] == FREE


@pytest.mark.parametrize(("spare", "places"), [(0, 0), (3.5, 3), (1000, 4)])
def test_the_room_is_what_the_memory_budget_has_left(spare, places):
    bits = make_bank(TABLE, max_cuts=3).bits

    bank = make_bank(TABLE, max_cuts=3, room=4, memory_budget=bits.nbytes + int(spare * bits[0].nbytes))

    assert len(bank.bits) - bank.n_tests == places
    assert (make_cut_slots(bank, TABLE) is bank) == (places == 0)


def test_what_all_tests_ask_is_learnt_at_once_as_it_is_one_by_one():
    """Also where two ask the same cut, of which the first is known, and where a cut divides nothing."""
    lowest, highest = DISTINCT[0] - 1, DISTINCT[-1]
    same = DISTINCT[7]
    cuts = [same, np.nextafter(same, np.inf), lowest, highest]
    bank = more_tests(make_bank(TABLE, max_cuts=6, room=4), TABLE, [0] * 4, [AT_MOST] * 4, cuts, [False] * 4)
    exact = make_cut_slots(bank, TABLE).exact

    exact.ensure_ranked(0)

    at_once = exact.known.copy()
    exact.known[:] = 0
    for test in np.flatnonzero(exact.column == 0).tolist():
        exact.learn(test, bool(bank.missing_passes[test]))
    assert at_once.tolist() == exact.known.tolist()
    assert exact.asking(0, 7, False) == bank.n_tests - 4
