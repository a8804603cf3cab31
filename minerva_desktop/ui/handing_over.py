"""Files that are opened from the desktop go to the window that has the library open, if there is one.

A library belongs to one process at a time. The window listens on a local socket of this person alone, named after the
library; a second start gives it the files and ends. No network is involved.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

PATIENCE = 3000
"""Milliseconds that a second start waits for the first to answer."""
MOST = 1 << 20
"""Bytes of file names that are taken at a time."""
_TAKEN = b"taken\n"


def hand_over(library: Path, files: Sequence[Path]) -> bool:
    """Give files to the window on this library; False when there is none that answers."""
    socket = QLocalSocket()
    socket.connectToServer(_name(library))
    if not socket.waitForConnected(PATIENCE):
        return False
    socket.write(json.dumps([str(path.absolute()) for path in files]).encode() + b"\n")
    answered = socket.waitForBytesWritten(PATIENCE) and socket.waitForReadyRead(PATIENCE)
    return answered and bytes(socket.readAll().data()) == _TAKEN


class Receiver(QObject):
    """Takes files from later starts; ``received`` has their paths (none: the person only wanted the window)."""

    received = Signal(list)

    def __init__(self, library: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._connected)
        # One that was killed leaves its name behind; the library's lock says that nobody else has it now.
        QLocalServer.removeServer(_name(library))
        self._server.listen(_name(library))

    @property
    def listening(self) -> bool:
        return self._server.isListening()

    def close(self) -> None:
        self._server.close()

    def _connected(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            socket.readyRead.connect(lambda socket=socket: self._read(socket))
            socket.disconnected.connect(socket.deleteLater)
            self._read(socket)

    def _read(self, socket: QLocalSocket) -> None:
        if socket.bytesAvailable() > MOST:
            socket.abort()
            return
        if not socket.canReadLine():
            return
        try:
            names = json.loads(bytes(socket.readLine().data()))
        except ValueError:
            names = None
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            socket.abort()
            return
        socket.write(_TAKEN)
        socket.disconnectFromServer()
        self.received.emit([Path(name) for name in names])


def _name(library: Path) -> str:
    return "minerva-desktop-" + hashlib.sha256(str(library.resolve()).encode()).hexdigest()[:16]
