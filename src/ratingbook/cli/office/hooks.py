"""The commands of webhooks: which programs elsewhere are told what happens."""

from __future__ import annotations

from typing import Annotated

import typer

from ratingbook.cli.command import several
from ratingbook.cli.office.answers import (
    ActorOption,
    Answer,
    HomeOption,
    acting_as,
    answering,
    opened,
)
from ratingbook.cli.office.app import office

webhooks = several("Programs that are told what happens.")
office.add_typer(webhooks, name="webhook")


@webhooks.command("add")
@answering
def webhook_add(
    url: Annotated[str, typer.Argument(help="Where to send to: https://…")],
    event: Annotated[
        list[str],
        typer.Option(help="list.published, list.revised, correction.registered, report.state."),
    ],
    home: HomeOption = None,
    actor: ActorOption = None,
) -> Answer:
    """Register an address; the secret by which deliveries are verified is told once."""
    office_ = opened(home)
    from ratingbook.office.acts import webhooks as acts

    number, secret = acts.add(office_, url, event, acting_as(actor))
    lines = [f"webhook {number}: {url}", "The secret, which nobody sees again:", secret]
    return Answer({"webhook": number, "url": url, "events": event, "secret": secret}, lines)


@webhooks.command("list")
@answering
def webhook_list(home: HomeOption = None) -> Answer:
    """The addresses, and of which events each is told."""
    opened(home)
    from ratingbook.office.acts import webhooks as acts

    found = acts.every()
    said = [{"id": x.id, "url": x.url, "events": x.events, "actor": x.actor} for x in found]
    rows = [[x.id, x.url, ", ".join(x.events), x.actor] for x in found]
    columns = (">Webhook", "Address", "Events", "By")
    none = "No address is told of anything."
    return Answer({"webhooks": said}, columns=columns, rows=rows, none=none)


@webhooks.command("remove")
@answering
def webhook_remove(number: int, home: HomeOption = None, actor: ActorOption = None) -> Answer:
    """Tell an address nothing any more."""
    opened(home)
    from ratingbook.office.acts import webhooks as acts

    acts.remove(number, acting_as(actor))
    return Answer({"webhook": number}, [f"webhook {number} is removed"])


@webhooks.command("log")
@answering
def webhook_log(home: HomeOption = None) -> Answer:
    """What was sent or waits, the newest first, and how each attempt was answered."""
    opened(home)
    from ratingbook.office.acts import webhooks as acts

    found = acts.last()
    said = [
        {"id": x.id, "webhook": x.webhook_id, "event": x.event, "said": x.said, "state": x.state,
         "attempts": x.attempts, "due": x.due, "log": acts.log_of(x)}
        for x in found
    ]  # fmt: skip
    rows = [
        [x.id, x.webhook_id, x.event, x.state, x.attempts, acts.log_of(x)[-1][1] if x.log else ""]
        for x in found
    ]
    columns = (">Delivery", ">Webhook", "Event", "State", ">Attempts", "Last answer")
    none = "Nothing was sent, and nothing waits."
    return Answer({"deliveries": said}, columns=columns, rows=rows, none=none)


@webhooks.command("again")
@answering
def webhook_again(number: int, home: HomeOption = None, actor: ActorOption = None) -> Answer:
    """Let a delivery that was given up be tried again."""
    opened(home)
    from ratingbook.office.acts import webhooks as acts

    acts.again(number, acting_as(actor))
    return Answer({"delivery": number}, [f"delivery {number} waits again"])
