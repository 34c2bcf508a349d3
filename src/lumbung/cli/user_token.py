"""`lumbung user token`: tokens for programs."""

from __future__ import annotations

from typing import Annotated

import typer

from lumbung.cli.acts import AsJson, carry_out, tell
from lumbung.cli.session import run

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Tokens for programs that act in your name.\n\nExample: lumbung user token issue portal --verb create-entry",
)
Name = Annotated[str, typer.Argument(help="Name of the token.")]


@app.command()
def issue(
    name: Name,
    verb: Annotated[list[str], typer.Option(help="What it is good for, such as create-entry; repeatable.")],
    json: AsJson = False,
) -> None:
    """Print a new token, once; it is never good for more than your own roles.

    Example: lumbung user token issue portal --verb create-entry --verb revise-entry
    """
    from lumbung.governance.actions.people import issue_token

    token = run(carry_out(issue_token, name, tuple(verb)))
    tell(json, token, name=name, token=token, verbs=verb)


@app.command()
def revoke(name: Name, json: AsJson = False) -> None:
    """Take a token back at once.

    Example: lumbung user token revoke portal
    """
    from lumbung.governance.actions.people import revoke_token

    run(carry_out(revoke_token, name))
    tell(json, f"{name} is revoked.", name=name, revoked=True)
