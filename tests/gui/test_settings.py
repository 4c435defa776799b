"""Settings: strict to read, never half written, and where things are kept."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.planner import Style
from gui.settings import (
    AfterDialog,
    AfterGame,
    Settings,
    SettingsError,
    check_writable,
    errors_folder,
    lab_folder,
    load,
    save,
    sessions_folder,
    settings_file,
)
from vision.files import data_folder

choices = st.builds(
    Settings,
    solver=st.text("abc", min_size=1, max_size=5),
    style=st.sampled_from(Style),
    games=st.none() | st.integers(1, 1_000_000),
    mines=st.none() | st.integers(1, 10_000),
    level=st.none() | st.sampled_from(["beginner", "expert"]),
    record=st.booleans(),
    pace=st.none() | st.floats(0.01, 1000),
    think=st.floats(0.1, 600),
    simulate=st.floats(0, 600),
    after_win=st.sampled_from(AfterGame),
    after_loss=st.sampled_from(AfterGame),
    after_dialog=st.sampled_from(AfterDialog),
    sessions=st.none() | st.sampled_from(["~", "~/a b"]) | st.text("ab/ ", min_size=1, max_size=5),
    keep_sessions=st.none() | st.integers(1, 1_000_000),
    keep_megabytes=st.none() | st.integers(1, 10_000_000),
    stop_key=st.sampled_from(["", "F8", "Pause", "Ctrl+Alt+S"]),
    pause_key=st.sampled_from(["", "F6", "F10", "Ctrl+Alt+P"]),
    theme=st.sampled_from(["system", "light", "dark"]),
)


@given(choices)
@settings(
    max_examples=30,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_what_is_saved_is_what_is_loaded(tmp_path: Path, chosen: Settings) -> None:
    """Every set of choices survives the file, games without end included."""
    path = tmp_path / "folder" / "settings.toml"
    # A yes given beforehand is of one run.
    save(chosen.model_copy(update={"assume_yes": True}), path)
    assert load(path) == chosen
    assert [child.name for child in path.parent.iterdir()] == ["settings.toml"]


def test_a_default_changes_with_the_version_until_another_choice_is_saved(tmp_path: Path) -> None:
    """A file of another choice changes nothing about it. Assist, a switch once, is dropped."""
    path = tmp_path / "settings.toml"
    assert load(path).pace == 5.0
    path.write_text("assist = true\ntheme = 'dark'\n")
    assert load(path) == Settings(theme="dark", pace=5.0)
    save(load(path).model_copy(update={"pace": None}), path)
    assert load(path).pace is None
    assert "assist" not in path.read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("assume_yes = true", "unknown setting 'assume_yes'"),
        ("theme = 'pink'", "'theme' = 'pink'"),
        ("games = -1", "'games' = -1"),
        ("games = '5'", "'games' = '5'"),
        ("record = 1", "'record' = 1"),
        ("style = 'wild'", "'style' = 'wild'"),
        ("pace = nan", "'pace' = nan"),
        ("mines = 0", "'mines' = 0"),
        ("solver = ''", "'solver' = ''"),
        ("sessions = ''", "'sessions' = ''"),
        pytest.param(
            "sessions = '~no-such-user/games'",
            "~no-such-user/games names the home of an unknown user",
            marks=pytest.mark.linux,
        ),
        ("stop_key = 'F5'", "F5 is used by this program or a game"),
        ("stop_key = 'F6'", "F6 pauses in the panel"),
        ("pause_key = 'F8'", "F8 cannot both stop and pause"),
        ("pause_key = 'S'", "alone is typed"),
        ("theme = 'dark'\ntheme = 'light'", "is not TOML"),
        (b"level = '\xff'", "is not TOML"),
        ("games = 'many'\ncolour = 1", "unknown setting 'colour'"),
        ("games = 'many'\ncolour = 1", "'games' = 'many'"),
    ],
)
def test_a_wrong_file_is_an_error_that_names_it(
    tmp_path: Path, text: str | bytes, message: str
) -> None:
    """Unknown keys, wrong types and wrong values are reported with the file and the key."""
    path = tmp_path / "settings.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(SettingsError) as caught:
        load(path)
    assert message in str(caught.value)
    assert str(path) in str(caught.value)


def test_what_cannot_be_read_or_written_is_an_error(tmp_path: Path) -> None:
    """A folder in place of the file, and the reverse; nothing is left behind.

    A folder is made where it is missing.
    """
    path, taken = tmp_path / "settings.toml", tmp_path / "taken"
    path.mkdir()
    taken.touch()
    with pytest.raises(SettingsError, match="cannot be read"):
        load(path)
    with pytest.raises(SettingsError, match="cannot be written"):
        save(Settings(), path)
    with pytest.raises(SettingsError, match=r"taken.*cannot be written"):
        save(Settings(), taken / "settings.toml")
    with pytest.raises(SettingsError, match=r"taken.*cannot be written.*Choose another"):
        check_writable(taken)
    check_writable(tmp_path / "new" / "folder")
    assert list((tmp_path / "new" / "folder").iterdir()) == []
    assert {child.name for child in tmp_path.iterdir()} == {path.name, taken.name, "new"}


def test_one_folder_for_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the environment variable set, unless the user says where recordings are kept.

    Without it the platform says where: the program's name is in the path.
    """
    monkeypatch.setenv("MINESWEEPER_BOT_HOME", str(tmp_path))
    assert data_folder() == tmp_path
    for place in (sessions_folder(), errors_folder(), lab_folder(), settings_file()):
        assert place.parent == tmp_path
    save(Settings(theme="dark"))
    assert load().theme == "dark"
    assert Settings().sessions_folder == sessions_folder()
    assert Settings(sessions="~/games").sessions_folder == Path.home() / "games"
    monkeypatch.setenv("MINESWEEPER_BOT_HOME", "")
    for folder in (data_folder(), settings_file()):
        assert "minesweeper-bot" in folder.parts
