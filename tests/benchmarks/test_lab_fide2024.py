"""The study of FIDE's reform: until its day all its parts are one world, after it they are not."""

from __future__ import annotations

from datetime import date

import numpy as np

from benchmarks.lab_fide2024 import LOOKED, NUMBERS, REFORM_AFTER, course, reforms, worlds


def test_the_parts_of_the_reform_part_on_its_day():
    world = worlds(20)["juniors"].changed({"events": 3, "meets": 4})
    parts = reforms(date(world.start.year + REFORM_AFTER, 1, 1))
    assert [*parts] == ["none", "lift", "rules", "both"]
    none, both = (np.array(course(world, parts[name], 1)) for name in ("none", "both"))
    assert none.shape == (len(LOOKED), len(NUMBERS))
    before = np.array(LOOKED) < REFORM_AFTER
    assert np.array_equal(none[before], both[before], equal_nan=True)
    above = NUMBERS.index("rising_above")
    on_the_day = LOOKED.index(REFORM_AFTER)
    assert both[on_the_day, above] > none[on_the_day, above] + 50
