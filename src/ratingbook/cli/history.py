"""``ratingbook history``: columns of games in, ratings and changes out."""

from __future__ import annotations

import gc
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from ratingbook.cli.explained import nothing_to_explain, player_and_list, print_rows
from ratingbook.cli.screen import (
    errors,
    is_quiet,
    output,
    print_findings,
    print_refusal,
    say,
    telling,
)
from ratingbook.desk.correct import corrections_in
from ratingbook.desk.pool import Pool, left_beside
from ratingbook.desk.progress import Lines
from ratingbook.desk.written import clean
from ratingbook.engine.beside import processors
from ratingbook.engine.bindings import NoBulk, bulk_of
from ratingbook.engine.history.amend import amended
from ratingbook.engine.history.api import History, program_for
from ratingbook.engine.history.columns import HistoryInput
from ratingbook.engine.history.explain import NothingToExplain
from ratingbook.engine.history.explain import explain as explained
from ratingbook.engine.history.files import (
    LeftBeside,
    Written,
    rate_into,
    write_preview,
)
from ratingbook.engine.history.fit import check_history, tell_passed_over, tell_unsettled
from ratingbook.engine.history.folder import alone_in
from ratingbook.engine.history.intake import read_history
from ratingbook.engine.history.pooled import rate_pools, rate_whole
from ratingbook.engine.history.pooled_course import AllPools
from ratingbook.engine.history.pools import divided, has_pools
from ratingbook.engine.history.program import COMPILED_FROM
from ratingbook.engine.history.refused import HistoryRefused
from ratingbook.engine.history.run import Run
from ratingbook.engine.history.together import Together
from ratingbook.engine.left import DIFFERENCES, PREVIEW, SHOWN, is_pool
from ratingbook.engine.link import load_compiler, why_compiled_code_is_not_kept
from ratingbook.engine.options import Beside, IntoFolder, RunOptions, part_of
from ratingbook.engine.report.run import RatedRow
from ratingbook.engine.store import file_name
from ratingbook.formats.catalogue import FORMATS
from ratingbook.model import Findings, Place, Severity
from ratingbook.rules.series import BookOrSeries, pools_of
from ratingbook.rules.wording import counted

_FILES = frozenset(
    {".csv", ".html", ".json", ".jsonl", ".parquet", ".txt", ".xlsx", ".zip"}
    | {each.suffix for each in FORMATS.values() if each.suffix}
)
"""How files of reports and results end, and no folders."""
_SHOWN = 3
_LARGE = 1 << 20
"""Bytes of files that have games enough for compiled loops."""


def run(
    games: Sequence[Path],
    book: BookOrSeries,
    out: Path,
    beside: Beside,
    how: RunOptions,
    *,
    master: str | None,
    correct: Path | None,
    preview: bool,
    settings: Mapping[str, str],
) -> bool:
    """Rate a history of tables into a folder; True if the input was refused.

    ``master`` is the address of a Spark master; None: this process rates.  ``correct`` is
    a file of corrections; with ``preview`` only what they change is written.
    """
    findings = what_refuses((*games, *_files(beside), correct), book, out)
    if findings.refused:
        print_findings(findings, errors())
        return True
    begun = time.monotonic()
    assume = how["assume"]
    tables = {"games": games, **{n: p for n, p in beside.items() if p is not None}}
    pool = Pool(out, book, settings, assume, "local", tables)
    try:
        if master is None:
            with alone_in(out):
                with _compiler_beside(games):
                    given, findings = _read(games, beside, book, assume)
                now = _corrected(given, correct, findings)
                if preview:
                    _preview(given, now, book, assume, out)
                    return False
                written = rate_here(now, book, out, how, _word_of(pool, correct))
            count, read = len(now.players), _rows_read(given, now)
        else:
            with _stoppable(out):
                left = left_beside(pool, copied=False)
                written, count, read = _rate_there(games, book, out, beside, how, master, left)
    except HistoryRefused as error:
        print_findings(error.findings, errors())
        return True
    tell(written, count, book, out, time.monotonic() - begun, changes=how["changes"])
    if not is_quiet():
        output().print(_became(read, written, changes=how["changes"]))
    return False


def what_refuses(read: Sequence[Path | None], book: BookOrSeries, out: Path) -> Findings:
    """What is known without reading: of the rule book, the folder, and what is written over."""
    findings = Findings()
    try:
        bulk_of(book)
    except NoBulk as error:
        findings.add(Severity.FATAL, "history.rulebook", str(error), remedy="Use `rate`.")
    _check_paths(read, out, findings)
    return findings


def _check_paths(read: Sequence[Path | None], out: Path, findings: Findings) -> None:
    if _real(out) is None:
        findings.add(
            Severity.FATAL, "history.out", f"{out} leads in a circle.", Place(file=str(out)),
            "Name a folder.",
        )  # fmt: skip
        return
    if out.exists() and not out.is_dir():
        findings.add(
            Severity.FATAL, "history.out", f"{out} is a file.", Place(file=str(out)),
            "Name a folder.",
        )  # fmt: skip
    _check_folder(out, findings)
    written_over = {_real(out), *(_real(out / file_name(name)) for name in SHOWN)}
    for path in read:
        if path is not None and (real := _real(path)) is not None and real in written_over:
            findings.add(
                Severity.FATAL, "history.input-in-out",
                f"The {'folder' if path.is_dir() else 'file'} would be written over by what is "
                "made of it.", Place(file=str(path)),
                "Name another folder for --out.",
            )  # fmt: skip


def _check_folder(out: Path, findings: Findings) -> None:
    """What is written together with reports would be taken for theirs, and they for its own."""
    if not out.exists() and out.suffix.lower() in _FILES:
        findings.add(
            Severity.FATAL, "history.out",
            f"{out.name} is the name of a file, and a history is a folder.", Place(file=str(out)),
            f"Name a folder, such as {out.stem}; `ratingbook list FOLDER -o {out.name}` writes "
            "a list of it.",
        )  # fmt: skip
    if not out.is_dir() or is_pool(out):
        return
    own = {file_name(name) for name in SHOWN}
    others = sorted(
        each.name for each in out.iterdir()
        if each.suffix.lower() in _FILES and each.name not in own and each.is_file()
        and not each.name.startswith((".", "_"))
    )  # fmt: skip
    if others:
        more = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
        findings.add(
            Severity.FATAL, "history.out",
            f"The folder holds other files and no history: {', '.join(others[:_SHOWN])}{more}.",
            Place(file=str(out)), "Name a folder of its own, which need not exist, for --out.",
        )  # fmt: skip


def _files(beside: Beside) -> list[Path]:
    """The files of what is known besides the games."""
    return [Path(str(path)) for path in beside.values() if path is not None]


def _real(path: Path) -> Path | None:
    """Where a path leads; None: in a circle."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return None


class _RowsRead(NamedTuple):
    """The rows of games in the files."""

    rows: int
    open_games: int
    """Those without a score."""
    halves_left_out: int
    """Halves of the games that are gone through whose rows say that they are not rated."""


def _rows_read(given: HistoryInput, now: HistoryInput) -> _RowsRead:
    open_games = len(given.left_out)
    return _RowsRead(len(given.games) + open_games, open_games, now.games.halves_left_out)


def _became(read: _RowsRead, written: Written, *, changes: bool) -> str:
    """What became of all rows of games, in numbers that add up; corrections make the rest.

    Whether a game was rated is a matter of its halves: rules count one for White and not for
    Black, and some only when they know all games of a player.
    """
    told = []
    unrated = read.halves_left_out + written.passed_over
    if _rates_nobody(written, changes=changes):
        told.append(f"{written.games:,} rated for nobody")
    elif unrated:
        are = "is" if unrated == 1 else "are"
        halves = counted(unrated, "half", "halves")
        told.append(f"{written.games:,} gone through, of which {halves} {are} not rated")
    else:
        told.append(f"{written.games:,} rated")
    if read.open_games:
        told.append(f"{read.open_games:,} left out without a score")
    corrected = read.rows - read.open_games - written.games
    if corrected > 0:
        told.append(f"{corrected:,} taken out by corrections")
    if corrected < 0:
        told.append(f"{-corrected:,} of them added by corrections")
    return f"{counted(read.rows, 'row')} of games read: {', '.join(told)}."


def _rates_nobody(written: Written, *, changes: bool) -> bool:
    """Whether no rating changed; without changes nobody knows."""
    return changes and not written.rows


def _word_of(pool: Pool, correct: Path | None) -> LeftBeside:
    """What the folder says its ratings were made of, so that `list` can go back to a day."""
    if correct is not None:
        made, more = corrections_in(correct, pool)
        if more.refused:
            # What was told of them has been told; without them there is nothing to go by.
            return {}
        pool = replace(pool, corrections=tuple(made.rows))
    return left_beside(pool, copied=False)


def explain(
    games: Sequence[Path],
    book: BookOrSeries,
    asked: str,
    beside: Beside,
    assume: float | None,
    *,
    correct: Path | None,
    as_json: bool,
    pool: str | None = None,
) -> bool:
    """Explain a change of a history; True if the input, or the question, was refused."""
    try:
        given, findings = _read(games, beside, book, assume)
        now = _corrected(given, correct, findings)
        rows = _explained(now, book, asked, assume, pool)
    except HistoryRefused as error:
        return print_refusal(error.findings, as_json=as_json)
    except NothingToExplain as error:
        return nothing_to_explain(error, as_json=as_json)
    print_rows(rows, book, {}, findings, as_json=as_json)
    return False


def _explained(
    now: HistoryInput, book: BookOrSeries, asked: str, assume: float | None, pool: str | None
) -> list[RatedRow]:
    player, when = player_and_list(asked, now.players)
    with telling("rating up to the list"):
        if has_pools(now, book):
            return rate_pools(History(now), book, assume=assume).explain(player, when, pool)
        if pool is not None:
            raise NothingToExplain(f"The history is of one pool, and none is called {pool!r}.")
        program = program_for(book, len(now.games), None)
        return explained(Run(now, program, assume=assume, rows=False), player, when)


@contextmanager
def _compiler_beside(games: Sequence[Path]) -> Iterator[None]:
    """What runs compiled loops is loaded while large files are read, where processors are two."""
    size = 0
    with suppress(OSError):
        size = sum(each.stat().st_size for each in games)
    if size < _LARGE or processors() < 2:
        yield
        return
    loads = threading.Thread(target=load_compiler)
    # What is loaded stays: to look through it again and again takes a quarter of a second.
    gc.disable()
    loads.start()
    try:
        yield
    finally:
        # This process may be copied next, and a copy would have half a library.
        loads.join()
        gc.freeze()
        gc.enable()


def _read(
    games: Sequence[Path], beside: Beside, book: BookOrSeries, assume: float | None
) -> tuple[HistoryInput, Findings]:
    """Read the facts, and look at them; raises :class:`HistoryRefused`."""
    with telling("reading"):
        given, findings = read_history(list(games), has_pools=pools_of(book) is not None, **beside)
    _tell_differences(games, findings)
    if given is not None:
        _tell_useless_assumption(book, assume, findings)
        findings.extend(check_history(given, book))
    if given is None or findings.refused:
        raise HistoryRefused(findings)
    return given, findings


def _corrected(given: HistoryInput, correct: Path | None, findings: Findings) -> HistoryInput:
    """The facts as the file of corrections says; raises :class:`HistoryRefused`."""
    if correct is not None:
        now, more = amended(given, correct)
        findings.extend(more)
        if now is None:
            raise HistoryRefused(findings)
        given = now
    print_findings(findings, errors())
    return given


def _preview(
    given: HistoryInput, now: HistoryInput, book: BookOrSeries, assume: float | None, out: Path
) -> None:
    """Write what corrections change, and nothing else."""
    with progress_bar() as progress:
        rated = rate_whole(History(given), book, assume=assume, corrections=True, progress=progress)
    corrected = rated.correct(History(now))
    print_findings(corrected.findings, errors())
    print_findings(write_preview(out, corrected.preview), errors())
    output().print(
        f"The corrections reach {counted(corrected.players_reached, 'player')} in "
        f"{counted(corrected.batches_reached, 'batch', 'batches')}: "
        f"{clean(out / f'{PREVIEW}.parquet')}"
    )


def rate_here(
    given: HistoryInput, book: BookOrSeries, out: Path, how: RunOptions, beside: LeftBeside
) -> Written:
    """Rate in this process; ``beside`` is left with the ratings."""
    with _stoppable(out):
        if has_pools(given, book):
            return _rate_pools(given, book, out, how, beside)
        return _rate_pool(given, book, out, how, beside)


@contextmanager
def _stoppable(out: Path) -> Iterator[None]:
    """Who stops a run is told what becomes of its folder."""
    try:
        yield
    except KeyboardInterrupt:
        say(errors(), f"The tables in {clean(out)} are those of before, if there were any; the "
            "same command goes on from the last checkpoint.")  # fmt: skip
        raise


def _rate_pool(
    given: HistoryInput, book: BookOrSeries, out: Path, how: RunOptions, beside: LeftBeside
) -> Written:
    """Rate one pool."""
    with telling("planning"):
        program = program_for(book, len(given.games), None)
        rated = Run(given, program, assume=how["assume"], rows=how["changes"], meanwhile=True)
    print_findings(rated.plan.findings, errors())
    if rated.begins_plain:
        _tell_compiling(book, beside=True)
    elif not rated.is_compiled():
        _tell_compiling(book)
        with telling("compiling"):
            rated.compile()
    with progress_bar() as progress:
        return rate_into(out, rated, progress=progress, beside=beside, **part_of(IntoFolder, how))


def _rate_pools(
    given: HistoryInput, book: BookOrSeries, out: Path, how: RunOptions, beside: LeftBeside
) -> Written:
    """Rate pools that read each other."""
    with telling("planning"):
        parts = divided(given, book)
        if parts.findings.refused:
            raise HistoryRefused(parts.findings)
        together = Together(
            parts.parts, book, compiled=len(given.games) >= COMPILED_FROM, assume=how["assume"],
            rows=how["changes"],
        )  # fmt: skip
    together.tell_plans(parts.findings)
    print_findings(parts.findings, errors())
    if not together.is_compiled():
        _tell_compiling(book)
    with progress_bar() as progress:
        course = AllPools(together, rows=how["changes"])
        return rate_into(out, course, progress=progress, beside=beside, **part_of(IntoFolder, how))


def _tell_compiling(book: BookOrSeries, *, beside: bool = False) -> None:
    if is_quiet():
        return
    if beside:
        meanwhile = "until then they are applied in plain Python"
        errors().print(f"The rules of {book.name} are compiled beside, once; {meanwhile}.")
        return
    unkept = why_compiled_code_is_not_kept()
    when = f"in every run, since {clean(unkept)}" if unkept else "once"
    errors().print(f"Compiling the rules of {book.name}, {when}: up to half a minute.")


def _rate_there(
    games: Sequence[Path],
    book: BookOrSeries,
    out: Path,
    beside: Beside,
    how: RunOptions,
    master: str,
    left: LeftBeside,
) -> tuple[Written, int, _RowsRead]:
    """Read and rate on a cluster; gives also the number of players, and the rows."""
    from ratingbook.engine.spark import rate_files_on_cluster

    told = Findings()
    with progress_bar() as progress:
        written, players, rows, left_out = rate_files_on_cluster(
            games, book, out, **beside, **how, master=master, findings=told, progress=progress,
            left=left,
        )  # fmt: skip
    _tell_useless_assumption(book, how["assume"], told)
    print_findings(told, errors())
    # A cluster takes no corrections: what is not gone through has no score.
    return written, players, _RowsRead(rows, rows - written.games, left_out)


def _tell_differences(games: Sequence[Path], findings: Findings) -> None:
    """Beside the games that an office has exported lies what it added to ratings by itself."""
    for beside in {path.parent / file_name(DIFFERENCES) for path in games}:
        if beside.is_file():
            findings.add(
                Severity.WARNING, "history.differences",
                "What corrections on the next list added to ratings is no part of a history: whom "
                "they are about comes out otherwise than the office has published it.",
                Place(file=str(beside)),
                "`ratingbook office replay`, or `ratingbook verify` of a list's bundle, makes the "
                "published numbers again.",
            )  # fmt: skip


def _tell_useless_assumption(book: BookOrSeries, assume: float | None, findings: Findings) -> None:
    bulk = bulk_of(book)
    if assume is not None and bulk.assumed is None and bulk.assumed_facts is None:
        findings.add(
            Severity.INFO,
            "history.assume",
            f"{book.name} leaves nobody unrated for ever: --assume changes nothing.",
        )


def tell(
    written: Written,
    players: int,
    book: BookOrSeries,
    out: Path,
    seconds: float,
    *,
    changes: bool = True,
) -> None:
    """What was done, in plain words."""
    noticed = written.told
    # Without changes there are no rows to count.
    tell_passed_over(written.passed_over, written.rows if changes else 1, book, noticed)
    tell_unsettled(written.unsettled, book, noticed)
    print_findings(noticed, errors())
    if written.refused:
        told = f"The checkpoint in {clean(out)} was not used: {written.refused}."
        errors().print(told, style="yellow")
    if is_quiet():
        return
    if written.resumed_after:
        errors().print(
            f"Went on after batch {written.resumed_after:,} of {written.batches:,}.", style="cyan"
        )
    rows = counted(written.rows, "change")
    done = "gone through" if _rates_nobody(written, changes=changes) else "rated"
    say(
        output(),
        f"{counted(written.games, 'game')} of {counted(players, 'player')} in "
        f"{counted(written.batches, 'batch', 'batches')}, {done} in {seconds:.1f} s: "
        f"{clean(out / 'ratings.parquet')}"
        + (f", {rows}: {clean(out / 'changes.parquet')}" if written.rows else ""),
    )


@contextmanager
def progress_bar() -> Iterator[Callable[[int, int], None] | None]:
    """A bar on a terminal; elsewhere a line now and then, from the first second on."""
    if is_quiet():
        yield None
        return
    if not sys.stderr.isatty():
        yield Lines(errors().print)
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    with Progress(
        "{task.description}", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        console=errors(), transient=True, redirect_stdout=False,
    ) as bar:  # fmt: skip
        task = bar.add_task("rating games", total=None)

        def told(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield told
