"""The commands of accounts: who signs in to the site, and as which actor."""

from __future__ import annotations

from typing import Annotated

import typer

from ratingbook.cli.command import several
from ratingbook.cli.office.answers import (
    ActorOption,
    Answer,
    Format,
    FormatOption,
    HomeOption,
    acting_as,
    answering,
)
from ratingbook.cli.office.app import office

users = several("Who signs in to the site.")
office.add_typer(users, name="user")

UserArgument = Annotated[str, typer.Argument(help="The name to sign in by.")]


@users.command("add")
@answering
def user_add(
    name: UserArgument,
    as_actor: Annotated[str, typer.Option("--actor", help="The actor of the office who it is.")],
    password: Annotated[
        bool, typer.Option("--password", help="Ask for the password; else a one-time link.")
    ] = False,
    home: HomeOption = None,
    actor: ActorOption = None,
    format_: FormatOption = Format.table,
) -> Answer:
    """Add an account; without --password it is chosen by a one-time link."""
    at = _opened(home)
    from ratingbook.site import accounts

    who = acting_as(actor)
    chosen = None
    if password:
        chosen = typer.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    accounts.add_user(name, as_actor, who, chosen)
    if password:
        return Answer({"user": name, "actor": as_actor}, [f"{name} signs in as {as_actor}"])
    return _link(name, as_actor, at, accounts.one_time_link(name, who))


@users.command("link")
@answering
def user_link(name: UserArgument, home: HomeOption = None, actor: ActorOption = None) -> Answer:
    """A one-time link, by which a password is chosen anew; good for a day."""
    at = _opened(home)
    from ratingbook.site import accounts

    return _link(name, None, at, accounts.one_time_link(name, acting_as(actor)))


@users.command("list")
@answering
def user_list(home: HomeOption = None) -> Answer:
    """The accounts, with their actors and roles."""
    _opened(home)
    from ratingbook.site import accounts

    found = accounts.users()
    rows = [
        [each["name"], each["actor"], ", ".join(each["roles"]), each["is_active"],
         each["second_factor"]]
        for each in found
    ]  # fmt: skip
    return Answer({"users": found}, columns=("Name", "Actor", "Roles", "Open", "Second factor"),
                  rows=rows, none="Nobody has an account.")  # fmt: skip


@users.command("give")
@answering
def user_give(
    name: UserArgument,
    as_actor: Annotated[str, typer.Option("--actor", help="The actor of the office who it is.")],
    home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:
    """Give an actor to the account of somebody who has signed up without the office."""
    _opened(home)
    from ratingbook.site import accounts

    accounts.give_actor(name, as_actor, acting_as(actor))
    return Answer({"user": name, "actor": as_actor}, [f"{name} acts as {as_actor}"])


@users.command("drop")
@answering
def user_drop(name: UserArgument, home: HomeOption = None, actor: ActorOption = None) -> Answer:
    """Throw away the account of somebody who has signed up, and has no actor: its name is free."""
    _opened(home)
    from ratingbook.site import accounts

    accounts.drop_user(name, acting_as(actor))
    return Answer({"user": name}, [f"The account {name} is gone"])


@users.command("close")
@answering
def user_close(name: UserArgument, home: HomeOption = None, actor: ActorOption = None) -> Answer:
    """Let nobody sign in by an account any more; its sessions and tokens end."""
    return _active(name, home, actor, active=False)


@users.command("open")
@answering
def user_open(name: UserArgument, home: HomeOption = None, actor: ActorOption = None) -> Answer:
    """Open an account that was closed."""
    return _active(name, home, actor, active=True)


@users.command("forget-second-factor")
@answering
def user_forget(name: UserArgument, home: HomeOption = None, actor: ActorOption = None) -> Answer:
    """Let somebody sign in by the password alone who has lost the app and the codes."""
    _opened(home)
    from ratingbook.site import second_factors

    findings = second_factors.forget(name, acting_as(actor))
    said = f"{name} signs in by the password alone, until there is a second factor again"
    return Answer({"user": name, "second_factor": False}, [said], findings=findings)


def _active(name: str, home: HomeOption, actor: ActorOption, *, active: bool) -> Answer:
    _opened(home)
    from ratingbook.site import accounts

    findings = accounts.set_active(name, acting_as(actor), active=active)
    said = {"user": name, "open": active}
    return Answer(said, [f"{name} is {'open' if active else 'closed'}"], findings=findings)


def _opened(home: HomeOption) -> str:
    """The office opened; gives where its site is reached."""
    from ratingbook.office.home import folder_of, start_django

    start_django()
    from ratingbook.site.opening import address_of, open_site

    return address_of(open_site(folder_of(home)))


def _link(name: str, as_actor: str | None, at: str, path: str) -> Answer:
    said = {"user": name, "actor": as_actor, "link": path}
    where = f"{at or 'http://127.0.0.1:8000'}{path}"
    beside = [] if at else [
        "That is where `ratingbook office serve` has the site; with another --host or --port it is "
        "the same path there."
    ]  # fmt: skip
    return Answer(said, ["Open this once, within a day:", where, *beside])
