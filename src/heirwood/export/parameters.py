"""An estimator's parameters as JSON, and back."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

import narwhals as nw
import numpy as np

from heirwood.export.model_file import ModelFileError
from heirwood.probabilities import check_smoothing
from heirwood.settings import SETTINGS, Payoff
from heirwood.terminal_text import brief

# Who listens, and where the journal goes, belong to a run and not to a model: they are not written, and a file
# that names them is refused, for the next fit would write where it says.
NOT_WRITTEN = {"monitoring": ("journal", "listeners")}

MEASURES = ("class_weight", "cost_matrix", "payoff.", "time_limit")  # whole numbers among them are as good as floats
BEYOND_64_BITS = 2**64  # JSON of ours has no longer ones
MEND = (
    "set {} to something that can be (a name, a number), and that fit would take, with set_params before saving: the "
    "fitted trees do not change"
)


def parameters_to_json(parameters: dict[str, Any]) -> dict[str, Any]:
    """Return parameters as plain JSON values, or say which one cannot be written down, or read back."""
    return {name: _kept(name, value) for name, value in parameters.items()}


def _kept(name: str, value: Any) -> Any:
    try:
        written = _written(name, value)
    except ModelFileError:
        raise
    except Exception as error:  # it is too deep or holds itself, or is of the user's own and raises what it likes
        why = "it is nested too deeply" if isinstance(error, RecursionError) else f"{type(error).__name__}: {error}"
        raise ModelFileError(
            f"{name}={brief(value)} cannot be written to a model file ({why}); {MEND.format(name)}"
        ) from error
    try:
        _read(name, written)
    except (TypeError, ValueError) as error:
        raise ModelFileError(
            f"{name}={brief(value)} cannot be read back from a model file ({error}); {MEND.format(name)}"
        ) from error
    return written


def _written(name: str, value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, numbers.Real | Decimal | np.longdouble) and not isinstance(value, bool | int | float):
        value = float(value)  # fractions and such
    if type(value) is int and abs(value) >= BEYOND_64_BITS and name.startswith(MEASURES):
        value = float(value)  # which it was to the fit
    if isinstance(value, float) and not math.isfinite(value):
        raise ModelFileError(f"{name}={value} cannot be written to a model file; expected a finite number")
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if name == "initial_trees":
        return None  # trees that a run began with, and files to read them from, belong to the run as well
    if name == "cost_matrix":
        value = _as_pairs_or_rows(value)
    if isinstance(value, np.ndarray):
        return _written(name, value.tolist())  # a number, where it has no dimensions
    if isinstance(value, list | tuple):
        return [_written(name, item) for item in value]
    if isinstance(value, Mapping):
        if name in ("class_weight", "cost_matrix") or not all(isinstance(key, str) for key in value):
            return {"pairs": [[_written(name, key), _written(name, item)] for key, item in value.items()]}
        return {key: _written(f"{name}.{key}", item) for key, item in value.items()}
    if name in SETTINGS and isinstance(value, SETTINGS[name]):
        settings: Any = value
        kept = {key: v for key, v in settings.get_params(deep=False).items() if key not in NOT_WRITTEN.get(name, ())}
        return {"settings": {key: _written(f"{name}.{key}", item) for key, item in kept.items()}}
    if name == "random_state":
        return None  # the model keeps the seed that was drawn from it
    shown = getattr(value, "__name__", None) or brief(value)
    raise ModelFileError(f"{name}={shown} cannot be written to a model file; {MEND.format(name)}")


def _as_pairs_or_rows(costs: Any) -> Any:
    """Return a cost matrix of any kind as a mapping, where it names its classes, or as rows of Python's numbers."""
    if nw.dependencies.is_pandas_like_dataframe(costs):
        return costs.T.unstack().to_dict()
    frame = nw.from_native(costs, eager_only=True, pass_through=True)
    if isinstance(frame, nw.DataFrame):  # NumPy has no integers of 128 bits
        return list(zip(*(frame.get_column(name).to_list() for name in frame.columns), strict=True))
    return np.asarray(costs) if hasattr(costs, "__array__") else costs


def parameters_from_json(document: Any) -> dict[str, Any]:
    """Return the parameters that `parameters_to_json` wrote; anything else is refused."""
    if not isinstance(document, dict):
        raise ModelFileError(f"the parameters must be an object, got {type(document).__name__}")
    return {name: _read(name, value) for name, value in document.items()}


def _read(name: str, value: Any) -> Any:
    if name == "initial_trees" and value not in (None, "cart"):
        raise ModelFileError("the parameter 'seeds' must be null or \"cart\"")
    if name == "smoothing":
        return _read_smoothing(value)
    if isinstance(value, dict) and set(value) == {"settings"} and name in SETTINGS:
        return _read_settings(name, value["settings"])
    if isinstance(value, dict) and set(value) == {"pairs"}:
        pairs = value["pairs"]
        well_formed = isinstance(pairs, list) and all(isinstance(p, list) and len(p) == 2 for p in pairs)
        if well_formed and name == "cost_matrix":
            pairs = [[tuple(key) if isinstance(key, list) else key, cost] for key, cost in pairs]
        if not well_formed or not all(_is_key(key) for key, _ in pairs):
            raise ModelFileError(f"the parameter {name!r} holds no list of pairs")
        return dict(pairs)
    if isinstance(value, dict) and name != "breeding.operators":
        raise ModelFileError(f"the parameter {name[:60]!r} holds an object, which it cannot be")
    if isinstance(value, list) and (name.startswith("payoff.") or name == "leaf_cost"):
        return tuple(value)
    return value


def _read_smoothing(value: Any) -> Any:
    """Return what a loaded model answers with, not only what its next fit would check."""
    try:
        check_smoothing(value)
    except ValueError as error:
        raise ModelFileError(str(error)) from error
    return value


def _is_key(key: Any) -> bool:
    parts = key if isinstance(key, tuple) else (key,)
    return not any(isinstance(part, (list, dict)) for part in parts)


def _read_settings(name: str, fields: Any) -> Any:
    kind = SETTINGS[name]
    if kind is Payoff:
        sound = isinstance(fields, dict) and isinstance(fields.get("name"), str) and "self" not in fields
    else:
        known = set(kind().get_params(deep=False)) - set(NOT_WRITTEN.get(name, ()))
        sound = isinstance(fields, dict) and set(fields) <= known
    if not sound:
        raise ModelFileError(f"the settings of {name!r} are not those of {kind.__name__}")
    return kind(**{key: _read(f"{name}.{key}", item) for key, item in fields.items()})
