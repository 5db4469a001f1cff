"""A cache that is believed only as its user has left it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ratingbook.engine.sealed import adding, open_sealed, own_folder, seal, why_not_kept

FILES = ("index.nbi", "sub/code.nbc", "mark.compiled")


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    folder = tmp_path / "user" / "code"
    assert own_folder(folder.parent)
    assert own_folder(folder)
    for name in FILES:
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(name.encode() * 10)
    seal(folder)
    return folder


def left(folder: Path) -> list[str]:
    """The files that Numba would find."""
    open_sealed(folder)
    return [name for name in FILES if (folder / name).exists()]


def test_what_was_sealed_stays(kept: Path):
    assert left(kept) == list(FILES)


@pytest.mark.parametrize("how", ["flip", "short", "empty", "zeros", "gone"])
@pytest.mark.parametrize("name", [*FILES, "sealed", "../key"])
def test_damage_takes_all_away(kept: Path, name: str, how: str):
    path = kept / name
    sound = path.read_bytes()
    if how == "gone":
        path.unlink()
    else:
        flipped = bytes([sound[0] ^ 1]) + sound[1:]
        other = {"flip": flipped, "short": sound[:-1], "empty": b"", "zeros": bytes(len(sound))}
        path.write_bytes(other[how])
    assert left(kept) == []
    for each in FILES:
        (kept / each).write_bytes(b"made again")
    seal(kept)
    assert left(kept) == list(FILES)


def test_a_file_more_takes_all_away(kept: Path):
    (kept / "sub" / "planted.nbi").write_bytes(b"x")
    assert left(kept) == []
    assert not (kept / "sub" / "planted.nbi").exists()


@pytest.mark.parametrize("is_folder", [False, True])
def test_a_link_takes_all_away(kept: Path, tmp_path: Path, is_folder: bool):
    elsewhere = tmp_path / "elsewhere"
    if is_folder:
        elsewhere.mkdir()
        (elsewhere / "code.nbc").write_bytes(b"theirs")
    else:
        elsewhere.write_bytes(b"theirs")
    (kept / "linked").symlink_to(elsewhere)
    assert left(kept) == []
    assert elsewhere.exists()
    assert not (kept / "linked").exists()


def test_the_seal_of_another_key_or_place_is_none(kept: Path):
    key = kept.parent / "key"
    own = key.read_bytes()
    key.write_bytes(bytes(32))
    seal(kept)
    key.write_bytes(own)
    assert left(kept) == []
    (kept / FILES[0]).write_bytes(b"other")
    kept.rename(kept.parent / "there")
    seal(kept.parent / "there")
    (kept.parent / "there").rename(kept)
    assert left(kept) == []


def test_the_folder_and_the_key_are_closed_to_others(kept: Path):
    for folder in (kept, kept.parent):
        assert folder.stat().st_mode & 0o777 == 0o700
    key = kept.parent / "key"
    assert key.stat().st_mode & 0o777 == 0o600
    kept.chmod(0o755)
    assert own_folder(kept)
    assert kept.stat().st_mode & 0o777 == 0o700
    key.chmod(0o644)
    assert left(kept) == [], "others may have read the key"
    assert key.stat().st_mode & 0o777 == 0o600


def test_a_folder_that_others_may_write_into_is_not_used(tmp_path: Path):
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    assert why_not_kept(shared / "user") == f"others may write into {shared}"
    shared.chmod(0o1777)
    assert why_not_kept(shared / "user") == "", "as /tmp is"


def test_a_folder_of_somebody_else_is_not_used(kept: Path, monkeypatch: pytest.MonkeyPatch):
    # Only root can give a folder away: here the system says of it that somebody did.
    told = kept.stat()
    others = os.stat_result((*told[:4], told.st_uid + 1, *told[5:]))
    for name in ("stat", "lstat"):
        asked = getattr(Path, name)

        def said(path: Path, asked=asked, **how: bool) -> os.stat_result:
            return others if path == kept else asked(path, **how)

        monkeypatch.setattr(Path, name, said)
    assert not own_folder(kept)
    assert why_not_kept(kept) == f"{kept} belongs to another user"


def test_whoever_looks_while_another_process_adds_takes_nothing_away(kept: Path):
    code = (
        "import sys\nfrom pathlib import Path\nfrom ratingbook.engine.sealed import adding\n"
        "folder = Path(sys.argv[1])\n"
        "with adding(folder):\n"
        "    (folder / 'more.nbc').write_bytes(b'code')\n"
        "    print('written', flush=True)\n"
        "    sys.stdin.readline()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(kept)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout is not None
        assert other.stdin is not None
        assert other.stdout.readline() == b"written\n"
        looks = threading.Thread(target=open_sealed, args=(kept,))
        looks.start()
        looks.join(0.2)
        assert looks.is_alive(), "it waits"
        other.stdin.write(b"\n")
        other.stdin.close()
        looks.join()
    assert left(kept) == list(FILES)
    assert (kept / "more.nbc").exists()


def test_what_is_added_to_is_looked_at_first(kept: Path):
    (kept / "planted.nbi").write_bytes(b"x")
    with adding(kept):
        (kept / FILES[0]).write_bytes(b"made")
    assert left(kept) == [FILES[0]]
    assert not (kept / "planted.nbi").exists()
