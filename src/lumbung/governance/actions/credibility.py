"""What labels say about a source, a type of source or the extractor comes into force as the constant it is about."""

from __future__ import annotations

from lumbung.errors import UsageError
from lumbung.governance.actions.constants import Change, set_constant
from lumbung.governance.audit.credibility import credibility_proposals
from lumbung.model.permission import Actor
from lumbung.model.profile import Profile
from lumbung.store.database import Transaction


async def adopt_credibility(tx: Transaction, actor: Actor, profile: Profile, name: str, reason: str) -> Change:
    """The labels are read here again; who may change the constant, and what takes a second person, is as ever."""
    proposals = {each.name: each for each in await credibility_proposals(tx, profile)}
    if name not in proposals:
        raise UsageError(f"The labels say nothing about {name}; `lumbung mode audit credibility` lists what they say.")
    return await set_constant(tx, actor, name, proposals[name].suggested, reason)
