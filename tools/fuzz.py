"""Damaged files of every format, minute after minute: none of them may be an exception.

``python -m tools.fuzz [--minutes 5] [--seed 1]`` tries cases on two processes and saves what
fails under ``build/fuzz``, one example of each failure, cut down where that is easy.
``--case 1234`` tries one case and shows what becomes of it.
"""

from __future__ import annotations

import argparse
import hashlib
import multiprocessing
import os
import re
import resource
import signal
import sys
import time
import traceback
from collections import Counter
from dataclasses import replace
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import FrameType

from tests.conftest import ROOT
from tests.formats.corpus import Case, Corpus
from tests.formats.soundness import check

FOLDER = ROOT / "build" / "fuzz"
SECONDS = 10
"""The processor's time for a case."""
WALL_SECONDS = 90
"""After so long a process is ended that does not answer to its alarm."""
MEMORY = 1024**3
"""What a process may take beyond what it has at the start."""
PROCESSES = 2
_SHRINKING_SECONDS = 20
_Outcome = tuple[int, str, str]
"""Number of the case, a signature of what failed (empty: nothing), and the details."""


class TooSlow(BaseException):
    """A case took too long; no handler of exceptions may swallow it."""


def outcome(case: Case) -> tuple[str, str]:
    """What failed, as a signature and in full; two empty texts where nothing did."""
    signal.signal(signal.SIGPROF, _out_of_time)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        check(case)
    except (Exception, TooSlow) as error:
        signal.setitimer(signal.ITIMER_PROF, 0)
        frames = traceback.extract_tb(error.__traceback__)
        ours = [frame for frame in frames if "/src/ratingbook/" in frame.filename]
        where = (ours or frames)[-1]
        place = f"{Path(where.filename).name}:{where.name}"
        what = type(error).__name__
        if isinstance(error, AssertionError):
            said = re.sub(r"'[^']*'|[0-9]+|[^ a-z.:,\-]", "", str(error).split("\n")[0])
            place = f"{frames[-1].name} {said[:70]}"
        return f"{what} {place}", traceback.format_exc()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return "", ""


def _out_of_time(_signal: int, _frame: FrameType | None) -> None:
    raise TooSlow(f"more than {SECONDS} s")


def shrunk(case: Case, signature: str) -> Case:
    """A smaller case that fails alike: without lines or bytes that do not matter."""
    end = time.monotonic() + _SHRINKING_SECONDS
    for name, data in case.files.items():
        mark = b"\n" if data.count(b"\n") > 1 else b""
        pieces = data.split(mark) if mark else [data[n : n + 1] for n in range(len(data))]
        size = len(pieces) // 2
        while size and time.monotonic() < end:
            start = 0
            while start < len(pieces) and time.monotonic() < end:
                fewer = pieces[:start] + pieces[start + size :]
                smaller = replace(case, files={**case.files, name: mark.join(fewer)})
                if outcome(smaller)[0] == signature:
                    pieces, case = fewer, smaller
                else:
                    start += size
            size //= 2
    return case


def save(case: Case, signature: str, details: str, seed: int) -> Path:
    """Put the files and what is known about them into a folder of their own."""
    folder = FOLDER / hashlib.sha256(signature.encode()).hexdigest()[:8]
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in case.files.items():
        (folder / (name or "file")).write_bytes(data)
    targets = ", ".join(case.targets)
    again = f"python -m tools.fuzz --seed {seed} --case {case.number}"
    said = f"{signature}\n{case}\nto {targets}\n{again}\n\n{details}"
    (folder / "failure.txt").write_text(said, "utf-8", "backslashreplace")
    return folder


def work(corpus: Corpus, numbers: range, seed: int, known: set[str], answers: Connection) -> None:
    """Try cases until somebody ends this process; each is announced before it is tried."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    for number in numbers:
        answers.send(number)
        case = corpus.case(number)
        signature, details = outcome(case)
        if signature and signature not in known:
            known.add(signature)
            save(case, signature, details, seed)
            if "TooSlow" not in signature:
                save(shrunk(case, signature), signature, details, seed)
        answers.send((number, signature, details))
        if "MemoryError" in signature:
            return


def run(corpus: Corpus, minutes: float, seed: int, first: int) -> int:
    """Try cases for so long; the number of different failures."""
    context = multiprocessing.get_context("fork")
    failures: Counter[str] = Counter()
    examples: dict[str, int] = {}
    cases = 0
    end = time.monotonic() + 60 * minutes
    workers: dict[Connection, tuple[multiprocessing.process.BaseProcess, int, float]] = {}

    def start(number: int) -> None:
        ours, theirs = context.Pipe(duplex=False)
        numbers = range(number, sys.maxsize, PROCESSES)
        process = context.Process(target=work, args=(corpus, numbers, seed, set(examples), theirs))
        process.start()
        theirs.close()
        workers[ours] = process, number, time.monotonic()

    def failed(number: int, signature: str) -> None:
        if signature not in examples:
            print(f"{signature}: {corpus.case(number)}", flush=True)
        failures[signature] += 1
        examples.setdefault(signature, number)

    for offset in range(PROCESSES):
        start(first + offset)
    while time.monotonic() < end:
        ready = wait(list(workers), timeout=1)
        for answers in list(workers):
            process, number, since = workers[answers]
            if answers not in ready:
                if time.monotonic() - since > WALL_SECONDS:
                    signature = f"hang {corpus.case(number).name}"
                    failed(number, signature)
                    save(corpus.case(number), signature, "", seed)
                    process.kill()
                    del workers[answers]
                    start(number + PROCESSES)
                continue
            try:
                said = answers.recv()
            except EOFError:
                process.join()
                if process.exitcode:
                    failed(number, f"killed {process.exitcode} {corpus.case(number).name}")
                del workers[answers]
                start(number + PROCESSES)
                continue
            if isinstance(said, int):
                workers[answers] = process, said, time.monotonic()
            else:
                cases += 1
                if said[1]:
                    failed(said[0], said[1])
    for process, _, _ in workers.values():
        process.kill()
    print(f"{cases:,} cases of seed {seed} from {first:,} on, {len(failures)} different failures")
    for signature, count in failures.most_common():
        print(f"{count:6} {signature} (case {examples[signature]})")
    return len(failures)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="the number of the first case")
    parser.add_argument("--case", type=int, help="try this case only")
    asked = parser.parse_args()
    reference = (ROOT / os.environ.get("RATINGBOOK_REFERENCE", "../shared")).resolve()
    corpus = Corpus(reference, asked.seed)
    if asked.case is None:
        return min(run(corpus, asked.minutes, asked.seed, asked.first), 1)
    case = corpus.case(asked.case)
    signature, details = outcome(case)
    print(case, details or "holds", sep="\n")
    if signature:
        print(save(case, signature, details, asked.seed))
    return int(bool(signature))


if __name__ == "__main__":
    sys.exit(main())
