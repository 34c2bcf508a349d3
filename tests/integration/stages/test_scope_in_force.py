from __future__ import annotations

from tests.integration.stages.test_agents_at_work import minded
from tests.integration.stages.test_order import page

from lumbung.store import governed

WORDING = "Hanya tari dan nyanyian di tepi danau."


class Reader:
    """Finds nothing to belong into the scope, and keeps the instructions that it was given."""

    def __init__(self):
        self.instructions = []

    def __call__(self, asked):
        self.instructions.append(asked.system)
        return {"verdict": "out", "criterion": "single-event", "cited": [1], "why": "because"}


async def test_the_agent_is_given_the_scope_that_the_guardians_put_in_force(bench):
    reader = Reader()
    async with minded(bench, reader) as made:
        async with made.people.transaction() as tx:
            line = await governed.append_action(tx, None, "set-scope", "scope.text", "test", {"value": WORDING})
            await governed.set_value(tx, "scope.text", WORDING, line)
        await made.add(*page("https://budaya.go.id/1", "Festival Lilin", [("fungsi", "hiburan rakyat")]))
        await made.run()
        [instructions] = reader.instructions
        assert WORDING in instructions
        assert "Suriname" not in instructions, "the profile's own proposal no longer speaks"
