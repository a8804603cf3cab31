"""What the address of a server says before anything is sent: whose it is, and who could listen on the way."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

_PORTS = {"http": 80, "https": 443}
_HOME = (".localhost", ".local", ".lan", ".home", ".internal", ".home.arpa")


def origin(url: str) -> str:
    """Scheme, host and port: what a key belongs to. ``https://api.openai.com/v1`` → ``https://api.openai.com``."""
    parts = urlsplit(url.strip())
    host = (parts.hostname or "").rstrip(".")
    shown = f"[{host}]" if ":" in host else host
    port = parts.port or _PORTS.get(parts.scheme, 0)
    return f"{parts.scheme}://{shown}" + ("" if port == _PORTS.get(parts.scheme) else f":{port}")


def is_near(url: str) -> bool:
    """Whether the server is this machine or one of its own network, by its address alone: no name is looked up."""
    host = (urlsplit(url.strip()).hostname or "").rstrip(".").casefold()
    try:
        return not ipaddress.ip_address(host).is_global
    except ValueError:
        pass
    if host.endswith(_HOME):
        return True
    # A name of one word is one of the own network; a number ("134744072") or 0x… is an address in disguise.
    return bool(host) and "." not in host and ":" not in host and not host[0].isdigit()


def in_clear(url: str) -> bool:
    """Whether anyone on the way could read what is sent there: no https, and beyond the own network."""
    return urlsplit(url.strip()).scheme != "https" and not is_near(url)
