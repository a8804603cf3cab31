"""Which addresses may be connected to."""

from __future__ import annotations

import ipaddress

import pytest

from minerva_desktop.sources.guard import check_addresses, check_url, is_public, literal
from minerva_desktop.sources.options import SourceError


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0", "224.0.0.1", "255.255.255.255",
     "100.64.0.1", "240.0.0.1", "::1", "::", "fe80::1", "fc00::1", "fd12:3456::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
     "64:ff9b::7f00:1", "64:ff9b::a00:1", "2002:7f00:1::", "2002:c0a8:101::", "::127.0.0.1", "fec0::1"],
)  # fmt: skip
def test_private_addresses(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "address", ["93.184.216.34", "8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808"]
)
def test_public_addresses(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.1", "0x7f.1", "127.0.0.1.", "[::ffff:7f00:1]"]
)
def test_other_spellings_of_this_computer(host: str) -> None:
    found = literal(host)
    assert found is not None
    assert not is_public(found)
    with pytest.raises(SourceError):
        check_url(f"http://{host}/", ())


@pytest.mark.parametrize(
    "url",
    ["file:///etc/passwd", "ftp://example.org/", "gopher://example.org/", "javascript:alert(1)", "", "example.org", "//example.org/x",
     "http://", "http://localhost/", "http://LOCALHOST:80/", "http://printer.local/", "http://metadata.google.internal/",
     "http://user:pw@127.0.0.1/", "http://example.org@127.0.0.1/", "http://[::1]/", "http://[::1", "http://example.org:99999/"],
)  # fmt: skip
def test_addresses_that_are_not_asked(url: str) -> None:
    with pytest.raises(SourceError) as caught:
        check_url(url, ())
    assert caught.value.kind == "refused"
    assert caught.value.message.endswith(".")


def test_only_what_was_exempted_is() -> None:
    assert check_url("http://127.0.0.1:8080/x", {"127.0.0.1:8080"}) == ("http", "127.0.0.1", 8080)
    assert check_url("http://[::1]:8080/x", {"[::1]:8080"})[2] == 8080
    for url in ("http://127.0.0.1:8081/", "http://127.0.0.2:8080/", "http://localhost:8080/"):
        with pytest.raises(SourceError):
            check_url(url, {"127.0.0.1:8080"})
    assert check_url("http://localhost:1234/", {"localhost"})[1] == "localhost"


def test_a_name_with_one_private_address_is_refused_whole() -> None:
    mixed = [ipaddress.ip_address("8.8.8.8"), ipaddress.ip_address("127.0.0.1")]
    with pytest.raises(SourceError):
        check_addresses("innocent.example", 80, mixed, ())
    assert check_addresses("innocent.example", 80, mixed, {"innocent.example:80"}) == mixed
