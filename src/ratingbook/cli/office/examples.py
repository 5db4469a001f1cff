"""Examples for the help of the office's commands, each as one types it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

_TEXT = """
init --home club
init --home club --database postgresql://office@localhost/club --as anna
migrate
receive open.trf --pool standard
receive events/*.trf --pool rapid
receive corrected.trf --version-of 12
reports
reports --state linking
file 12 open.trf
hold 12 --reason "The arbiter is asked about round 3"
hold 12:B --reason "Section B is not complete"
release 12 --reason "The arbiter has answered"
refuse 12 --reason "No arbiter has signed it"
withdraw 12 --reason "Sent by mistake"
import players.csv --register national
import list.txt --register fide --pool standard
desk
desk 12
link 12 7 31 --reason "Birth date and club agree"
link 12 all new --reason "First event of these juniors"
match
match 12
merge 31 18 --reason "Married name"
undo 204 --reason "They are two persons after all"
undo 198 --entry 7 --entry 12 --reason "These two are others of the name"
games 12
correct --report 12 --game 5 --result 0-1 --reason "The score sheet shows it"
correct --report 12 --entry 7 --player 31 --reason "It was her brother"
corrections
corrections --state open
preview 4
accept 4 --reason "The arbiter confirms it"
reject 4 --reason "The score sheet shows the result as rated"
join 5 4 --reason "The same game"
register
register 4
register -o register
why 31 --pool standard
contact person:31 anna@example.org
contact actor:berta berta@example.org --wants digest
notices
notices --send
audit
audit --kind linked --since 2026-01-01
audit --about person:31
outbox
send 12 fide out.txt
answered 12 fide
answered 12 fide --refused --reason "The dates of the event are missing"
inbox
inbox standard_rating_list.txt --from fide --date 2026-10-01
abroad --pool standard
abroad --pool standard --list 2026-10-01 --settle 12345678 --reason "No report will come"
anomalies --pool standard --since 2026-01-01
expect "Autumn Open" --end 2026-10-11 --pool standard --sender "A. Arbiter"
calendar
calendar --on 2026-10-01
receipt 12
shadow 7 old-list.csv --register national
run --pool standard
run --pool standard --until 2026-10-01
show 7
approve 7
discard 7
publish 7
lists
lists --pool standard
list standard@2026-10-01
list --make 2026-10-01 --pool standard
list 9 -o list.pdf
explain 31 --list standard@2026-10-01
bundle standard@2026-10-01 list.zip
replay
doctor
digest
export --run 7 --history fed
people
people Tamm
decide 31 floor 1400 --pool standard --reason "Decision of the board"
work
work --once
jobs
demo --home trial
health
key
key --make
backup club.backup
restore club.backup --home club2
serve
serve --port 8080
actor add berta --role officer
actor list
pool add standard --rulebook fide
pool add club --rulebook elo --set k=24
pool rules club --set k=20 --reason "Decision of the meeting"
pool policy standard
user add berta --actor berta
user link berta
user list
user give newcomer --actor berta
user drop newcomer
user close berta
user open berta
user forget-second-factor berta
webhook add https://example.org/hook --event list.published
webhook list
webhook remove 1
webhook log
webhook again 3
person add "Tamm, Tea" --id fide=12345678 --born 1999-04-02
person edit 31 --name "Tamm-Weiss, Tea"
person show 31
person history 31 --pool standard
person export 31 person.json
person suppress 31 --reason "Asked for it"
job cancel 3
"""
"""A line of a group begins with the name of the group."""

_GROUPS = ("actor", "pool", "user", "webhook", "person", "job")


def _by_command() -> Mapping[str, Sequence[str]]:
    found = defaultdict[str, list[str]](list)
    for line in _TEXT.strip().splitlines():
        words = line.split()
        name = " ".join(words[: 2 if words[0] in _GROUPS else 1])
        found[name].append(f"office {line}")
    return found


EXAMPLES = _by_command()
"""By the name of the command within the office."""
