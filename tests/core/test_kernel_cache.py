"""The disk cache of machine code: another folder for other code, and nothing that strangers or accidents left there."""

import os
import pickle
import shutil
import stat
import tempfile
from pathlib import Path

import numpy as np
import pytest
from numba.core import config

from heirwood.core import _jit, _kernel_cache, _notices
from heirwood.core._jit import INTERPRETED, kernel
from heirwood.core._kernel_cache import MAGIC, KernelCache
from heirwood.core._overload_cache import OverloadCache

FILE, KEY = "arena.grow-0.kernel", ("arena", "grow", 7)
IS_ROOT = hasattr(os, "getuid") and os.getuid() == 0


@pytest.fixture
def root(tmp_path, monkeypatch):
    """Let the cache lie in a folder of this test's, the temporary one in another."""
    root = tmp_path / "cache"
    monkeypatch.setattr(config, "CACHE_DIR", str(root))
    monkeypatch.setattr(_kernel_cache.tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    monkeypatch.delenv("HEIRWOOD_QUIET", raising=False)
    return root


@pytest.fixture
def unshared():
    """Return a folder with none above it that everybody may write to, as there is above the tests' own."""
    home = Path(__file__).parents[2] / ".cache"
    if any(above.stat().st_mode & stat.S_IWOTH for above in [home, *home.parents] if above.exists()):
        pytest.skip("the checkout lies below a folder that everybody may write to")
    home.mkdir(exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="unshared-", dir=home))
    yield folder
    shutil.rmtree(folder)


def save(cache, data="machine code", key=KEY):
    cache.save(FILE, key, pickle.dumps((key, data)))


def filled(root):
    """Return a cache that holds something, and its folder."""
    save(KernelCache("kernels-1"))
    return KernelCache("kernels-1"), root / "kernels-1"


# ---- which folder ----


@pytest.mark.parametrize("setting", _jit._SETTINGS)
def test_settings_of_numba_that_change_machine_code_change_the_digest(monkeypatch, setting):
    before = _jit._digest()
    assert hasattr(config, setting)
    monkeypatch.setattr(config, setting, 7)  # no value that it has
    assert _jit._digest() != before


def test_the_digest_is_that_of_the_folder_in_use():
    assert _jit.CACHE._name == f"kernels-{_jit._digest()}"


def test_what_was_saved_is_loaded_in_another_process(root):
    cache, folder = filled(root)

    assert cache.load(FILE, KEY) == "machine code"
    assert cache.has("arena")
    assert not cache.has("tally")
    assert stat.S_IMODE(folder.stat().st_mode) & 0o022 == 0
    assert stat.S_IMODE((folder / FILE).stat().st_mode) & 0o022 == 0


def test_another_digest_is_another_folder(root):
    filled(root)

    assert KernelCache("kernels-2").load(FILE, KEY) is None


def test_a_file_about_something_else_is_not_used(root):
    cache, _ = filled(root)

    assert cache.load(FILE, ("arena", "grow", 8)) is None


# ---- what went wrong with a file ----


@pytest.mark.parametrize("kept", [0, 1, len(MAGIC), len(MAGIC) + 10, len(MAGIC) + 32, -1])
def test_a_truncated_file_is_compiled_anew_and_mended(root, kept):
    cache, folder = filled(root)
    content = (folder / FILE).read_bytes()
    (folder / FILE).write_bytes(content[:kept])

    assert cache.load(FILE, KEY) is None
    save(cache)
    assert cache.load(FILE, KEY) == "machine code"


def test_no_flipped_bit_goes_unnoticed(root):
    cache, folder = filled(root)
    content = (folder / FILE).read_bytes()
    for place in range(len(content)):
        flipped = bytearray(content)
        flipped[place] ^= 1 << place % 8
        (folder / FILE).write_bytes(flipped)

        assert cache.load(FILE, KEY) is None, place


def test_a_folder_in_the_place_of_a_file_is_no_obstacle(root, capsys):
    _, folder = filled(root)
    (folder / FILE).unlink()
    (folder / FILE).mkdir()
    cache = KernelCache("kernels-1")

    assert cache.load(FILE, KEY) is None
    save(cache)

    assert cache.load(FILE, KEY) == "machine code"  # from the next folder
    assert str(folder) in capsys.readouterr().err


def test_a_save_that_fails_leaves_no_file_behind(root, monkeypatch):
    cache, folder = filled(root)
    monkeypatch.setattr(_kernel_cache.os, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space left")))

    save(cache, "other")

    assert [file.name for file in folder.iterdir()] == [FILE]
    assert cache.load(FILE, KEY) == "machine code"


# ---- what strangers may have left ----


@pytest.mark.parametrize("mode", [0o777, 0o775, 0o757])
@pytest.mark.parametrize("what", ["folder", "file"])
def test_what_others_may_write_to_is_not_read(root, what, mode):
    cache, folder = filled(root)
    (folder if what == "folder" else folder / FILE).chmod(mode)

    assert cache.load(FILE, KEY) is None


def test_a_folder_of_ours_that_was_open_to_others_is_closed_when_it_is_written_to(root):
    cache, folder = filled(root)
    folder.chmod(0o777)

    save(cache)

    assert cache.load(FILE, KEY) == "machine code"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o755


@pytest.mark.skipif(not IS_ROOT, reason="only root can give files away")
@pytest.mark.parametrize("what", ["folder", "file"])
def test_what_belongs_to_somebody_else_is_not_read(root, what, capsys):
    cache, folder = filled(root)
    os.chown(folder if what == "folder" else folder / FILE, 12345, 12345)

    assert cache.load(FILE, KEY) is None
    save(cache)
    assert cache.load(FILE, KEY) == "machine code"
    if what == "folder":
        assert str(folder) in capsys.readouterr().err
        assert [file.name for file in folder.iterdir()] == [FILE]  # nothing was written there


def test_a_link_is_not_followed(root, tmp_path):
    cache, folder = filled(root)
    (folder / FILE).rename(tmp_path / "elsewhere")
    (folder / FILE).symlink_to(tmp_path / "elsewhere")

    assert cache.load(FILE, KEY) is None


def planted(folder, data):
    """Plant a file as somebody would who knows where the temporary folder is looked for."""
    folder.mkdir(parents=True)
    _kernel_cache._write(folder / FILE, pickle.dumps((KEY, data)))


def owner():
    return os.getuid() if hasattr(os, "getuid") else "user"


def temporary_root(folder, monkeypatch, mode):
    """Let the temporary folder be one with some mode, and no other be usable; return the root in it."""
    shared = folder / "temporary"
    shared.mkdir(exist_ok=True)
    shared.chmod(mode)
    monkeypatch.setattr(_kernel_cache.tempfile, "tempdir", str(shared))
    blocked = folder / "blocked"
    blocked.write_text("no folder")
    monkeypatch.setattr(config, "CACHE_DIR", str(blocked / "cache"))
    return shared / f"heirwood-{owner()}"


MODES = [0o1777, 0o777, 0o775, 0o755]  # of the temporary folder


@pytest.mark.parametrize("mode", MODES, ids=oct)
@pytest.mark.parametrize("how", ["open", "open root", "linked", "linked to ours", "foreign", "foreign root"])
def test_a_planted_temporary_folder_is_not_used(unshared, monkeypatch, how, mode):
    """Where the home cache cannot be written, a folder with a known name in the temporary one was believed."""
    root = temporary_root(unshared, monkeypatch, mode)
    other = root.with_name("other")
    planted((other if how.startswith("linked") else root) / "kernels-1", "evil")
    if how.startswith("foreign"):
        if not IS_ROOT:
            pytest.skip("only root can give files away")
        os.chown(root if how == "foreign root" else root / "kernels-1", 12345, 12345)
    elif how.startswith("linked"):
        root.symlink_to(other)
        other.chmod(0o777 if how == "linked" else 0o755)
    else:
        (root if how == "open root" else root / "kernels-1").chmod(0o777)
    cache = KernelCache("kernels-1")

    assert cache.load(FILE, KEY) is None
    assert not cache.has()


@pytest.mark.parametrize("mode", MODES, ids=oct)
def test_a_temporary_folder_of_ours_is_used_whatever_is_above_it(unshared, monkeypatch, mode):
    root = temporary_root(unshared, monkeypatch, mode)

    save(KernelCache("kernels-1"))

    assert (root / "kernels-1" / FILE).is_file()
    assert KernelCache("kernels-1").load(FILE, KEY) == "machine code"
    assert KernelCache("kernels-1").has()


def test_folders_between_the_temporary_one_and_the_cache_must_be_closed_as_well(root, tmp_path, monkeypatch):
    between = tmp_path / "temporary" / "between"
    monkeypatch.setattr(config, "CACHE_DIR", str(between / "cache"))
    planted(between / "cache" / "kernels-1", "evil")
    between.chmod(0o1777)  # its owner may put another folder in the place of what is in it
    cache = KernelCache("kernels-1")

    assert cache.load(FILE, KEY) is None


def test_folders_that_are_made_are_closed_to_others_whatever_the_umask(root, tmp_path, monkeypatch):
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path / "temporary" / "between" / "cache"))
    before = os.umask(0)
    try:
        save(KernelCache("kernels-1"))
    finally:
        os.umask(before)

    assert (tmp_path / "temporary" / "between" / "cache" / "kernels-1" / FILE).is_file()
    assert KernelCache("kernels-1").load(FILE, KEY) == "machine code"


def test_nothing_is_made_in_a_folder_of_strangers(root, tmp_path, monkeypatch, capsys):
    shared = temporary_root(tmp_path, monkeypatch, 0o1777).parent
    open_root = shared / "open"
    open_root.mkdir()
    open_root.chmod(0o777)
    monkeypatch.setattr(config, "CACHE_DIR", str(open_root))
    cache = KernelCache("kernels-1")

    save(cache)

    assert list(open_root.iterdir()) == []
    assert cache.load(FILE, KEY) == "machine code"
    assert f"cannot be kept in {open_root}" in capsys.readouterr().err


# ---- modes that are not ours to change ----


@pytest.mark.parametrize("name", ["heirwood-of-a-team", "kernels-of-a-team", "cache"])
def test_the_mode_of_a_root_that_somebody_chose_stays(unshared, monkeypatch, name):
    root = unshared / name
    root.mkdir()
    root.chmod(0o2775)
    monkeypatch.setattr(config, "CACHE_DIR", str(root))

    save(KernelCache("kernels-1"))

    assert stat.S_IMODE(root.stat().st_mode) == 0o2775
    assert stat.S_IMODE((root / "kernels-1").stat().st_mode) & 0o022 == 0
    assert KernelCache("kernels-1").load(FILE, KEY) == "machine code"


def test_a_root_of_ours_that_was_open_to_others_is_closed_when_it_is_written_to(tmp_path, monkeypatch):
    root = temporary_root(tmp_path, monkeypatch, 0o1777)
    root.mkdir()
    root.chmod(0o777)

    save(KernelCache("kernels-1"))

    assert stat.S_IMODE(root.stat().st_mode) == 0o755
    assert KernelCache("kernels-1").load(FILE, KEY) == "machine code"


@pytest.mark.parametrize("what", ["root", "folder"])
def test_the_mode_of_what_a_link_leads_to_stays(tmp_path, monkeypatch, what):
    root = temporary_root(tmp_path, monkeypatch, 0o755)
    target = tmp_path / "target"
    target.mkdir()
    target.chmod(0o775)
    if what == "folder":
        root.mkdir(0o755)
    (root if what == "root" else root / "kernels-1").symlink_to(target)
    cache = KernelCache("kernels-1")

    save(cache)

    assert stat.S_IMODE(target.stat().st_mode) == 0o775
    assert list(target.iterdir()) == []
    assert cache.load(FILE, KEY) == "machine code"  # from a fresh folder


def test_where_nobody_can_be_trusted_a_fresh_folder_is_made_and_named(tmp_path, monkeypatch, capsys):
    shared = tmp_path / "temporary"
    shared.mkdir()
    monkeypatch.setattr(_kernel_cache.tempfile, "tempdir", str(shared))
    monkeypatch.delenv("HEIRWOOD_QUIET", raising=False)
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path / "blocked" / "cache"))
    (tmp_path / "blocked").write_text("no folder")
    (shared / f"heirwood-{os.getuid()}").write_text("nor this")
    cache = KernelCache("kernels-1")

    save(cache)
    save(cache)

    (fresh,) = [each for each in shared.iterdir() if each.is_dir()]
    assert stat.S_IMODE(fresh.stat().st_mode) == 0o700
    assert cache.load(FILE, KEY) == "machine code"
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(
        f"heirwood: compiled kernels cannot be kept in {tmp_path}/blocked/cache/kernels-1 (Not a dir"
    )
    assert "the next process compiles them again" in line


def test_with_no_folder_at_all_everything_works_uncached(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path / "blocked" / "cache"))
    (tmp_path / "blocked").write_text("no folder")
    monkeypatch.delenv("HEIRWOOD_QUIET", raising=False)

    def nowhere(*_, **__):
        raise FileNotFoundError(2, "No usable temporary directory found")

    monkeypatch.setattr(_kernel_cache.tempfile, "gettempdir", nowhere)
    monkeypatch.setattr(_kernel_cache.tempfile, "mkdtemp", nowhere)
    cache = KernelCache("kernels-1")

    save(cache)

    assert cache.load(FILE, KEY) is None
    assert cache.writable_folder() is None
    assert not cache.has()
    assert len(capsys.readouterr().err.splitlines()) == 1


@pytest.mark.parametrize("which", ["root", "temporary"])
def test_a_link_to_itself_is_passed_over(tmp_path, monkeypatch, capsys, which):
    """Anybody can make one in the temporary folder, under the name that another user's cache would have there."""
    loop = temporary_root(tmp_path, monkeypatch, 0o1777)
    if which == "root":
        loop = tmp_path / "loop"
        monkeypatch.setattr(config, "CACHE_DIR", str(loop))
    loop.symlink_to(loop.name)
    monkeypatch.delenv("HEIRWOOD_QUIET", raising=False)
    cache = KernelCache("kernels-1")

    assert cache.load(FILE, KEY) is None
    assert not cache.has()
    save(cache)

    assert cache.load(FILE, KEY) == "machine code"
    (line,) = capsys.readouterr().err.splitlines()
    assert which == "temporary" or f"cannot be kept in {loop}/kernels-1 (Too many levels" in line


def test_a_root_that_depends_on_a_folder_that_is_gone_is_passed_over(root, tmp_path, monkeypatch):
    monkeypatch.setattr(config, "CACHE_DIR", "relative")
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    cache = KernelCache("kernels-1")

    save(cache)

    assert cache.load(FILE, KEY) == "machine code"  # from the temporary folder


def test_a_pipe_in_the_place_of_a_file_is_not_waited_for(root):
    cache, folder = filled(root)
    (folder / FILE).unlink()
    os.mkfifo(folder / FILE)

    assert cache.load(FILE, KEY) is None


def test_quiet_is_quiet(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path / "blocked" / "cache"))
    (tmp_path / "blocked").write_text("no folder")
    monkeypatch.setenv("HEIRWOOD_QUIET", "1")

    save(KernelCache("kernels-1"))

    assert capsys.readouterr().err == ""


# ---- what Numba makes of it ----


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_a_kernel_is_compiled_once_and_then_loaded(root, capsys, monkeypatch):
    monkeypatch.setattr(_notices._Waiting, "told", set())

    def made():
        def twice(values):
            values[0] *= 2

        function = kernel(twice)
        function._cache = OverloadCache(KernelCache("kernels-1"), twice, _jit._stamp)
        return function

    for hits in (0, 1):
        values = np.array([3])
        function = made()
        function(values)

        assert values[0] == 6
        assert sum(function.stats.cache_hits.values()) == hits
    assert capsys.readouterr().err.count("compiling a kernel") == 1


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_machine_code_that_numba_does_not_understand_is_compiled_anew(root, monkeypatch):
    def thrice(values):
        values[0] *= 3

    function = kernel(thrice)
    function._cache = OverloadCache(KernelCache("kernels-1"), thrice, _jit._stamp)
    monkeypatch.setattr(KernelCache, "load", lambda *_: ("of another", "version"))
    values = np.array([3])

    function(values)

    assert values[0] == 9


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_kernels_with_other_cells_are_other_kernels(root):
    def made(factor):
        def times(values):
            values[0] *= factor

        function = kernel(times)
        function._cache = OverloadCache(KernelCache("kernels-1"), times, _jit._stamp)
        return function

    for factor in (2, 5, 2):
        values = np.array([3])
        made(factor)(values)

        assert values[0] == 3 * factor
