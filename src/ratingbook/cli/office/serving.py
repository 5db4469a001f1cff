"""``ratingbook office serve``: the site of an office, with a worker for its jobs."""

from __future__ import annotations

from typing import Annotated

import typer

from ratingbook.cli.office.answers import Answer, HomeOption, answering, opened
from ratingbook.cli.office.app import office


@office.command()
@answering
def serve(
    host: Annotated[str, typer.Option(help="Address to serve at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port to serve at.")] = 8000,
    worker: Annotated[
        bool, typer.Option("--worker/--no-worker", help="Do the jobs that wait, too.")
    ] = True,
    home: HomeOption = None,
) -> Answer:
    """Serve the site of the office until Ctrl-C, and do its jobs beside."""
    from ratingbook.cli.screen import errors
    from ratingbook.desk.written import clean

    office_ = opened(home)
    from ratingbook.site.serving import serve as serve_site

    def tell(line: str) -> None:
        errors().print(clean(line), soft_wrap=True)

    serve_site(office_, host, port, tell, with_worker=worker)
    return Answer({"served": True}, ["Ended."])
