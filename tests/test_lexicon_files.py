"""Lexicon files as people and spreadsheet programs write them: what is read, what is named as wrong, what wins."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from minerva_desktop.domains import Domain, load_domain
from minerva_desktop.domains.user_lexicon import (
    KINDS,
    ROWS,
    UserLexicon,
    columns_of,
    load_lexicon,
    merge_tables,
    parse_table,
    table_text,
)
from minerva_desktop.language.quantities import find_quantities, parse_value
from minerva_desktop.language.units import define_unit, using_units


@pytest.fixture
def pack() -> Domain:
    return load_domain("materials")


def lexicon(folder: Path, pack: Domain, **files: str) -> UserLexicon:
    for kind, text in files.items():
        (folder / f"{kind}.csv").write_text(text, encoding="utf-8", newline="")
    return load_lexicon(folder, pack)


def test_no_files_are_the_pack_itself(tmp_path: Path, pack: Domain) -> None:
    found = load_lexicon(tmp_path / "nowhere", pack)
    assert found.domain is pack
    assert (found.problems, found.digest, sum(found.counts.values())) == ((), "", 0)


@pytest.mark.parametrize(
    "text",
    [
        '\ufeffName;Formula;Synonyms;Symbols\r\nMetaglass;;"super glass; metal glass";MGX\r\n;;;\r\n',
        "name,symbols,synonyms\nMetaglass,MGX,super glass; metal glass\n",
        'sep=;\nname;symbols;synonyms\nMetaglass;MGX;"super glass;metal glass"\n',
        "synonyms\tname\tsymbols\nsuper glass;metal glass\tMetaglass\tMGX\n",
    ],
)
def test_a_table_is_read_as_spreadsheets_write_it(tmp_path: Path, pack: Domain, text: str) -> None:
    found = lexicon(tmp_path, pack, materials=text)
    assert found.problems == ()
    material = found.domain.materials[0]
    assert (material.name, material.synonyms, material.case_sensitive) == (
        "Metaglass",
        ("super glass", "metal glass"),
        ("MGX",),
    )


def test_a_broken_row_is_named_with_its_line_and_costs_no_other(tmp_path: Path, pack: Domain) -> None:
    text = 'name,formula\nMetaglass,\n"two\nlines",NaCl\nWrong,Qq9\nNiborite,NiB2\n'
    found = lexicon(tmp_path, pack, materials=text)
    assert [problem.text for problem in found.problems] == [
        "materials.csv, line 5, formula: “Qq9” is not a chemical formula; correct it, or leave it empty for a material "
        "without one."
    ]
    assert found.counts["materials"] == 3
    assert {"Metaglass", "two lines", "Niborite"} <= {item.name for item in found.domain.materials}


@pytest.mark.parametrize(
    ("kind", "text", "line", "column", "says"),
    [
        ("materials", "name\nA;B\nMetaglass\nMetaglass\n", 4, "name", "stands in line 3 already"),
        ("materials", "formula;symbols\n;X1\n", 2, "name", "fill it in"),
        ("materials", "colour,name\nred,Metaglass\n", 1, "colour", "not known and has no effect"),
        ("materials", "title\nMetaglass\n", 1, "", "the column “name” is missing"),
        ("materials", "name,name\nA,B\n", 1, "", "two columns are called “name”"),
        ("materials", "name,formula\nMetaglass,,extra\n", 2, "", "quotation marks"),
        ("properties", "label,unit\nsheen,furlong\n", 2, "unit", "not a unit that is known"),
        ("properties", "label,unit,low,high\nsheen,m,9,3\n", 2, "low", "above high"),
        ("properties", "label,unit,low\nsheen,m,about 3\n", 2, "low", "no number"),
        ("properties", "label,low\nsheen,3\n", 2, "unit", "without a unit"),
        ("properties", "id,label\nNot An Id,sheen\n", 2, "id", "small letters"),
        ("aliases", "spelling,type,canonical\nYBCO,Thing,YBa2Cu3O7\n", 2, "type", "use one of Material"),
        ("aliases", "spelling,type,canonical\nsheen,Property,no such property\n", 2, "canonical", "no property"),
        ("units", "symbol,definition\neV,1 J\n", 2, "symbol", "kept and shown"),
        ("units", "symbol,definition\nGal,1 furlong\n", 2, "definition", "units that are known"),
        ("blacklist", "term,type\nGaN,Value\n", 2, "type", "not a type"),
    ],
)
def test_each_fault_says_where_and_what_to_do(
    tmp_path: Path, pack: Domain, kind: str, text: str, line: int, column: str, says: str
) -> None:
    found = lexicon(tmp_path, pack, **{kind: text})
    problem = found.problems[-1]
    assert (problem.file, problem.line, problem.column) == (f"{kind}.csv", line, column)
    assert says in problem.reason


def test_a_file_that_is_no_text_is_reported_and_the_others_count(tmp_path: Path, pack: Domain) -> None:
    (tmp_path / "methods.csv").write_bytes("name\nGrünzug\n".encode("latin-1"))
    (tmp_path / "units.csv").mkdir()
    found = lexicon(tmp_path, pack, materials="name\nMetaglass\n")
    assert {problem.file for problem in found.problems} == {"methods.csv", "units.csv"}
    assert "UTF-8" in next(item.text for item in found.problems if item.file == "methods.csv")
    assert found.counts["materials"] == 1


def test_the_persons_entry_wins_and_the_pack_keeps_the_rest(tmp_path: Path, pack: Domain) -> None:
    found = lexicon(
        tmp_path,
        pack,
        properties="id,label,symbols,unit,low,high\nband_gap,forbidden gap,Eforb,eV,0,2\n",
        aliases="spelling,type,canonical\ngallium nitride,Material,AlN\n",
    )
    gap = found.domain.property("band_gap")
    old = pack.property("band_gap")
    assert gap is not None
    assert old is not None
    assert gap.label == "forbidden gap"
    assert old.label in gap.synonyms
    assert "Eforb" in gap.case_sensitive
    assert gap.high == pytest.approx(2 * 1.602176634e-19)
    holders = [item.formula for item in found.domain.materials if "gallium nitride" in (item.name, *item.synonyms)]
    assert holders == ["AlN"]
    assert any(item.formula == "GaN" for item in found.domain.materials)
    assert pack.property("band_gap") is old  # the pack itself is as it was


def test_a_main_name_on_the_blacklist_rules_out_its_other_names(tmp_path: Path, pack: Domain) -> None:
    found = lexicon(tmp_path, pack, blacklist="term;type\nGaN;material\nsuper alloy;\n")
    assert not any(item.formula == "GaN" for item in found.domain.materials)
    assert {("GaN", "Material"), ("gallium nitride", "Material"), ("super alloy", "")} <= {
        (item.term, item.type) for item in found.domain.blacklist
    }


def test_written_tables_read_back_as_they_were() -> None:
    rows = [{"name": 'with "quotes"', "synonyms": "a;b,c", "colour": "red"}, {"name": "µ-glass"}, {"name": ""}]
    for delimiter in (",", ";", "\t"):
        table = parse_table("materials", table_text("materials", rows, delimiter))
        assert [{key: cell for key, cell in row.items() if cell} for row in table.rows] == rows[:2]
        assert table.delimiter == delimiter


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(kind=st.sampled_from(KINDS), cells=st.lists(st.lists(st.text(max_size=12), max_size=9), max_size=4))
def test_no_text_in_a_file_makes_reading_fail(pack: Domain, kind: str, cells: list[list[str]]) -> None:
    head = ",".join(columns_of(kind))
    table = parse_table(kind, head + "\n" + "\n".join(",".join(row) for row in cells))
    found = merge_tables({kind: table}, pack)
    assert all(problem.text.startswith(f"{kind}.csv") for problem in found.problems)


def test_every_kind_has_help_for_each_column() -> None:
    for kind in KINDS:
        assert set(ROWS[kind].HELP) == set(columns_of(kind))


# ----------------------------------------------------------------------------------------------------------- units
def test_a_unit_of_ones_own_is_read_only_where_it_is_in_use() -> None:
    gal = define_unit("Gal", "0.01 m/s^2")
    with using_units([gal]):
        wide = define_unit("kGal", "1000 Gal")
    with using_units([gal, wide]):
        assert parse_value("980 Gal").si_value == 9.8
        assert parse_value("1.2 kGal", expected_dimension="acceleration").si_value == 12.0
        assert parse_value("3 Gal/m").si_unit == "1/s^2"
        (found,) = find_quantities("The anomaly was 25 Gal in the south.")
        assert (found.unit_text, found.quantity.si_value) == ("Gal", 0.25)
    assert not parse_value("980 Gal").ok


def test_units_do_not_leak_into_other_threads() -> None:
    from concurrent.futures import ThreadPoolExecutor
    from threading import Barrier

    barrier = Barrier(2)

    def read(definition: str) -> float | None:
        with using_units([define_unit("Gal", definition)]):
            barrier.wait(10)
            value = parse_value("2 Gal").si_value
            barrier.wait(10)
            return value

    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(read, ["1 m", "5 kg"])) == [2.0, 10.0]


@pytest.mark.parametrize(
    ("symbol", "definition", "text", "si", "dimension"),
    [
        ("°Bx", "1 wt%", "12 °Bx", 0.12, "mass_fraction"),
        ("m w.e.", "9.8 kPa", "2.5 m w.e.", 24500.0, "pressure"),
        ("ML", "6.1e18 1/m^2", "0.5 ML", 3.05e18, "areal_number_density"),
        ("ML", "6.1 × 10^18 1/m^2", "0.5 ML", 3.05e18, "areal_number_density"),
        ("arb", "1", "3 arb", 3.0, "dimensionless"),
    ],
)
def test_definitions_of_many_forms(symbol: str, definition: str, text: str, si: float, dimension: str) -> None:
    with using_units([define_unit(symbol, definition)]):
        quantity = parse_value(text)
    assert (quantity.ok, quantity.dimension) == (True, dimension)
    assert quantity.si_value == pytest.approx(si)


@pytest.mark.parametrize(
    ("symbol", "definition"),
    [
        ("", "1 m"),
        ("x2", "1 m"),
        ("a/b", "1 m"),
        ("Gal", ""),
        ("Gal", "-1 m"),
        ("Gal", "2 °C"),
        ("Gal", "1e400 m"),
        ("K", "1 m"),
    ],
)
def test_definitions_that_mean_nothing_are_refused(symbol: str, definition: str) -> None:
    with pytest.raises(ValueError, match=r"\w+"):
        define_unit(symbol, definition)
