"""Whole strings as values: every spelling of a kind gives the same physical value, and what is no value says why."""

from __future__ import annotations

import math

import pytest

from minerva_desktop.language.quantities import canonical_value, parse_value
from minerva_desktop.language.units import parse_unit

EV = 1.602176634e-19

UNITS = [
    # text, SI value of one, dimension, SI unit
    ("K", 1.0, "temperature", "K"),
    ("mK", 1e-3, "temperature", "K"),
    ("kelvin", 1.0, "temperature", "K"),
    ("eV", EV, "energy", "J"),
    ("meV", EV * 1e-3, "energy", "J"),
    ("eV/atom", EV, "energy", "J"),
    ("kJ mol−1", 1e3, "molar_energy", "J/mol"),
    ("kcal/mol", 4184.0, "molar_energy", "J/mol"),
    ("nm", 1e-9, "length", "m"),
    ("um", 1e-6, "length", "m"),
    ("µm", 1e-6, "length", "m"),
    ("microns", 1e-6, "length", "m"),
    ("g/cm3", 1e3, "density", "kg/m³"),
    ("g cm−3", 1e3, "density", "kg/m³"),
    ("gcm⁻³", 1e3, "density", "kg/m³"),
    ("g·cm^{-3}", 1e3, "density", "kg/m³"),
    ("g cm$^{-3}$", 1e3, "density", "kg/m³"),
    ("g cm<sup>−3</sup>", 1e3, "density", "kg/m³"),
    ("GPa", 1e9, "pressure", "Pa"),
    ("Torr", 101325 / 760, "pressure", "Pa"),
    ("mbar", 100.0, "pressure", "Pa"),
    ("atm", 101325.0, "pressure", "Pa"),
    ("kgf/mm2", 9.80665e6, "pressure", "Pa"),
    ("J/m3", 1.0, "energy_density", "J/m³"),
    ("MPa·m1/2", 1e6, "toughness", "Pa·m^0.5"),
    ("MPa√m", 1e6, "toughness", "Pa·m^0.5"),
    ("MPa m^0.5", 1e6, "toughness", "Pa·m^0.5"),
    ("MPa m½", 1e6, "toughness", "Pa·m^0.5"),
    ("µΩ·cm", 1e-8, "resistivity", "Ω·m"),
    ("mΩcm", 1e-5, "resistivity", "Ω·m"),
    ("S/m", 1.0, "conductivity", "S/m"),
    ("S cm−1", 100.0, "conductivity", "S/m"),
    ("Scm-1", 100.0, "conductivity", "S/m"),
    ("Ω−1 cm−1", 100.0, "conductivity", "S/m"),
    ("Ω cm2", 1e-4, "area_specific_resistance", "Ω·m²"),
    ("Ωcm²", 1e-4, "area_specific_resistance", "Ω·m²"),
    ("Ω/sq", 1.0, "sheet_resistance", "Ω"),
    ("mW cm−2", 10.0, "power_density", "W/m²"),
    ("mWcm−2", 10.0, "power_density", "W/m²"),
    ("A/cm2", 1e4, "current_density", "A/m²"),
    ("mA cm-2", 10.0, "current_density", "A/m²"),
    ("mA·cm−2", 10.0, "current_density", "A/m²"),
    ("W/(m·K)", 1.0, "thermal_conductivity", "W/(m·K)"),
    ("W/mK", 1.0, "thermal_conductivity", "W/(m·K)"),
    ("W m−1 K−1", 1.0, "thermal_conductivity", "W/(m·K)"),
    ("Wm-1K-1", 1.0, "thermal_conductivity", "W/(m·K)"),
    ("J g-1 K-1", 1e3, "specific_heat", "J/(kg·K)"),
    ("J/(mol K)", 1.0, "molar_heat_capacity", "J/(mol·K)"),
    ("mJ/mol K2", 1e-3, "sommerfeld_coefficient", "J/(mol·K²)"),
    ("cm2 V-1 s-1", 1e-4, "mobility", "m²/(V·s)"),
    ("cm2/Vs", 1e-4, "mobility", "m²/(V·s)"),
    ("cm²V⁻¹s⁻¹", 1e-4, "mobility", "m²/(V·s)"),
    ("cm-3", 1e6, "number_density", "1/m³"),
    ("atoms/cm3", 1e6, "number_density", "1/m³"),
    ("cm-1", 100.0, "wavenumber", "1/m"),
    ("kOe", 1e6 / (4 * math.pi), "magnetic_field_strength", "A/m"),
    ("kG", 0.1, "magnetic_flux_density", "T"),
    ("mT", 1e-3, "magnetic_flux_density", "T"),
    ("emu", 1e-3, "magnetic_moment", "A·m²"),
    ("emu/g", 1.0, "specific_magnetization", "A·m²/kg"),
    ("emu/cm3", 1e3, "magnetization", "A/m"),
    ("mAh/g", 3600.0, "specific_capacity", "C/kg"),
    ("mA h g−1", 3600.0, "specific_capacity", "C/kg"),
    ("F/g", 1e3, "specific_capacitance", "F/kg"),
    ("Wh/kg", 3600.0, "specific_energy", "J/kg"),
    ("m2/g", 1e3, "specific_surface_area", "m²/kg"),
    ("cm2 s−1", 1e-4, "diffusivity", "m²/s"),
    ("°C/min", 1 / 60, "heating_rate", "K/s"),
    ("°C min−1", 1 / 60, "heating_rate", "K/s"),
    ("K/min", 1 / 60, "heating_rate", "K/s"),
    ("ppm/K", 1e-6, "thermal_expansion", "1/K"),
    ("K-1", 1.0, "thermal_expansion", "1/K"),
    ("µV/K", 1e-6, "seebeck", "V/K"),
    ("mV s−1", 1e-3, "scan_rate", "V/s"),
    ("kV/cm", 1e5, "electric_field", "V/m"),
    ("sccm", 1e-6 / 60, "volume_flow_rate", "m³/s"),
    ("L/min", 1e-3 / 60, "volume_flow_rate", "m³/s"),
    ("ml min−1", 1e-6 / 60, "volume_flow_rate", "m³/s"),
    ("rpm", 1 / 60, "frequency", "Hz"),
    ("kHz", 1e3, "frequency", "Hz"),
    ("h", 3600.0, "time", "s"),
    ("min", 60.0, "time", "s"),
    ("M", 1e3, "concentration", "mol/m³"),
    ("mol/L", 1e3, "concentration", "mol/m³"),
    ("g/mol", 1e-3, "molar_mass", "kg/mol"),
    ("%", 1e-2, "fraction", "1"),
    ("ppm", 1e-6, "fraction", "1"),
    ("wt%", 1e-2, "mass_fraction", "1"),
    ("wt. %", 1e-2, "mass_fraction", "1"),
    ("% by weight", 1e-2, "mass_fraction", "1"),
    ("at.%", 1e-2, "atomic_fraction", "1"),
    ("at %", 1e-2, "atomic_fraction", "1"),
    ("mol%", 1e-2, "amount_fraction", "1"),
    ("vol.%", 1e-2, "volume_fraction", "1"),
    ("W·Ω/K²", 1.0, "lorenz_number", "W·Ω/K²"),
    ("pC/N", 1e-12, "piezoelectric_coefficient", "C/N"),
    ("dB/cm", 100.0, "attenuation", "1/m"),
    ("Pa s", 1.0, "viscosity", "Pa·s"),
]


@pytest.mark.parametrize(("unit", "size", "dimension", "si_unit"), UNITS)
def test_a_unit_has_its_size_and_dimension(unit: str, size: float, dimension: str, si_unit: str) -> None:
    value = parse_value(f"2 {unit}")
    assert value.ok, value.reason
    assert value.si_value == pytest.approx(2 * size, rel=1e-9)
    assert (value.dimension, value.si_unit) == (dimension, si_unit)


@pytest.mark.parametrize(
    "unit",
    ["Tc", "molecules", "orders", "xyz", "at", "in", "as it is", "a.u.", "U.S.A", "m2O", "K2NiF4", "cm³ STP", ""],
)
def test_what_is_no_unit_is_not_guessed(unit: str) -> None:
    assert not parse_value(f"5 {unit}").ok


def test_case_of_prefixes_counts() -> None:
    sizes = {text: parse_value(text).si_value for text in ("5 M", "5 MPa", "5 m", "5 mPa", "5 MW", "5 mW")}
    assert sizes == {"5 M": 5e3, "5 MPa": 5e6, "5 m": 5.0, "5 mPa": 5e-3, "5 MW": 5e6, "5 mW": 5e-3}


SAME = [
    ("5 \u03bc\u03a9·cm", "5 \u00b5\u2126·cm", "5 uΩ cm", "5µΩcm"),
    ("2.7 \u00c5", "2.7 \u212b", "2.7 A\u030a", "0.27 nm", "270 pm", "2.7 angstrom"),
    ("39 K", "39.0 K", "39K", "39 \u212a", "\uff13\uff19 K", "٣٩ K", "39\u202fK", "39\u00a0K", "$39$ K", "39~K"),
    ("1.5 × 10^3 S/m", "1.5×10³ S/m", "1.5 x 10^3 S/m", "1.5e3 S/m", "1.5·10³ S/m", "1.5 × 10^{3} S/m", "15 S/cm"),
    ("1.5 × 10<sup>3</sup> S/m", "$1.5\\times10^{3}$ S/m", "1500 S/m", "1,5·10³ S/m", "1.5E+3 S/m"),
    ("2.1×10-8 Ω·m", "2.1 × 10⁻⁸ Ω m", "2.1 × 10 −8 Ω·m", "2.1e−8 Ω·m", "2.1 × 10^(−8) Ω·m"),
    ("1E18 cm-3", "10^18 cm−3", "10¹⁸ cm⁻³", "1×10¹⁸ cm−3", "1e18 /cm3"),
    ("1234.5 MPa", "1,234.5 MPa", "1\u2009234.5 MPa", "1.2345 GPa", "1.234,5 MPa", "1'234.5 MPa"),
    ("25 °C", "25 ℃", "25º C", "25 oC", "25 degrees Celsius", "25 deg C", "77 °F", "298.15 K"),
    ("0.5 h", "30 min", "½ h", "1/2 h", "1800 s"),
]


@pytest.mark.parametrize("spellings", SAME, ids=lambda spellings: spellings[0])
def test_spellings_of_one_value_are_one_value(spellings: tuple[str, ...]) -> None:
    values = [parse_value(text) for text in spellings]
    assert [value.reason for value in values] == [""] * len(values)
    assert {canonical_value(value) for value in values} == {canonical_value(values[0])}


def test_a_power_with_a_broken_exponent_is_calculated() -> None:
    assert parse_value("10^3.18 S/m").si_value == pytest.approx(1513.56, rel=1e-5)


def test_an_exponent_is_never_dropped() -> None:
    assert parse_value("2.44 × 10⁻⁸ W·Ω/K²").si_value == 2.44e-8


RANGES = [
    ("10–20 K", 10, 20),
    ("10-20 K", 10, 20),
    ("10−20 K", 10, 20),
    ("10 — 20 K", 10, 20),
    ("10~20 K", 10, 20),
    ("10 to 20 K", 10, 20),
    ("between 10 and 20 K", 10, 20),
    ("from 10 to 20 K", 10, 20),
    ("in the range of 10–20 K", 10, 20),
    ("10 K–20 K", 10, 20),
    ("10 K to 20 K", 10, 20),
    ("20 mK to 4 K", 0.02, 4),
    ("from 300 to 4 K", 4, 300),
    ("−20 to −10 °C", 253.15, 263.15),
    ("−20–10 °C", 253.15, 283.15),
    ("1.5–2.0 × 10³ S/m", 1500, 2000),
    ("(1.5–2.0) × 10³ S/m", 1500, 2000),
    ("10^3–10^5 S/m", 1e3, 1e5),
    ("0.1-0.5 wt.%", 1e-3, 5e-3),
    ("5 nm-2 µm", 5e-9, 2e-6),
]


@pytest.mark.parametrize(("text", "low", "high"), RANGES)
def test_a_range_has_both_ends(text: str, low: float, high: float) -> None:
    value = parse_value(text)
    assert (value.ok, value.kind, value.value) == (True, "range", None), value.reason
    assert (value.si_low, value.si_high) == pytest.approx((low, high))


UNCERTAIN = [
    ("39(1) K", 39, 1),
    ("39 ± 1 K", 39, 1),
    ("39±1 K", 39, 1),
    ("39 +/- 1 K", 39, 1),
    ("(39 ± 1) K", 39, 1),
    ("39 K ± 1 K", 39, 1),
    ("39 K ± 1", 39, 1),
    ("39(1.5) K", 39, 1.5),
    ("50 K ± 4%", 50, 2),
    ("4.123(15) Å", 4.123e-10, 1.5e-12),
    ("5.43102(2) Å", 5.43102e-10, 2e-15),
    ("(1.5 ± 0.2) × 10^3 S/m", 1500, 200),
    ("1.5 ± 0.2 × 10³ S/m", 1500, 200),
    ("1.5(2) × 10³ S/m", 1500, 200),
    ("100 ± 5 °C", 373.15, 5),
    ("39 +2 −1 K", 39, 2),
    ("39^{+2}_{-1} K", 39, 2),
]


@pytest.mark.parametrize(("text", "si_value", "si_uncertainty"), UNCERTAIN)
def test_uncertainty(text: str, si_value: float, si_uncertainty: float) -> None:
    value = parse_value(text)
    assert (value.ok, value.kind) == (True, "value"), value.reason
    assert value.si_value == pytest.approx(si_value)
    assert value.si_uncertainty == pytest.approx(si_uncertainty)


def test_an_asymmetric_error_keeps_both_ends() -> None:
    value = parse_value("39 +2 −1 K")
    assert (value.low, value.value, value.high) == (38, 39, 41)
    assert "asymmetric_uncertainty" in value.flags


@pytest.mark.parametrize(
    "text", ["~39 K", "∼39 K", "≈39 K", "about 39 K", "ca. 39 K", "approximately 39 K", "around 39 K"]
)
def test_about(text: str) -> None:
    value = parse_value(text)
    assert (value.ok, value.approximate, value.value) == (True, True, 39)


BOUNDS = [
    ("<2 K", "<"),
    ("< 2 K", "<"),
    ("below 2 K", "<"),
    ("less than 2 K", "<"),
    ("≤ 2 K", "<="),
    ("⩽ 2 K", "<="),
    ("up to 2 K", "<="),
    ("at most 2 K", "<="),
    ("a maximum of 2 K", "<="),
    ("2 K or less", "<="),
    ("> 2 K", ">"),
    ("above 2 K", ">"),
    ("more than 2 K", ">"),
    ("exceeding 2 K", ">"),
    ("≥2 K", ">="),
    ("at least 2 K", ">="),
    ("not less than 2 K", ">="),
    ("2 K or higher", ">="),
]


@pytest.mark.parametrize(("text", "comparator"), BOUNDS)
def test_a_bound_is_not_an_equality(text: str, comparator: str) -> None:
    value = parse_value(text)
    assert (value.ok, value.kind, value.comparator, value.value) == (True, "bound", comparator, 2)
    assert (value.si_low, value.si_high) == ((None, 2) if "<" in comparator else (2, None))


@pytest.mark.parametrize(
    ("text", "comparator", "limit"),
    [
        ("no superconductivity was found down to 1.2 K", "<", 1.2),
        ("not superconducting down to 50 mK", "<", 0.05),
        ("no superconducting transition above 2 K", "<=", 2),
        ("no phase transition was observed up to 5 GPa", ">", 5e9),
        ("the absence of magnetic order down to about 0.3 K", "<", 0.3),
    ],
)
def test_what_was_not_found_is_a_negative_observation(text: str, comparator: str, limit: float) -> None:
    value = parse_value(text)
    assert (value.kind, value.comparator, value.si_value) == ("negative", comparator, pytest.approx(limit))


LISTS = [
    ("16 K and 39 K", (16, 39)),
    ("16 and 39 K", (16, 39)),
    ("16 K or 39 K", (16, 39)),
    ("16/39 K", (16, 39)),
    ("16, 39 K", (16, 39)),
    ("600, 700 and 800 K", (600, 700, 800)),
    ("600, 700, and 800 K", (600, 700, 800)),
]


@pytest.mark.parametrize(("text", "values"), LISTS)
def test_a_list_keeps_every_value(text: str, values: tuple[float, ...]) -> None:
    value = parse_value(text)
    assert (value.ok, value.kind, value.si_values, value.si_value) == (True, "list", values, None)


AMBIGUOUS = [
    ("1,107 eV", "thousands_or_decimal"),
    ("12,345 K", "thousands_or_decimal"),
    ("2 × 103 S/m", "lost_superscript"),
    ("2 × 10 3 S/m", "lost_superscript"),
    ("5 × 1018 cm-3", "lost_superscript"),
    ("1018 cm−3", "lost_superscript"),
    ("10 18 cm−3", "lost_superscript"),
    ("10−3 S cm−1", "lost_superscript"),
    ("10-6 Torr", "lost_superscript"),
    ("100 C", ""),
    ("5 C/min", ""),
    ("5 ms−1", ""),
    ("500 mW cm2", ""),
    ("1.2 A cm 2", ""),
    ("790 m·W/cm2", ""),
]


@pytest.mark.parametrize(("text", "flag"), AMBIGUOUS)
def test_two_readings_are_never_guessed(text: str, flag: str) -> None:
    value = parse_value(text)
    assert (value.ok, value.ambiguous) == (False, True)
    assert value.value is value.si_value is value.si_low is value.si_high is None
    assert value.reason
    assert not flag or flag in value.flags


@pytest.mark.parametrize(
    ("text", "number"), [("3,4 eV", 3.4), ("0,107 eV", 0.107), ("12,5 eV", 12.5), ("1234,567 eV", 1234.567)]
)
def test_a_decimal_comma_is_understood_and_flagged(text: str, number: float) -> None:
    value = parse_value(text)
    assert (value.ok, value.value, value.flags) == (True, number, ("decimal_comma",))


NO_VALUES = [
    "", " ", "---", "--- K", "e K", "xK", "eeV", "...nm", "1.2.3.4 eV", "0.1.2 K", "1,23,456 Pa", "--5 K", "MgB2", "2D",
    "3D", "Table 2", "Fig. 3", "Figure 3a", "Ref. [12]", "[12]", "Eq. (3)", "Section 3.2", "²", "2020", "0.74", "1e400 eV",
    "1e999999 eV", "NaN eV", "nan", "inf K", "-inf K", "∞ K", "9" * 10_000 + " K", "9" * 300 + " K", "2 molecules", "5 Tc",
    "−5 K", "-300 °C", "1T", "2H", "E18 cm-3", "5 GPa and 39 K", "39 K (16 K)", "K 5", "39 K of nonsense", "39 K; 5", "()",
    "( K", "±", "5 ±", "10^", "× 10^3 K", "\x00", "\ud800 K", "5 K\u202e",
]  # fmt: skip


@pytest.mark.parametrize("text", NO_VALUES, ids=lambda text: repr(text[:20]))
def test_what_is_no_value_says_why(text: str) -> None:
    value = parse_value(text)
    assert not value.ok
    assert value.reason
    assert value.si_value is None


def test_a_number_without_unit_needs_a_property_without_unit() -> None:
    assert not parse_value("0.74").ok
    assert not parse_value("0.74", expected_dimension="energy").ok
    packing = parse_value("0.74", expected_dimension="dimensionless")
    assert (packing.ok, packing.si_value, packing.dimension) == (True, 0.74, "dimensionless")
    assert parse_value("0.74", expected_dimension="fraction").si_value == 0.74
    assert not parse_value("74", expected_dimension="fraction").ok


def test_a_lone_c_is_decided_by_the_property() -> None:
    assert parse_value("100 C", expected_dimension="temperature").si_value == 373.15
    assert parse_value("1.6e-19 C", expected_dimension="charge").si_value == 1.6e-19
    assert parse_value("5 C/min", expected_dimension="heating_rate").si_value == pytest.approx(5 / 60)
    assert parse_value("5 µC/cm2").dimension == "polarization"


def test_a_difference_of_temperatures_has_no_offset() -> None:
    assert parse_value("10 °C").si_value == 283.15
    assert parse_value("10 °C", expected_dimension="temperature_difference").si_value == 10
    assert parse_value("-10 K", expected_dimension="temperature").ok is False


def test_another_dimension_than_the_property_has_is_refused_with_both_names() -> None:
    value = parse_value("26 MPa·m1/2", expected_dimension="pressure")
    assert not value.ok
    assert "toughness" in value.reason
    assert "pressure" in value.reason


def test_field_and_flux_density_are_not_converted_into_each_other() -> None:
    value = parse_value("5 kOe", expected_dimension="magnetic_flux_density")
    assert (value.ok, value.dimension, value.si_unit) == (True, "magnetic_field_strength", "A/m")
    assert "not_converted_between_b_and_h" in value.flags


def test_shares_of_different_things_stay_different() -> None:
    assert not parse_value("5 at.%", expected_dimension="mass_fraction").ok
    unstated = parse_value("5 %", expected_dimension="mass_fraction")
    assert (unstated.ok, unstated.dimension) == (True, "fraction")
    assert "share_of_what_unstated" in unstated.flags


def test_names_for_one_physical_dimension_are_interchangeable() -> None:
    assert parse_value("5 s−1", expected_dimension="strain_rate").dimension == "strain_rate"
    assert parse_value("50 Ω/sq", expected_dimension="resistance").dimension == "resistance"


CONDITIONS = [
    ("1.2 S/cm at 800 °C", [("temperature", 1073.15)]),
    ("39 K under 5 GPa and 2 T", [("pressure", 5e9), ("magnetic_field", 2)]),
    ("3.4 eV (300 K)", [("temperature", 300)]),
    ("39 K for x = 0.15", [("composition", 0.15)]),
    ("1.2 mA cm−2 (at 0.7 V)", [("voltage", 0.7)]),
    ("2.4 at 550 nm", None),
    ("5 % H2", [("substance", None)]),
    ("1.2 S/cm in air", [("atmosphere", None)]),
    ("3.4 eV at room temperature", [("temperature", None)]),
]


@pytest.mark.parametrize(("text", "expected"), CONDITIONS)
def test_conditions_behind_a_value(text: str, expected: list[tuple[str, float | None]] | None) -> None:
    value = parse_value(text)
    if expected is None:
        assert not value.ok
    else:
        assert value.ok, value.reason
        assert [(item.name, item.si_value) for item in value.conditions] == expected


@pytest.mark.parametrize(
    "text", ["40 nm thick", "300 K (bath)", "5 mm in diameter", "3 cm long", "1.2 V vs. RHE", "Tc = 39 K"]
)
def test_words_that_only_say_what_is_measured_do_no_harm(text: str) -> None:
    assert parse_value(text).ok


@pytest.mark.parametrize(
    "text", ["m·" * 40_000 + "1", "5 " + "m·" * 40_000, "(" * 100_000, "5" * 1_000_000, "1," * 100_000]
)
def test_hostile_strings_are_refused(text: str) -> None:
    assert not parse_value(text).ok
    assert parse_unit(text) is None
