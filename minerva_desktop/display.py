"""What a window needs of a Linux desktop, looked at before Qt is: libraries, a display, and the person's own programs.

Qt ends the whole program with a message of its own where its display cannot be opened; here that is one sentence.
"""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

from minerva_desktop.errors import MinervaError

# Library to Debian package, found by starting the window in a minimal Debian 12. What travels with the download is found there.
ANY_WINDOW: Mapping[str, str] = {
    "libglib-2.0.so.0": "libglib2.0-0",
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libfontconfig.so.1": "libfontconfig1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libdbus-1.so.3": "libdbus-1-3",
}
X_WINDOW: Mapping[str, str] = {
    "libxcb.so.1": "libxcb1",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
}
WAYLAND_WINDOW: Mapping[str, str] = {
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
}
WITHOUT = "Every command works without the window: minerva-desktop --help."


def missing(libraries: Mapping[str, str]) -> dict[str, str]:
    """Those of the libraries that cannot be loaded, with their packages."""
    return {name: package for name, package in libraries.items() if not _loads(name)}


def _loads(name: str) -> bool:
    try:
        ctypes.CDLL(name)
    except OSError:
        return False
    return True


def no_window() -> MinervaError | None:
    """Why no window can be opened here, or None. Looks at Linux only; elsewhere every desktop has what Qt needs."""
    if sys.platform != "linux":
        return None
    chosen = os.environ.get("QT_QPA_PLATFORM", "")
    wayland = chosen.startswith("wayland") or (not chosen and bool(os.environ.get("WAYLAND_DISPLAY")))
    x_server = chosen.startswith("xcb") or (not chosen and bool(os.environ.get("DISPLAY")))
    if not (chosen or wayland or x_server):
        return MinervaError(
            "There is no display to open the window on: neither DISPLAY nor WAYLAND_DISPLAY is set.",
            hint=f"Start it from a desktop, or from a terminal in one. {WITHOUT}",
            code="no-window",
        )
    lacking = missing(ANY_WINDOW)
    on_wayland = missing(WAYLAND_WINDOW) if wayland else {}
    if x_server and not (wayland and not on_wayland):
        on_x = missing(X_WINDOW)
        lacking |= on_x
        if not lacking and not _answers():
            return MinervaError(
                f"The window cannot be opened: the display “{os.environ.get('DISPLAY', '')}” does not answer.",
                hint=f"Start it as the person who is logged in at this display. {WITHOUT}",
                code="no-window",
            )
    else:
        lacking |= on_wayland
    return lacks(lacking) if lacking else None


def lacks(libraries: Mapping[str, str]) -> MinervaError:
    """That these libraries are missing, and what installs them."""
    names = list(libraries)
    told = ", ".join(names) if len(names) < 4 else f"{names[0]}, {names[1]} and {len(names) - 2} more"
    return MinervaError(
        f"The window cannot be opened, because libraries of the system are missing: {told}.",
        hint=f"On Debian and Ubuntu: sudo apt-get install {' '.join(libraries.values())}. {WITHOUT}",
        code="no-window",
    )


def _answers() -> bool:
    """Whether the X server lets this program in; asked with the library that Qt asks with."""
    xcb = ctypes.CDLL("libxcb.so.1")
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    xcb.xcb_connection_has_error.argtypes = xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(None, None)
    good = bool(xcb.xcb_connection_has_error(connection) == 0)
    xcb.xcb_disconnect(connection)
    return good


def tell_on_desktop(message: str) -> None:
    """Show the message with a program of the desktop, where the window was started without a terminal to print it on."""
    if sys.platform != "linux" or _is_terminal():
        return
    for program, options in (
        ("zenity", ["--error", "--no-markup", "--title=Minerva Desktop", "--text"]),
        ("kdialog", ["--title", "Minerva Desktop", "--error"]),
        ("notify-send", ["--app-name=Minerva Desktop", "Minerva Desktop"]),
        ("xmessage", ["-center"]),
    ):
        if shutil.which(program):
            with suppress(OSError), own_libraries():
                subprocess.Popen([program, *options, message], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            return


def _is_terminal() -> bool:
    return bool(sys.stderr and sys.stderr.isatty())


@contextmanager
def own_libraries() -> Iterator[None]:
    """Programs that are started in here load the system's libraries, not those that travel with the download."""
    given = os.environ.get("LD_LIBRARY_PATH")
    if given is None or not getattr(sys, "frozen", False):
        yield
        return
    before = os.environ.get("LD_LIBRARY_PATH_ORIG")  # kept by PyInstaller
    if before is None:
        del os.environ["LD_LIBRARY_PATH"]
    else:
        os.environ["LD_LIBRARY_PATH"] = before
    try:
        yield
    finally:
        os.environ["LD_LIBRARY_PATH"] = given
