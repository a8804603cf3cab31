"""Which addresses may be connected to: the public Internet over http and https, and hosts that were exempted by name.

A web page or a bibliographic record decides which address we fetch; without this check it could reach the router, a
metadata service of a cloud or a program on this machine.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from urllib.parse import urlsplit

from minerva_desktop.sources.options import SourceError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

PORTS = {"http": 80, "https": 443}
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_LOCAL_NAMES = ("localhost", ".localhost", ".local", ".internal", ".localdomain", ".home.arpa")


def is_public(address: Address) -> bool:
    """Whether an address is one of the public Internet. Addresses that carry another inside are judged by both."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = _inside(address)
        if inner is not None:
            return is_public(inner)
        if address.is_site_local:
            return False
    return address.is_global and not (
        address.is_multicast
        or address.is_private
        or address.is_loopback
        or address.is_link_local
        or address.is_unspecified
        or address.is_reserved
    )


def _inside(address: ipaddress.IPv6Address) -> ipaddress.IPv4Address | None:
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address.sixtofour is not None:
        return address.sixtofour
    if address.teredo is not None:
        return address.teredo[1]
    if address in _NAT64 or (int(address) >> 32 == 0 and int(address) > 1):
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return None


def literal(host: str) -> Address | None:
    """The address that a host name spells, also in the decimal, octal and shortened forms that resolvers take."""
    plain = host.strip("[]").split("%", maxsplit=1)[0].rstrip(".")
    try:
        return ipaddress.ip_address(plain)
    except ValueError:
        pass
    if not plain or not plain[0].isdigit():
        return None
    try:
        return ipaddress.IPv4Address(socket.inet_aton(plain))
    except (OSError, UnicodeError):
        return None


def is_exempt(host: str, port: int, allowed: Iterable[str]) -> bool:
    """Whether ``host`` or ``host:port`` is on the list of exempted ones."""
    name = host.strip("[]").lower().rstrip(".")
    shown = f"[{name}]" if ":" in name else name
    return not {name, shown, f"{shown}:{port}", f"{name}:{port}"}.isdisjoint(allowed)


def check_url(url: str, allowed: Iterable[str]) -> tuple[str, str, int]:
    """(scheme, host, port) of a URL that may be asked.

    Raises:
        SourceError: another scheme than http and https, no host, or a host that spells an address of a private network.
    """
    try:
        parts = urlsplit(url)
        host, scheme = (parts.hostname or "").lower(), parts.scheme.lower()
        port = parts.port or PORTS.get(scheme, 0)
    except ValueError:
        raise _refuse("", "The address given cannot be read as a web address.") from None
    if scheme not in PORTS:
        raise _refuse(host, f"Only http and https addresses are fetched, and this one is “{scheme or 'none'}”.")
    if not host:
        raise _refuse("", "The address given names no host.")
    if not is_exempt(host, port, allowed):
        spelt = literal(host)
        if (spelt is not None and not is_public(spelt)) or host == "localhost" or host.endswith(_LOCAL_NAMES):
            raise private(host)
    return scheme, host, port


def check_addresses(host: str, port: int, found: Iterable[Address], allowed: Iterable[str]) -> list[Address]:
    """The addresses of a host that may be connected to; one that is private refuses them all, since a name that has
    both is made to deceive.

    Raises:
        SourceError: an address is not public.
    """
    addresses = list(dict.fromkeys(found))
    if not is_exempt(host, port, allowed) and not all(map(is_public, addresses)):
        raise private(host)
    return addresses


def private(host: str) -> SourceError:
    return _refuse(
        host,
        f"“{host}” is an address of this computer or a private network, and papers are fetched from the Internet only.",
    )


def _refuse(host: str, message: str) -> SourceError:
    return SourceError("refused", host, message)
