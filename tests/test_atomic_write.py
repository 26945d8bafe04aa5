"""Files are written whole or not at all, and nothing but regular files is replaced."""

import ast
import os
import re
import socket
import stat
import tempfile
import threading
from pathlib import Path

import pytest

import heirwood
from heirwood.atomic_write import write_atomically

posix = pytest.mark.skipif(os.name == "nt", reason="Windows has no such files")


def test_a_new_file_has_the_content_and_the_permissions_of_any_other(tmp_path):
    (tmp_path / "other").touch()

    write_atomically(tmp_path / "file", b"new")

    assert (tmp_path / "file").read_bytes() == b"new"
    assert (tmp_path / "file").stat().st_mode == (tmp_path / "other").stat().st_mode
    assert len(list(tmp_path.iterdir())) == 2


@posix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664, 0o444])
def test_a_file_that_is_replaced_keeps_its_mode(tmp_path, mode):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(mode)

    write_atomically(path, b"new")

    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == mode


@posix
@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can give files away")
def test_a_file_that_is_replaced_keeps_its_owner(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    os.chown(path, 12345, 54321)

    write_atomically(path, b"new")

    assert (path.stat().st_uid, path.stat().st_gid) == (12345, 54321)


@posix
def test_a_link_is_followed(tmp_path):
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder" / "file")

    for content in (b"one", b"two"):
        write_atomically(tmp_path / "link", content)

        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "folder" / "file").read_bytes() == content


@posix
def test_a_pipe_is_written_to(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    read = []
    reader = threading.Thread(target=lambda: read.append(path.read_bytes()))
    reader.start()

    write_atomically(path, b"through the pipe")

    reader.join()
    assert read == [b"through the pipe"]
    assert stat.S_ISFIFO(path.stat().st_mode)


@posix
def test_a_device_is_written_to():
    before = os.stat("/dev/null")

    write_atomically("/dev/null", b"gone")

    after = os.stat("/dev/null")
    assert stat.S_ISCHR(after.st_mode)
    assert (after.st_ino, after.st_mode) == (before.st_ino, before.st_mode)


@posix
@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root can make devices")
def test_a_device_of_ones_own_is_written_to(tmp_path):
    path = tmp_path / "null"
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 3))
    except OSError as error:
        pytest.skip(f"no right to make a device ({error})")

    write_atomically(path, b"gone")

    assert stat.S_ISCHR(path.stat().st_mode)


@posix
def test_a_file_that_is_open_elsewhere_is_written_to(tmp_path):
    """As a shell has opened it: ``--out /dev/stdout > file``."""
    path = tmp_path / "file"
    with path.open("wb") as file:
        file.write(b"before, ")
        file.flush()
        write_atomically(f"/proc/self/fd/{file.fileno()}", b"after")
        assert os.fstat(file.fileno()).st_nlink == 1

    assert path.read_bytes() == b"before, after"


@posix
def test_a_folder_and_a_socket_are_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # names of sockets are short
    (tmp_path / "folder").mkdir()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        for name in ("folder", "socket"):
            mode = os.stat(name).st_mode

            with pytest.raises(OSError, match="is not replaced; give the name of a file"):
                write_atomically(name, b"new")

            assert os.stat(name).st_mode == mode
    assert len(list(tmp_path.iterdir())) == 2


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"there is no folder .*nowhere' to write it to"):
        write_atomically(tmp_path / "nowhere" / "file", b"new")


def test_a_write_that_fails_leaves_what_was_there(tmp_path, monkeypatch):
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def fail(*_):
        raise OSError(28, "No space left on device", "something")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space left on device") as caught:
        write_atomically(path, b"new")

    assert caught.value.filename == str(path)
    assert path.read_bytes() == b"old"
    assert len(list(tmp_path.iterdir())) == 1


@posix
def test_the_longest_name_that_a_file_can_have_can_be_written(tmp_path):
    path = tmp_path / ("n" * 255)

    write_atomically(path, b"new")

    assert path.read_bytes() == b"new"


@posix
def test_file_and_folder_are_on_disk_before_it_returns(tmp_path, monkeypatch):
    synced = []
    fsync = os.fsync

    def note(file):
        synced.append(stat.S_IFMT(os.fstat(file).st_mode))
        fsync(file)

    monkeypatch.setattr(os, "fsync", note)
    write_atomically(tmp_path / "file", b"new")

    assert synced == [stat.S_IFREG, stat.S_IFDIR]


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="no folder of that name")
def test_a_folder_in_memory_is_a_folder_like_any_other():
    """Once a shorter file there kept the end of the longer one."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        path = Path(folder) / "model.json"
        write_atomically(path, b"a long text")

        write_atomically(path, b"short")

        assert path.read_bytes() == b"short"


SOURCE = Path(heirwood.__file__).parent
OTHER_WAYS = {  # where a file is written, and why not by the others
    "atomic_write.py",  # this is what all the others use
    "cli/commands.py",  # /dev/null, for Python to flush to
    "core/_kernel_cache.py",  # its own rename, which neither syncs nor follows links: a cache is only a cache
    "journal/writer.py",  # line by line, while a run goes on; a torn line is cut off
    # likewise
}


def writes(call):
    """Say whether a call opens a file for writing, or writes one."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name not in ("open", "fdopen"):
        return name in ("write_text", "write_bytes", "savefig", "savetxt", "FileIO")
    words = [*call.args, *(extra.value for extra in call.keywords)]
    texts = [node.value for word in words for node in ast.walk(word) if isinstance(node, ast.Constant)]
    flags = [node.attr for word in words for node in ast.walk(word) if isinstance(node, ast.Attribute)]
    is_mode = any(re.fullmatch("[rwaxbt+]*[wax+][bt+]*", text) for text in texts if isinstance(text, str))
    return is_mode or not {"O_WRONLY", "O_RDWR", "O_CREAT"}.isdisjoint(flags)


def test_nothing_else_writes_files():
    """A file of a user's is written whole or not at all; whoever has a reason to write otherwise tells it here."""
    found = {
        path.relative_to(SOURCE).as_posix()
        for path in SOURCE.rglob("*.py")
        if any(isinstance(node, ast.Call) and writes(node) for node in ast.walk(ast.parse(path.read_text("utf-8"))))
    }

    assert found == OTHER_WAYS
