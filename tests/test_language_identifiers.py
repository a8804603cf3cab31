"""Identifiers in the many ways they are written."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from minerva_desktop.language.identifiers import (
    find_arxiv,
    find_doi,
    parse_arxiv,
    parse_doi,
    parse_orcid,
    parse_pmcid,
    parse_pmid,
)

DATA = Path(os.environ.get("MINERVA_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))
PEER = DATA / "peers" / "idutils" / "pid_cases.json"
PARSERS = {"doi": parse_doi, "arxiv": parse_arxiv, "pmid": parse_pmid, "pmcid": parse_pmcid, "orcid": parse_orcid}


@pytest.mark.parametrize(
    ("written", "doi"),
    [
        ("10.5555/abc.1", "10.5555/abc.1"),
        ("doi: 10.5555/ABC.1", "10.5555/ABC.1"),
        ("https://dx.doi.org/10.5555/abc.1", "10.5555/abc.1"),
        ("10.5555.10/abc", "10.5555.10/abc"),
        ("10.5555/", ""),
        ("10.55O5/abc", ""),
        ("10.5555/a b", ""),
    ],
)
def test_a_doi_by_itself(written: str, doi: str) -> None:
    assert parse_doi(written) == doi


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        ("See https://doi.org/10.5555/ABC.1.", "10.5555/abc.1"),
        ("(doi:10.5555/abc(2020)1)", "10.5555/abc(2020)1"),
        ("<a>10.5555/abc</a>", "10.5555/abc"),
        (
            "10.1002/(SICI)1097-4628(19990103)71:1<1::AID-APP1>3.0.CO;2-K is old",
            "10.1002/(sici)1097-4628(19990103)71:1<1::aid-app1>3.0.co;2-k",
        ),
        ("paid by 10.13039/501100001809 for 10.5555/abc;", "10.5555/abc"),
        ("version 110.5555/abc", ""),
        ("nothing here", ""),
    ],
)
def test_a_doi_in_running_text(text: str, doi: str) -> None:
    assert find_doi(text) == doi


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("arXiv:2501.01300v2 [hep-lat] 2 Jan 2025", "2501.01300v2"),
        ("https://arxiv.org/abs/hep-th/9901001", "hep-th/9901001"),
        ("arXiv:math.GT/0309136", "math/0309136"),
        ("in Figs. 2501.0130 to 3", ""),
        ("arXiv:2513.01300", ""),
    ],
)
def test_an_arxiv_identifier_in_running_text(text: str, found: str) -> None:
    assert find_arxiv(text) == found


def test_the_check_digit_of_an_orcid() -> None:
    assert parse_orcid("https://orcid.org/0000-0002-1825-0097") == "0000-0002-1825-0097"
    assert parse_orcid("0000000218250097") == "0000-0002-1825-0097"
    assert parse_orcid("0000-0002-1825-0098") == ""


@pytest.mark.skipif(not PEER.is_file(), reason="the shared cases of identifiers are not there")
@pytest.mark.parametrize("scheme", sorted(PARSERS))
def test_identifiers_as_another_program_reads_them(scheme: str) -> None:
    table = json.loads(PEER.read_text(encoding="utf-8"))
    read = PARSERS[scheme]
    checked = 0
    for case in table["cases"]:
        if scheme in case["schemes"]:
            checked += 1
            if case["schemes"][0] == scheme or scheme != "pmid":
                wanted = case["normalized"].removeprefix("arXiv:")
                assert read(case["input"]) == wanted, case
        elif scheme in {"arxiv", "orcid", "pmcid"} or (scheme == "doi" and "handle" not in case["schemes"]):
            assert read(case["input"]) == "", case
    assert checked
    if scheme == "doi":
        assert all(parse_doi(item) for item in table["doi_valid"])
        assert not any(parse_doi(item) for item in table["doi_invalid"])
    assert not any(read(item) for item in table["nothing_detected"])
