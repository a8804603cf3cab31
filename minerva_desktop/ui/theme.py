"""Colours and type sizes. Everything is derived from the palette, so a changed palette is a changed theme."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QApplication

from minerva_desktop.ui.theme_pictures import picture_file

READABLE = 4.5
"""Least contrast of text on its ground (WCAG AA)."""

_HUES = {"accepted": 152, "waiting": 38, "refused": 4}
_TYPE_HUES = {
    "Material": 174,
    "Property": 268,
    "Value": 38,
    "Method": 212,
    "Application": 330,
    "Element": 120,
    "Formula": 18,
    "Paper": 232,
}


@dataclass(frozen=True, slots=True)
class Tokens:
    """Named colours of the current theme."""

    dark: bool
    window: QColor
    base: QColor
    raised: QColor
    hover: QColor
    border: QColor
    field_border: QColor
    text: QColor
    muted: QColor
    accent: QColor
    on_accent: QColor
    accent_text: QColor
    selection: QColor
    accepted: QColor
    waiting: QColor
    refused: QColor
    mark: QColor
    mark_other: QColor
    quote_bar: QColor
    edge: QColor

    def status(self, status: str) -> QColor:
        """The colour of a fact's or paper's status word."""
        if status in ("accepted", "ok", "SUPPORTED", "done"):
            return self.accepted
        if status in ("refused", "failed", "damaged", "unsupported", "empty", "CONTRADICTED"):
            return self.refused
        if status in ("waiting", "encrypted", "no text layer", "INSUFFICIENT", "cancelled", "stopped"):
            return self.waiting
        return self.muted


def luminance(color: QColor) -> float:
    """Relative luminance, 0 to 1 (WCAG 2)."""

    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF())


def contrast(first: QColor, second: QColor) -> float:
    """Contrast ratio, 1 to 21 (WCAG 2)."""
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def mix(first: QColor, second: QColor, share: float) -> QColor:
    """``share`` of the second colour laid over the first; opaque."""
    keep = 1.0 - share
    return QColor.fromRgbF(
        first.redF() * keep + second.redF() * share,
        first.greenF() * keep + second.greenF() * share,
        first.blueF() * keep + second.blueF() * share,
    )


def readable(color: QColor, ground: QColor, ratio: float = READABLE) -> QColor:
    """The colour, moved towards black or white only as far as the contrast needs."""
    target = QColor(Qt.GlobalColor.black) if luminance(ground) > 0.18 else QColor(Qt.GlobalColor.white)
    for step in range(21):
        candidate = mix(color, target, step / 20)
        if contrast(candidate, ground) >= ratio:
            return candidate
    return target


def tokens(palette: QPalette | None = None) -> Tokens:
    """The theme of a palette; of the application's when none is given."""
    palette = palette or QApplication.palette()
    base = palette.color(QPalette.ColorRole.Base)
    window = palette.color(QPalette.ColorRole.Window)
    text = palette.color(QPalette.ColorRole.Text)
    accent = palette.color(QPalette.ColorRole.Highlight)
    dark = luminance(base) < 0.18
    raised = mix(base, text, 0.05 if dark else 0.035)
    grounds = raised  # the ground with least contrast that coloured words stand on

    def signal(name: str) -> QColor:
        return readable(QColor.fromHsl(_HUES[name], 150, 150 if dark else 90), grounds)

    return Tokens(
        dark=dark,
        window=window,
        base=base,
        raised=raised,
        hover=mix(base, text, 0.10 if dark else 0.06),
        border=mix(base, text, 0.20 if dark else 0.13),
        field_border=mix(base, text, 0.34 if dark else 0.28),
        text=text,
        muted=readable(mix(text, base, 0.42), mix(raised, text, 0.04)),
        accent=accent,
        on_accent=palette.color(QPalette.ColorRole.HighlightedText),
        accent_text=readable(accent, grounds),
        selection=mix(base, accent, 0.30 if dark else 0.16),
        accepted=signal("accepted"),
        waiting=signal("waiting"),
        refused=signal("refused"),
        mark=QColor(92, 76, 10) if dark else QColor(255, 236, 150),
        mark_other=QColor(20, 74, 78) if dark else QColor(190, 234, 228),
        quote_bar=QColor(201, 168, 38) if dark else QColor(240, 200, 40),
        edge=mix(base, text, 0.42 if dark else 0.34),
    )


def type_color(name: str, theme: Tokens) -> QColor:
    """The colour of an entity type; an unknown type gets one from its name, always the same."""
    hue = _TYPE_HUES.get(name)
    if hue is None:
        hue = sum(ord(letter) * (index + 7) for index, letter in enumerate(name)) % 360
    return readable(QColor.fromHsl(hue, 125, 150 if theme.dark else 118), theme.base, 3.0)


def light_palette() -> QPalette:
    """The project's light palette."""
    return _palette(window="#f4f5f4", base="#ffffff", text="#1f2524", accent="#1d6f69", on_accent="#ffffff")


def dark_palette() -> QPalette:
    """The project's dark palette."""
    return _palette(window="#1b1f20", base="#222728", text="#e6eae8", accent="#4fb3a8", on_accent="#0c1a19")


def _palette(*, window: str, base: str, text: str, accent: str, on_accent: str) -> QPalette:
    role = QPalette.ColorRole
    palette = QPalette(QColor(window))
    colors = {
        role.Window: QColor(window),
        role.Base: QColor(base),
        role.AlternateBase: mix(QColor(base), QColor(text), 0.03),
        role.Button: QColor(base),
        role.WindowText: QColor(text),
        role.Text: QColor(text),
        role.ButtonText: QColor(text),
        role.BrightText: QColor(text),
        role.Highlight: QColor(accent),
        role.HighlightedText: QColor(on_accent),
        role.Accent: QColor(accent),
        role.ToolTipBase: mix(QColor(base), QColor(text), 0.06),
        role.ToolTipText: QColor(text),
        role.PlaceholderText: readable(mix(QColor(text), QColor(base), 0.45), QColor(base)),
        role.Link: readable(QColor(accent), mix(QColor(base), QColor(text), 0.05)),
        role.LinkVisited: readable(QColor(accent), mix(QColor(base), QColor(text), 0.05)),
    }
    for which, color in colors.items():
        palette.setColor(which, color)
    faded = mix(QColor(text), QColor(base), 0.55)
    for which in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, which, faded)
    return palette


def apply_theme(app: QApplication) -> None:
    """Our palette, light or dark as the system wishes."""
    dark = app.styleHints().colorScheme() == Qt.ColorScheme.Dark
    use_palette(app, dark_palette() if dark else light_palette())


def use_palette(app: QApplication, palette: QPalette) -> None:
    """A palette, and the few rules of style that need a sheet."""
    app.setPalette(palette)
    look = tokens(palette)
    app.setStyleSheet(style_sheet(look, pictures(look)))


def is_theme_change(event: QEvent) -> bool:
    """Whether a widget that holds colours of its own must derive them anew."""
    return event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange)


def scaled_font(factor: float, *, bold: bool = False) -> QFont:
    """The application's font, larger or smaller: sizes follow what the person chose in the system."""
    font = QFont(QApplication.font())
    font.setPointSizeF(max(6.0, QApplication.font().pointSizeF() * factor))
    font.setBold(bold)
    return font


def pictures(theme: Tokens) -> dict[str, str]:
    """The pictures that the style sheet needs, by name; those that cannot be written are left out."""
    wanted = {
        "tick": ("tick", theme.on_accent),
        "up": ("up", theme.muted),
        "down": ("down", theme.muted),
        "menu": ("down", theme.text),
        "primary_menu": ("down", theme.on_accent),
    }
    found = {name: picture_file(shape, color) for name, (shape, color) in wanted.items()}
    return {name: path for name, path in found.items() if path}


def style_sheet(theme: Tokens, drawn: Mapping[str, str] | None = None) -> str:
    """The application's style sheet for a theme; ``drawn``: see :func:`pictures`."""
    names = {name: getattr(theme, name).name() for name in Tokens.__slots__ if name != "dark"}
    drawn = drawn or {}
    sheet = _SHEET + (f'{_TICKED} {{ image: url("{drawn["tick"]}"); }}\n' if "tick" in drawn else "")
    if "up" in drawn and "down" in drawn:  # fields with arrows keep the system's look where arrows cannot be drawn
        sheet += _FIELDS.replace("@up_file@", drawn["up"]).replace("@down_file@", drawn["down"])
    if "menu" in drawn and "primary_menu" in drawn:
        sheet += _MENUS.replace("@menu_file@", drawn["menu"]).replace("@primary_menu_file@", drawn["primary_menu"])
    for name in sorted(names, key=len, reverse=True):
        sheet = sheet.replace(f"@{name}@", names[name])
    return sheet


_TICKED = "QCheckBox::indicator:checked, QTableView::indicator:checked"
_FIELDS = """
QComboBox, QAbstractSpinBox[kind="field"] { background: @base@; border: 1px solid @field_border@; border-radius: 6px; padding: 4px 6px; }
QComboBox:focus, QAbstractSpinBox[kind="field"]:focus { border: 2px solid @accent@; border-radius: 6px; padding: 3px 5px; }
QComboBox:disabled, QAbstractSpinBox[kind="field"]:disabled { color: @muted@; border-color: @border@; }
QComboBox::drop-down { border: none; width: 22px; }
QComboBox::down-arrow { image: url("@down_file@"); width: 11px; height: 11px; }
QComboBox QAbstractItemView { background: @base@; border: 1px solid @field_border@; padding: 2px;
  selection-background-color: @selection@; selection-color: @text@; }
QAbstractSpinBox[kind="field"]::up-button { subcontrol-origin: border; subcontrol-position: top right; width: 20px;
  border: none; background: transparent; }
QAbstractSpinBox[kind="field"]::down-button { subcontrol-origin: border; subcontrol-position: bottom right; width: 20px;
  border: none; background: transparent; }
QAbstractSpinBox[kind="field"]::up-arrow { image: url("@up_file@"); width: 9px; height: 9px; }
QAbstractSpinBox[kind="field"]::down-arrow { image: url("@down_file@"); width: 9px; height: 9px; }
"""
_MENUS = """
QPushButton::menu-indicator { image: url("@menu_file@"); width: 12px; height: 12px; }
QPushButton[kind="primary"]::menu-indicator { image: url("@primary_menu_file@"); }
"""
_SHEET = """
QToolTip { color: @text@; background: @raised@; border: 1px solid @field_border@; padding: 4px 6px; }
QMenuBar { background: @window@; padding: 2px 4px; }
QMenuBar::item { padding: 4px 10px; border-radius: 4px; background: transparent; }
QMenuBar::item:selected { background: @selection@; color: @text@; }
QMenu { background: @base@; border: 1px solid @border@; padding: 4px; }
QMenu::item { padding: 5px 24px 5px 20px; border-radius: 4px; }
QMenu::item:selected { background: @selection@; color: @text@; }
QMenu::item:disabled { color: @muted@; }
QMenu::separator { height: 1px; background: @border@; margin: 4px 8px; }
QStatusBar { background: @window@; border-top: 1px solid @border@; }
QStatusBar::item { border: none; }
QStatusBar QLabel { color: @muted@; padding: 2px 6px; }
QSplitter::handle { background: @border@; }
QSplitter::handle:horizontal { width: 1px; }
QSplitter::handle:vertical { height: 1px; }

QPushButton { background: @base@; border: 1px solid @field_border@; border-radius: 6px; padding: 5px 14px; }
QPushButton:hover { background: @hover@; }
QPushButton:pressed { background: @selection@; }
QPushButton:focus { border: 2px solid @accent@; padding: 4px 13px; }
QPushButton:disabled { color: @muted@; border-color: @border@; background: @raised@; }
QPushButton[kind="primary"] { background: @accent@; color: @on_accent@; border-color: @accent@; font-weight: 600; }
QPushButton[kind="primary"]:focus { border: 2px solid @text@; }
QPushButton[kind="primary"]:disabled { background: @raised@; color: @muted@; border-color: @border@; }
QPushButton[kind="chip"] { border-radius: 6px; text-align: left; padding: 7px 14px; border-color: @border@; }
QPushButton[kind="chip"]:focus { border: 2px solid @accent@; padding: 6px 13px; }
QPushButton[kind="key"] { padding: 3px 9px; border-color: @border@; }
QPushButton[kind="key"]:focus { border: 2px solid @accent@; padding: 2px 8px; }
QPushButton[faint="true"] { color: @muted@; }
QFrame[kind="kinds"] { background: @base@; border: 2px solid @accent@; border-radius: 8px; }
QSplitter[kind="quiet"]::handle { background: transparent; }
QPushButton::menu-indicator { subcontrol-position: right center; subcontrol-origin: padding; right: 8px; }
QToolButton { border: 1px solid transparent; border-radius: 6px; padding: 4px; background: transparent; }
QToolButton:hover { background: @hover@; }
QToolButton:checked { background: @selection@; }
QToolButton:focus { border: 2px solid @accent@; padding: 3px; }
QToolButton:disabled { color: @muted@; }
QFrame[kind="segments"] { background: @raised@; border: 1px solid @field_border@; border-radius: 8px; }
QToolButton[kind="segment"] { padding: 4px 14px; color: @muted@; }
QToolButton[kind="segment"]:hover { background: @hover@; }
QToolButton[kind="segment"]:checked { background: @base@; color: @accent_text@; border: 1px solid @accent@; font-weight: 600; }
QToolButton[kind="segment"]:focus { border: 2px solid @accent@; padding: 3px 13px; }
QFrame[kind="popup"] { background: @base@; border: 1px solid @field_border@; }
QListView[kind="bare"], QListView[kind="bare"]:focus { border: none; border-radius: 0; }
QToolButton[kind="fold"]:checked { background: transparent; }
QToolButton[kind="fold"]:hover { background: @hover@; }

QLineEdit { background: @base@; border: 1px solid @field_border@; border-radius: 6px;
  padding: 5px 8px; selection-background-color: @accent@; selection-color: @on_accent@; }
QLineEdit:focus { border: 2px solid @accent@; padding: 4px 7px; }
QSpinBox QLineEdit, QSpinBox QLineEdit:focus, QDoubleSpinBox QLineEdit, QDoubleSpinBox QLineEdit:focus { border: none; padding: 0; background: transparent; }
QLineEdit[kind="question"] { font-size: 13pt; padding: 9px 12px; border-radius: 8px; }
QLineEdit[kind="question"]:focus { padding: 8px 11px; }

QTableView QLineEdit, QTableView QLineEdit:focus { border: 2px solid @accent@; border-radius: 0; padding: 0 5px; }

QComboBox:focus, QSpinBox:focus { border: 2px solid @accent@; border-radius: 4px; }
QTableView, QListView, QTreeView { background: @base@; border: 1px solid @border@; border-radius: 6px;
  selection-background-color: @selection@; selection-color: @text@; outline: none; alternate-background-color: @raised@; }
QTableView:focus, QListView:focus, QTreeView:focus { border: 1px solid @accent@; }
QTableView::item { padding: 0 8px; border: none; }
QTableView::indicator { width: 14px; height: 14px; border: 1px solid @field_border@; border-radius: 3px;
  background: @base@; }
QTableView::indicator:checked { background: @accent@; border-color: @accent@; }
QListView::item, QTreeView::item { padding: 5px 8px; border: none; }
QTableView::item:selected, QListView::item:selected, QTreeView::item:selected { background: @selection@; color: @text@; }
QTreeView[kind="bare"], QTreeView[kind="bare"]:focus { border: none; border-radius: 0; }
QHeaderView { background: @base@; border: none; }
QHeaderView::section { background: @base@; color: @muted@; border: none; border-bottom: 1px solid @border@;
  padding: 6px 11px; font-weight: 600; }
QTextBrowser, QPlainTextEdit { background: @base@; border: 1px solid @border@; border-radius: 6px;
  selection-background-color: @accent@; selection-color: @on_accent@; }
QTextBrowser:focus, QPlainTextEdit:focus { border: 1px solid @accent@; }
QTextBrowser[kind="plain"] { border: none; border-radius: 0; background: transparent; }

QTabBar { border: none; background: transparent; }
QTabBar::tab { padding: 6px 14px; border: none; border-bottom: 2px solid transparent; color: @muted@; background: transparent; }
QTabBar::tab:hover { color: @text@; }
QTabBar::tab:selected { color: @accent_text@; border-bottom: 2px solid @accent@; }
QTabBar::tab:focus { background: @selection@; }
QProgressBar { border: none; border-radius: 3px; background: @hover@; max-height: 6px; min-height: 6px; }
QProgressBar[kind="meter"] { background: @border@; }
QProgressBar[high="true"]::chunk { background: @waiting@; }
QProgressBar::chunk { background: @accent@; border-radius: 3px; }
QCheckBox { spacing: 7px; padding: 2px; border: 1px solid transparent; border-radius: 4px; }
QCheckBox::indicator { width: 14px; height: 14px; border: 1px solid @field_border@; border-radius: 3px;
  background: @base@; }
QCheckBox::indicator:checked { background: @accent@; border-color: @accent@; }
QCheckBox:focus { border: 1px solid @accent@; }
QScrollArea { border: none; background: transparent; }
QScrollArea[kind="card"] { background: @base@; border: 1px solid @border@; border-radius: 8px; }
QWidget#answer-body { background: transparent; }
QScrollBar:vertical { background: transparent; width: 12px; margin: 0; border: none; }
QScrollBar:horizontal { background: transparent; height: 12px; margin: 0; border: none; }
QScrollBar::handle { background: @field_border@; border-radius: 4px; margin: 2px; }
QScrollBar::handle:vertical { min-height: 28px; }
QScrollBar::handle:horizontal { min-width: 28px; }
QScrollBar::handle:hover { background: @muted@; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; border: none; background: none; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QFrame[kind="card"] { background: @base@; border: 1px solid @border@; border-radius: 8px; }
QFrame[kind="rail"] { background: @window@; border: none; border-right: 1px solid @border@; }
QFrame[kind="notice"] { background: @text@; border-radius: 8px; }
QFrame[kind="notice"] QLabel { color: @base@; }
QFrame[kind="notice"] QPushButton { background: transparent; color: @base@; border: 1px solid @muted@; }
QFrame[kind="notice"] QPushButton:focus { border: 2px solid @base@; }
QFrame[kind="bar"] { background: @window@; border: none; border-bottom: 1px solid @border@; }
QLabel[kind="muted"] { color: @muted@; }
QLabel[kind="fault"] { color: @refused@; }
QLabel[kind="waiting"] { color: @waiting@; }
QLabel[kind="section"] { color: @muted@; font-weight: 600; }
QFrame[kind="quote"] { background: @base@; border: none; border-left: 4px solid @quote_bar@;
  border-bottom: 1px solid @border@; }
QFrame[kind="draft"] { background: @raised@; border: none; border-left: 4px solid @waiting@; }
QFrame[kind="draft"] QLabel, QFrame[kind="draft"] QTextBrowser { background: transparent; }
QFrame[kind="quote"] QLabel { color: @text@; background: transparent; }
"""
