"""Model files of earlier versions of the format, by the names of now."""

from __future__ import annotations

from typing import Any

# Version 1.
PARAMETERS = {
    "population": "population_size",
    "max_leaves": "max_leaf_nodes",
    "size": "size_selection",
    "seeds": "initial_trees",
    "patience": "n_iter_no_change",
}
SETTINGS = {("selection", "size"): "tournament_size"}
MOVED = {("succession", "optimum"): "search", ("succession", "lookahead"): "search"}  # into other settings
STOP_REASONS = {"patience": "no_change"}


def from_version_1(document: dict[str, Any]) -> dict[str, Any]:
    """Return a document of version 1 as version 2 has it; values that are none are left to be refused.

    Parameters
    ----------
    document : dict
        Whose parameters and facts are objects.
    """
    facts = dict(document["facts"])
    reason = facts.get("stop_reason")
    if isinstance(reason, str):
        facts["stop_reason"] = STOP_REASONS.get(reason, reason)
    return {**document, "parameters": _parameters(document["parameters"]), "facts": facts}


def _parameters(written: dict[str, Any]) -> dict[str, Any]:
    renamed = {PARAMETERS.get(name, name): value for name, value in written.items()}
    moved: dict[str, dict[str, Any]] = {}
    for name, value in renamed.items():
        if not isinstance(value, dict) or not isinstance(value.get("settings"), dict):
            continue
        kept = {}
        for key, each in value["settings"].items():
            if (name, key) in MOVED:
                moved.setdefault(MOVED[name, key], {})[key] = each
            else:
                kept[SETTINGS.get((name, key), key)] = each
        renamed[name] = {"settings": kept}
    return {**renamed, **{home: {"settings": fields} for home, fields in moved.items()}}
