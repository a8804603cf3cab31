"""Where papers disagree on a number, and where they only seem to."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from minerva_desktop.records import Disagreement, DisagreementsReport, Notice
from tests.values_support import library_of


def found(folder: Path, *texts: str) -> DisagreementsReport:
    papers: Mapping[str, str] = {f"Study {number}": text for number, text in enumerate(texts)}
    with library_of(folder, papers) as bench:
        return bench.disagreements()


def only(report: DisagreementsReport) -> Disagreement:
    assert len(report.disagreements) == 1
    return report.disagreements[0]


def test_two_papers_that_cannot_both_be_right_are_shown_side_by_side(tmp_path: Path) -> None:
    item = only(
        found(tmp_path, "The band gap of AlN is 6.2 eV at 300 K.", "The band gap of AlN is 5.2 eV at room temperature.")
    )
    assert (item.material, item.property_id, item.works) == ("AlN", "band_gap", 2)
    pair = item.pairs[0]
    assert (pair.first.value, pair.second.value) == (5.2, 6.2)
    assert (pair.first.quote, pair.second.quote) == (
        "The band gap of AlN is 5.2 eV at room temperature.",
        "The band gap of AlN is 6.2 eV at 300 K.",
    )
    assert pair.apart == ()
    assert pair.relative == pytest.approx(1 / 6.2, rel=1e-4)
    assert pair.reason == "They differ by 16 %; up to 6 % is taken for the same band gap."


AGREEING = (
    ("The band gap of GaN is 3.4 eV.", "The band gap of GaN is 3.39 eV."),  # within the tolerance
    ("The band gap of ZnO is 3 eV.", "The band gap of ZnO is 3.4 eV."),  # "3" may be 3.4
    ("The band gap of InP is 1.40 ± 0.15 eV.", "The band gap of InP is 1.10 ± 0.10 eV."),  # within their uncertainties
    ("The band gap of ZnS is 3.1–3.6 eV.", "The band gap of ZnS is 3.5 eV."),
    ("The band gap of AlN is below 8 eV.", "The band gap of AlN is 6.2 eV."),  # a bound
    # A paper on two samples does not disagree with one on the second.
    ("The band gap of CdTe is 1.5 eV. The band gap of CdTe is 1.2 eV.", "The band gap of CdTe is 1.49 eV."),
)


def test_papers_agree(tmp_path: Path) -> None:
    papers = {"One": " ".join(one for one, _ in AGREEING), "Two": " ".join(other for _, other in AGREEING)}
    with library_of(tmp_path, papers) as bench:
        assert {group.material: group.works for group in bench.values("band_gap").materials} == dict.fromkeys(
            ("GaN", "ZnO", "InP", "ZnS", "AlN", "CdTe"), 2
        )
        report = bench.disagreements()
        assert (report.disagreements, report.explained) == ((), ())


def test_small_uncertainties_make_small_differences_count(tmp_path: Path) -> None:
    item = only(found(tmp_path, "The band gap of GaN is 3.40 ± 0.01 eV.", "The band gap of GaN is 3.45 ± 0.01 eV."))
    assert item.pairs[0].reason == "They differ by 0.05 eV; 2 times their combined uncertainty is 0.028 eV."


EXPLAINED = {
    "GaN": ("temperature", "The band gap of GaN is 3.4 eV at 300 K.", "The band gap of GaN is 3.0 eV at 900 K."),
    "InN": ("temperature", "The band gap of InN is 0.7 eV.", "The band gap of InN is 0.5 eV at 900 K."),
    "AlN": (
        "method",
        "The band gap of AlN is 6.2 eV.",
        "From first-principles calculations the band gap of AlN is 4.1 eV.",
    ),
    "ZnO": (
        "method",
        "From absorption spectra the band gap of ZnO is 3.4 eV.",
        "From photoemission the band gap of ZnO is 2.9 eV.",
    ),
    "SiC": ("phase", "The band gap of hexagonal SiC is 3.2 eV.", "The band gap of cubic SiC is 2.3 eV."),
    "GaP": ("what is meant", "The direct band gap of GaP is 2.8 eV.", "The indirect band gap of GaP is 2.26 eV."),
    "CdSe": ("form", "The band gap of CdSe is 1.74 eV.", "The band gap of the CdSe nanowires is 2.1 eV."),
    "FeSe": (
        "pressure",
        "The critical temperature of FeSe is 8 K.",
        "The critical temperature of FeSe is 37 K at 9 GPa.",
    ),
    "ZnS": ("doping", "The band gap of ZnS is 3.6 eV.", "When doped with Mn, ZnS has a band gap of 3.1 eV."),
    "CeO2": (
        "temperature",
        "The ionic conductivity of CeO2 is 0.1 S/cm.",
        "The ionic conductivity of CeO2 is 0.001 S/cm.",
    ),
}


def test_other_circumstances_are_no_disagreement(tmp_path: Path) -> None:
    papers = {
        "One": " ".join(one for _, one, _ in EXPLAINED.values()),
        "Two": " ".join(two for _, _, two in EXPLAINED.values()),
    }
    with library_of(tmp_path, papers) as bench:
        report = bench.disagreements()
        assert report.disagreements == ()
        apart = {item.material: [part.name for part in item.explained[0].apart] for item in report.explained}
        assert apart == {name: [why] for name, (why, _, _) in EXPLAINED.items()}


def test_different_x_of_a_solid_solution_is_never_compared(tmp_path: Path) -> None:
    report = found(
        tmp_path,
        "The band gap of Al0.25Ga0.75N is 3.9 eV.",
        "The band gap of Al0.5Ga0.5N is 4.7 eV.",
        "The critical temperature of La2-xSrxCuO4 (x = 0.15) is 38 K.",
        "The critical temperature of La2-xSrxCuO4 (x = 0.10) is 25 K.",
        "The critical temperature of La2-xSrxCuO4 is 10 K.",
    )
    assert report.disagreements == ()
    assert {part.name for item in report.explained for pair in item.explained for part in pair.apart} <= {"composition"}


def test_the_same_x_is_compared(tmp_path: Path) -> None:
    texts = (
        "The critical temperature of La2-xSrxCuO4 (x = 0.15) is 38 K.",
        "The critical temperature of La2-xSrxCuO4 (x = 0.15) is 25 K.",
    )
    report = found(tmp_path, *texts)
    assert len(report.disagreements) == 1


def test_what_is_cited_is_no_independent_voice(tmp_path: Path) -> None:
    report = found(
        tmp_path,
        "The band gap of AlN is 6.2 eV.",
        "The band gap of AlN is 5.2 eV [7].",
        "Smith et al. (2010) reported that the band gap of AlN is 5.0 eV.",
    )
    assert report.disagreements == ()


def test_versions_of_one_work_are_one_voice_and_a_retracted_paper_is_none(tmp_path: Path) -> None:
    papers = {"Preprint": "The band gap of AlN is 6.2 eV.", "Article": "The band gap of AlN is 5.2 eV."}
    with library_of(tmp_path, papers) as bench:
        assert len(bench.disagreements().disagreements) == 1
        first, second = [paper.id for paper in bench.papers()]
        bench.merge_papers(first, [second])
        assert bench.disagreements().disagreements == ()
        assert bench.values("band_gap").materials[0].works == 1
        bench.undo()
        assert len(bench.disagreements().disagreements) == 1
        bench.library.catalog.set_notices(
            second, [Notice("retraction", "10.1000/r", "2020-01-02", "Retraction", "crossref")]
        )
        assert bench.disagreements().disagreements == ()
        assert {value.title for value in bench.values("band_gap").values if value.withdrawn} == {
            bench.paper(second).title
        }


def test_qualities_of_a_sample_are_not_compared_and_that_is_said(tmp_path: Path) -> None:
    report = found(tmp_path, "The grain size of GaN is 200 nm.", "The grain size of GaN is 5 nm.")
    assert report.disagreements == ()
    assert report.not_compared[0].examples == ("grain size",)


def test_what_waits_can_be_left_out(tmp_path: Path) -> None:
    papers = {"One": "The band gap of AlN is 6.2 eV.", "Two": "The band gap of AlN is 5.2 eV."}
    with library_of(tmp_path, papers, gate="strict") as bench:
        waiting = bench.disagreements("band gap")
        assert {end.status for pair in waiting.disagreements[0].pairs for end in (pair.first, pair.second)} == {
            "waiting"
        }
        assert bench.disagreements("band gap", accepted_only=True).disagreements == ()
        bench.accept([fact.id for fact in bench.facts(type="HAS_VALUE")])
        assert len(bench.disagreements("band gap", accepted_only=True).disagreements) == 1
