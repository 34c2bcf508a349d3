"""`lumbung user token`: tokens for programs."""

from __future__ import annotations

from typing import Annotated

import typer

from lumbung.cli.acts import carry_out
from lumbung.cli.session import run

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Tokens for programs that act in your name.")
Name = Annotated[str, typer.Argument(help="Name of the token.")]


@app.command()
def issue(
    name: Name, verb: Annotated[list[str], typer.Option(help="What it is good for, such as create-entry; repeatable.")]
) -> None:
    """Print a new token, once; it is never good for more than your own roles.

    Example: lumbung user token issue portal --verb create-entry --verb revise-entry
    """
    from lumbung.governance.actions.people import issue_token

    typer.echo(run(carry_out(issue_token, name, tuple(verb))))


@app.command()
def revoke(name: Name) -> None:
    """Take a token back at once.

    Example: lumbung user token revoke portal
    """
    from lumbung.governance.actions.people import revoke_token

    run(carry_out(revoke_token, name))
    typer.echo(f"{name} is revoked.")
