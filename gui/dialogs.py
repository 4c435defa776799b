"""Dialogs without a nested event loop, dropped files, and the file manager.

Each dialog has a parent and a title, and calls `then` with the answer if there is one. A file
dialog opens in a given folder, by default in the one used last.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final

from PyQt6.QtCore import QCoreApplication, QMimeData, QProcess, QSize, QStandardPaths, Qt, QUrl
from PyQt6.QtGui import QDesktopServices, QIcon
from PyQt6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QInputDialog,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QMessageBox,
    QVBoxLayout,
    QWidget,
)

PICTURES: Final = "Pictures (*.png *.jpg *.jpeg *.bmp)"
"""The file type of pictures that can be read."""
_ROWS_SHOWN: Final = 6
"""Rows of a list in a dialog that are visible without scrolling."""
_COLUMNS_SHOWN: Final = 60
"""The same in characters of a row."""


class LastFolder:
    """The folder in which file dialogs open: the one used last, initially the user's documents."""

    def __init__(self) -> None:
        self._last: Path | None = None

    @property
    def folder(self) -> Path:
        """An existing folder."""
        if self._last is not None and self._last.is_dir():
            return self._last
        documents = QStandardPaths.writableLocation(
            QStandardPaths.StandardLocation.DocumentsLocation
        )
        return Path(documents) if documents and Path(documents).is_dir() else Path.home()

    def note(self, chosen: str) -> None:
        """Remember the folder of a chosen file, or a chosen folder."""
        path = Path(chosen)
        self._last = path if path.is_dir() else path.parent


_LAST_FOLDER: Final = LastFolder()
"""Shared by all dialogs of this process."""


def open_folder(folder: Path, report: Callable[[str], object]) -> None:
    """Show a folder in the desktop's file manager.

    Args:
        folder: The folder.
        report: Called with a message if there is no file manager.
    """

    def fail() -> None:
        report(f"No file manager was found. The folder is {folder}")

    if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
        fail()
        return
    # Qt does not notice that `xdg-open` finds no file manager. Without `xdg-mime`, nothing starts.
    query = QProcess(QCoreApplication.instance())
    query.finished.connect(lambda: None if query.readAllStandardOutput().trimmed() else fail())
    query.finished.connect(query.deleteLater)
    query.errorOccurred.connect(query.deleteLater)
    query.start("xdg-mime", ["query", "default", "inode/directory"])


def ask_open(
    parent: QWidget,
    title: str,
    file_types: str,
    then: Callable[[list[Path]], None],
    *,
    several: bool = False,
    folder: Path | None = None,
) -> None:
    """Let the user choose an existing file, or several.

    The file types are as Qt writes them: 'Pictures (*.png *.jpg)'; empty for all files.
    """
    dialog = _file_dialog(parent, title, file_types, folder)
    mode = QFileDialog.FileMode
    dialog.setFileMode(mode.ExistingFiles if several else mode.ExistingFile)
    dialog.filesSelected.connect(lambda names: then([Path(name) for name in names]))
    dialog.open()


def ask_save(
    parent: QWidget,
    title: str,
    file_types: str,
    name: str,
    then: Callable[[Path], None],
    *,
    folder: Path | None = None,
) -> None:
    """Let the user choose where to save; the dialog confirms overwriting.

    A name is proposed, whose suffix is added to names that have none.
    """
    dialog = _file_dialog(parent, title, file_types, folder)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(Path(name).suffix.removeprefix("."))
    dialog.selectFile(name)
    dialog.fileSelected.connect(lambda chosen: then(Path(chosen)))
    dialog.open()


def ask_folder(
    parent: QWidget, title: str, then: Callable[[Path], None], *, folder: Path | None = None
) -> None:
    """Let the user choose an existing folder."""
    dialog = _file_dialog(parent, title, "", folder)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    dialog.fileSelected.connect(lambda chosen: then(Path(chosen)))
    dialog.open()


def confirm(
    parent: QWidget,
    title: str,
    text: str,
    yes: str,
    then: Callable[[], None],
    *,
    others: Mapping[str, Callable[[], None]] = MappingProxyType({}),
) -> None:
    """Ask before something is lost, with `yes` on the button; Escape and Enter cancel.

    Other buttons are added for other answers, by their texts.
    """
    box = QMessageBox(QMessageBox.Icon.Question, title, text, parent=parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for words, act in {yes: then, **others}.items():
        button = box.addButton(words, QMessageBox.ButtonRole.DestructiveRole)
        if button is not None:
            button.clicked.connect(lambda _checked, act=act: act())
    box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
    box.open()


def show_text(parent: QWidget, title: str, text: str) -> None:
    """Show a text until its button, Return or Escape is pressed."""
    button = QMessageBox.StandardButton.Ok
    box = QMessageBox(QMessageBox.Icon.NoIcon, title, text, button, parent)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    box.open()


def ask_number(
    parent: QWidget, title: str, text: str, most: int, proposed: int, then: Callable[[int], None]
) -> None:
    """Let the user enter a number from 0 to `most`."""
    dialog = _input_dialog(parent, title, text)
    dialog.setInputMode(QInputDialog.InputMode.IntInput)
    dialog.setIntRange(0, most)
    dialog.setIntValue(proposed)
    dialog.intValueSelected.connect(then)
    dialog.open()


def ask_text(
    parent: QWidget, title: str, text: str, proposed: str, then: Callable[[str], None]
) -> None:
    """Let the user enter a short text, from which outer blanks are removed."""
    dialog = _input_dialog(parent, title, text)
    dialog.setTextValue(proposed)
    dialog.textValueSelected.connect(lambda words: then(words.strip()))
    dialog.open()


def ask_choice(
    parent: QWidget,
    title: str,
    text: str,
    choices: Sequence[str],
    proposed: str,
    then: Callable[[str], None],
) -> None:
    """Let the user choose one of several texts; `proposed` is selected if it is one of them."""
    dialog = _input_dialog(parent, title, text)
    dialog.setComboBoxItems(list(choices))
    dialog.setTextValue(proposed if proposed in choices else choices[0])
    dialog.textValueSelected.connect(then)
    dialog.open()


def ask_row(
    parent: QWidget,
    title: str,
    text: str,
    rows: Sequence[tuple[QIcon, Sequence[str]]],
    size: QSize,
    then: Callable[[int], None],
    *,
    chosen: int = 0,
) -> None:
    """Let the user choose one of several rows, each with a picture of this size, by its number."""
    dialog = QDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    view, label = QListWidget(), QLabel(text)
    label.setBuddy(view)
    view.setAccessibleName(title)
    view.setIconSize(size)
    for icon, lines in rows:
        item = QListWidgetItem(icon, "\n".join(lines))
        item.setData(Qt.ItemDataRole.AccessibleTextRole, ", ".join(lines))
        view.addItem(item)
    view.setCurrentRow(chosen)
    # A title comes from another program: it may be of any length.
    view.setTextElideMode(Qt.TextElideMode.ElideRight)
    most = _COLUMNS_SHOWN * view.fontMetrics().averageCharWidth() + size.width()
    view.setMinimumSize(
        min(view.sizeHintForColumn(0), most) + 4 * view.frameWidth(),
        min(len(rows), _ROWS_SHOWN) * view.sizeHintForRow(0) + 4 * view.frameWidth(),
    )
    buttons = QDialogButtonBox(
        QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
    )
    column = QVBoxLayout(dialog)
    for part in (label, view, buttons):
        column.addWidget(part)
    view.activated.connect(dialog.accept)
    # A screen reader may take the selection away.
    buttons.accepted.connect(lambda: dialog.accept() if view.selectedItems() else None)
    buttons.rejected.connect(dialog.reject)
    dialog.accepted.connect(lambda: then(view.row(view.selectedItems()[0])))
    dialog.open()


def local_files(data: QMimeData | None) -> list[Path]:
    """Return the local files that are dropped or pasted."""
    urls = data.urls() if data is not None else []
    return [Path(url.toLocalFile()) for url in urls if url.isLocalFile()]


def _input_dialog(parent: QWidget, title: str, text: str) -> QInputDialog:
    dialog = QInputDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    dialog.setLabelText(text)
    label = dialog.findChild(QLabel)
    if label is not None:
        # The dialog takes its width from its content: make room for the title, too.
        label.setMinimumWidth(2 * label.fontMetrics().horizontalAdvance(title))
    return dialog


def _file_dialog(parent: QWidget, title: str, file_types: str, folder: Path | None) -> QFileDialog:
    dialog = QFileDialog(parent, title)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    if file_types:
        dialog.setNameFilters([file_types, "All files (*)"])
    if folder is None:
        dialog.setDirectory(str(_LAST_FOLDER.folder))
        dialog.fileSelected.connect(_LAST_FOLDER.note)
    else:
        dialog.setDirectory(str(folder))
    return dialog
