"""One colour for each class, told apart by colour-blind readers too.

The first eight are those of Okabe and Ito (2008), the blue first and black left out for a grey; later classes
get lighter and darker kin. Names are always written beside the colour, which never stands alone.
"""

from __future__ import annotations

_BASE = ("#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#f0e442", "#8c8c8c")
_MIXES = ((0, 0.0), (255, 0.45), (0, 0.35), (255, 0.7))  # towards white or black, by how much


def colour(label: int) -> str:
    """Return the colour of the class with index `label`, as ``#rrggbb``; after 32 classes they come again."""
    base = _BASE[label % len(_BASE)]
    towards, share = _MIXES[label // len(_BASE) % len(_MIXES)]
    channels = (int(base[k : k + 2], 16) for k in (1, 3, 5))
    return "#" + "".join(f"{round(channel + (towards - channel) * share):02x}" for channel in channels)
