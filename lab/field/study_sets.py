"""The sets on which sizes and probabilities are compared, and which of them may have a part in choosing rules.

Rules and constants are chosen on some sets and judged on others. A digest of its name says which a set is, so that
nobody chooses: this was committed before the first measurement of these contests.
"""

from __future__ import annotations

import hashlib

from lab.field.generated_sets import GENERATED
from lab.field.sets import FILES

BUNDLED = ("iris", "wine", "breast_cancer", "digits")
COVTYPE = "covtype"
REAL = (*BUNDLED, *FILES, COVTYPE)
DRAWN = tuple(GENERATED)
STUDY_SETS = (*REAL, *DRAWN)


def may_choose(name: str) -> bool:
    """Say whether a set may have a part in choosing rules; the others are kept out."""
    return int(hashlib.sha256(name.encode()).hexdigest(), 16) % 2 == 0


CHOOSING = tuple(name for name in STUDY_SETS if may_choose(name))
KEPT_OUT = tuple(name for name in STUDY_SETS if not may_choose(name))
