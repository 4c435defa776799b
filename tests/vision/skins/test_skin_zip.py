"""Skins as zip files: what goes out comes in again; what is hostile leaves nothing behind."""

from __future__ import annotations

import shutil
import struct
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from bot.frame import Region
from tests.vision.skins.test_skins import same
from tests.vision.test_capture import png_of_size
from vision.desktop import Window
from vision.focus import restart_key
from vision.skins import BUNDLED, Restart, SkinError, load_skin, user_folder
from vision.skins.own_skins import SkinReserved, allow_keys, own_folder
from vision.skins.skin_zip import MAX_ZIP, export_skin, import_skin

pytestmark = [
    pytest.mark.long,
    pytest.mark.usefixtures("home"),
]


def mine(name: str = "mine", of: str = "winemine") -> dict[str, bytes]:
    """The files of a user's skin: a bundled one under another name."""
    files = {
        str(file.relative_to(BUNDLED / of)): file.read_bytes()
        for file in (BUNDLED / of).rglob("*")
        if file.is_file()
    }
    text = files["skin.toml"].decode().replace(f'name = "{of}"', f'name = "{name}"')
    return files | {"skin.toml": text.encode()}


def zipped(path: Path, files: Mapping[str, bytes], root: str = "mine/") -> Path:
    """A zip of these files."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(root + name, data)
    return path


def nothing_is_left(home: Path) -> bool:
    """Whether no skin was kept, not even a part of one, and nothing lies beside the home."""
    skins = home / "skins"
    return not skins.exists() or not list(skins.iterdir())


def test_keys_are_not_allowed_by_a_zip(tmp_path: Path) -> None:
    """It may name any program and any key: the user has to allow them here."""
    files = mine()
    text = files["skin.toml"].decode().replace("[levels]", "keys_allowed = true\n\n[levels]", 1)
    files["skin.toml"] = text.encode()
    skin = import_skin(zipped(tmp_path / "mine.zip", files))
    window = Window(1, "WineMine", "winemine.exe", Region(0, 0, 9, 9), None, False)
    for one in (skin, load_skin(user_folder() / "mine")):
        assert one.restart.key == "f2"
        assert restart_key(one, window) is None
    allow_keys("mine", window.title, window.class_name, Restart(key="n"), None)
    skin = load_skin(user_folder() / "mine")
    assert restart_key(skin, window) == "n"
    assert skin.dialog == ()


@pytest.mark.parametrize("name", ["winemine", "kmines-default"])
def test_exported_skin_can_be_imported(tmp_path: Path, name: str) -> None:
    """Every picture of every size, all that its text says, and the licence."""
    own = user_folder() / "mine"
    for file, data in mine(of=name).items():
        (own / file).parent.mkdir(parents=True, exist_ok=True)
        (own / file).write_bytes(data)
    (own / "notes.txt").write_text("not a part of it")
    before = load_skin(own)
    export_skin(own, tmp_path / "mine.zip")
    assert (tmp_path / "mine.zip").stat().st_size < MAX_ZIP / 4
    shutil.rmtree(own)
    after = import_skin(tmp_path / "mine.zip")
    kept = load_skin(own)
    assert same(after, before)
    assert same(kept, before)
    licences = {path.name for path in (BUNDLED / name).glob("LICENSE*")}
    assert {path.name for path in own.glob("LICENSE*")} == licences
    assert not (own / "notes.txt").exists()
    assert [child.name for child in user_folder().iterdir()] == ["mine"]


@pytest.mark.parametrize("root", ["", "mine/", "another name/"])
def test_zip_with_or_without_a_folder_is_read(tmp_path: Path, root: str) -> None:
    """As people make zips; what file managers leave in them is passed over."""
    litter = {"__MACOSX/._skin.toml": b"\0", f"{root}.DS_Store": b"\0"}
    path = zipped(tmp_path / "a.zip", {root + name: data for name, data in mine().items()}, "")
    with zipfile.ZipFile(path, "a") as archive:
        for name, data in litter.items():
            archive.writestr(name, data)
        if root:
            archive.mkdir(root.removesuffix("/"))
    assert import_skin(path).name == "mine"
    assert own_folder("mine") == user_folder() / "mine"


def test_a_bundled_skin_cannot_be_replaced_by_an_import(tmp_path: Path, home: Path) -> None:
    """Its name is taken for good; one that is free is offered, and is the skin's from then on."""
    path = zipped(tmp_path / "a.zip", mine("classic"))
    with pytest.raises(SkinReserved, match="'classic' is the name of a bundled skin") as refused:
        import_skin(path, replace=True)
    assert nothing_is_left(home)
    assert refused.value.free == "classic-2"
    assert import_skin(path, name="classic-2").name == "classic-2"
    assert load_skin(user_folder() / "classic-2").name == "classic-2"
    with pytest.raises(SkinReserved) as again:
        import_skin(path)
    assert again.value.free == "classic-3"


def entry(name: str, mode: int) -> zipfile.ZipInfo:
    """A zip's entry made by hand."""
    info = zipfile.ZipInfo(name)
    info.create_system, info.external_attr = 3, mode << 16
    return info


FILE, LINK, DEVICE, PIPE = 0o100644, 0o120777, 0o020666, 0o010666
HOSTILE = [
    ("../evil.png", b"", "leads out of the skin's folder"),
    ("/etc/evil.png", b"", "leads out of the skin's folder"),
    ("mine/../../evil.png", b"", "leads out of the skin's folder"),
    ("mine\\..\\evil.png", b"", "leads out of the skin's folder"),
    ("C:/evil.png", b"", "leads out of the skin's folder"),
    ("mine//0.png", b"", "leads out of the skin's folder"),
    ("mine/./0.png", b"", "leads out of the skin's folder"),
    ("other/0.png", b"", "is no part of a skin"),
    ("mine/evil.sh", b"rm", "is no part of a skin"),
    ("mine/deep/er/0.png", b"", "is no part of a skin"),
    ("mine/monster.png", b"", "is no part of a skin"),
    ("mine/2048/0.png", b"", "is no part of a skin"),
    ("mine/0@x.png", b"no picture", "0@x.png is no PNG picture"),
    ("mine/0@x.png", png_of_size(100_000, 100_000), "0@x.png is 100000 x 100000 pixels"),
    ("mine/0@x.png", png_of_size(0, 16), "0@x.png is 0 x 16 pixels"),
    ("mine/0@x.png", png_of_size(16, 16), "0@x.png is damaged"),
    ("mine/0@x.png", bytes(2 << 20), "too large to be a part of a skin"),
    ("mine/LICENSE", bytes(64 << 20), "too large to be a part of a skin"),
    ("mine/LICENSE", b"\0binary", "LICENSE is no text"),
    ("mine/LICENSE.LGPL-2.1", b"twice", "holds 'LICENSE.LGPL-2.1' twice"),
    ("mine/Skin.toml", b"", "is no part of a skin"),
    ("second/skin.toml", b"", "holds several skins"),
]
SPECIAL = [("mine/9", LINK), ("mine/LICENSE.x", DEVICE), ("mine/README", PIPE)]


@pytest.mark.filterwarnings("ignore:Duplicate name:UserWarning")
@pytest.mark.parametrize(
    ("name", "mode", "data", "said"),
    [
        *((name, FILE, data, said) for name, data, said in HOSTILE),
        *((name, mode, b"/etc/passwd", "is a link or a device") for name, mode in SPECIAL),
    ],
)
def test_zips_without_a_valid_skin_are_refused(
    tmp_path: Path, home: Path, name: str, mode: int, data: bytes, said: str
) -> None:
    """With the zip's name and the entry's; nothing is written, within the skins or outside."""
    path = zipped(tmp_path / "a.zip", mine())
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(entry(name, mode), data, zipfile.ZIP_DEFLATED)
    outside = sorted(tmp_path.rglob("*"))
    with pytest.raises(SkinError, match=r"a\.zip") as error:
        import_skin(path)
    assert said in str(error.value)
    assert nothing_is_left(home)
    assert [p for p in sorted(tmp_path.rglob("*")) if home not in (p, *p.parents)] == outside


def test_secrets_and_odd_packings_are_refused(tmp_path: Path) -> None:
    """A password, and ways to pack that this program does not unpack."""
    path = zipped(tmp_path / "a.zip", mine())
    data = bytearray(path.read_bytes())
    at = data.find(b"PK\x01\x02")
    data[at + 8] |= 1
    path.write_bytes(data)
    with pytest.raises(SkinError, match="is encrypted: make the zip without a password"):
        import_skin(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("mine/skin.toml", mine()["skin.toml"])
    with pytest.raises(SkinError, match="packed in a way that is not known"):
        import_skin(path)


def test_wrong_sizes_in_a_zip_are_refused(tmp_path: Path, home: Path) -> None:
    """An entry that says it is short, and is not, is read no further than may be."""
    path = zipped(tmp_path / "a.zip", mine() | {"README": b"x" * (8 << 20)})
    data = bytearray(path.read_bytes())
    for mark, field in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        at = data.find(mark)
        while at >= 0:
            if data[at + field : at + field + 4] == struct.pack("<I", 8 << 20):
                data[at + field : at + field + 4] = struct.pack("<I", 100)
            at = data.find(mark, at + 1)
    path.write_bytes(data)
    with pytest.raises(SkinError):
        import_skin(path)
    assert nothing_is_left(home)


def test_too_much_is_refused(tmp_path: Path, home: Path) -> None:
    """Too large a file, too many entries, all entries together too large."""
    path = tmp_path / "a.zip"
    with path.open("wb") as file:
        file.truncate(MAX_ZIP + 1)
    with pytest.raises(SkinError, match="more than 16 MB"):
        import_skin(path)
    zipped(path, {f"1@{n}.png": b"" for n in range(4_097)})
    with pytest.raises(SkinError, match="more than 4096 files"):
        import_skin(path)
    zipped(path, mine() | {f"1@{n}.png": bytes(1 << 20) for n in range(70)})
    with pytest.raises(SkinError, match="too large"):
        import_skin(path)
    assert nothing_is_left(home)


def test_unusable_skin_is_refused(tmp_path: Path, home: Path) -> None:
    """By the same check as every skin; the message names the zip, and no folder of the program."""
    files = mine()
    del files["covered.png"]
    with pytest.raises(SkinError, match=r"covered\.png is missing") as error:
        import_skin(zipped(tmp_path / "a.zip", files))
    assert str(error.value).startswith(str(tmp_path / "a.zip"))
    assert ".import-" not in str(error.value)
    assert nothing_is_left(home)


def test_no_zip_at_all(tmp_path: Path) -> None:
    """A missing file, a folder, words, a cut-off zip, a zip without a skin."""
    for make, said in (
        (lambda _path: None, "is not a file"),
        (lambda path: path.mkdir(), "is not a file"),
        (lambda path: path.write_text("words"), "is no zip file"),
        (lambda path: path.write_bytes(zipped(tmp_path / "b.zip", mine()).read_bytes()[:5_000]),
         "is no zip file"),
        (lambda path: zipped(path, {"readme.txt": b""}), "holds no skin.toml"),
    ):  # fmt: skip
        path = tmp_path / f"{said}.zip"
        if path.is_dir():
            path.rmdir()
        path.unlink(missing_ok=True)
        make(path)
        with pytest.raises(SkinError, match=said):
            import_skin(path)


def test_exporting_what_is_no_skin(tmp_path: Path) -> None:
    """A folder without one, and a place where nothing can be written."""
    with pytest.raises(SkinError, match=r"skin\.toml"):
        export_skin(tmp_path, tmp_path / "a.zip")
    with pytest.raises(SkinError, match="cannot be written"):
        export_skin(BUNDLED / "winemine", tmp_path / "nowhere" / "a.zip")
