"""Community labels: set by guardians, on one entry or on all of a category; display follows them everywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lumbung.errors import UsageError
from lumbung.library.protocols import read_labels
from lumbung.model.permission import Actor, allow, person_of, scopes_of
from lumbung.store import entries, governed
from lumbung.store.database import Transaction

VERB = "set-labels"
GivenLabels = Sequence[str | Mapping[str, Any]]
"""Codes of the table, or objects as `read_label` takes them; an empty list takes all labels away."""


def category_row(category: str) -> str:
    """The governed row of a category's labels."""
    return f"labels.{category}"


async def set_labels(
    tx: Transaction, actor: Actor, entry: str, labels: GivenLabels, reason: str
) -> list[dict[str, Any]]:
    """The entry's own labels from now on, which hold for what supplements it too. A guardian of its category, or of one of its
    regions or peoples, may set them.
    """
    held = await entries.get(tx, entry)
    allow(actor, VERB, scopes_of(held), reason)
    person = person_of(actor, VERB)
    if held is None or held["status"] == "withdrawn":
        raise UsageError(f"There is no entry {entry} that could be labelled.")
    wanted = read_labels(labels)
    await entries.set_labels(tx, entry, wanted)
    await entries.touch_supplements(tx, entry)
    await governed.append_action(tx, person, VERB, entry, reason, {"before": held["labels"], "after": wanted})
    return wanted


async def set_category_labels(tx: Transaction, actor: Actor, category: str, labels: GivenLabels, reason: str) -> int:
    """Labels of every entry of a category, those to come too; the version of the governed row."""
    rows = await governed.values_now(tx)
    allow(actor, VERB, category, reason)
    person = person_of(actor, VERB)
    if f"mode.{category}" not in rows:
        raise UsageError(f"There is no category {category}.")
    wanted = read_labels(labels)
    effect = {"before": rows.get(category_row(category), []), "after": wanted}
    action = await governed.append_action(tx, person, VERB, f"category:{category}", reason, effect)
    version = await governed.set_value(tx, category_row(category), wanted, action)
    await entries.touch_category(tx, category)
    return version


async def labels_by_category(tx: Transaction) -> dict[str, list[dict[str, Any]]]:
    rows = await governed.values_now(tx)
    return {name.removeprefix("labels."): value for name, value in rows.items() if name.startswith("labels.") and value}
