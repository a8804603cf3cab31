"""Conversion and canonical texts."""

from __future__ import annotations

import pytest

from minerva_desktop.language.quantities import canonical_value, dimension_of_unit, from_unit, parse_value, to_unit
from minerva_desktop.language.units import dimension_vector, si_unit_of


@pytest.mark.parametrize(
    ("si_value", "dimension", "unit", "value"),
    [
        (298.15, "temperature", "°C", 25.0),
        (10.0, "temperature_difference", "°C", 10.0),
        (1.602176634e-19, "energy", "eV", 1.0),
        (0.03, "mass_fraction", "wt%", 3.0),
        (0.25, "fraction", "%", 25.0),
        (1e24, "number_density", "1/cm^3", 1e18),
        (2.6e7, "toughness", "MPa m^0.5", 26.0),
        (1e-4, "mobility", "cm^2/(V s)", 1.0),
        (0.74, "dimensionless", "", 0.74),
        (3600.0, "specific_capacity", "mA h/g", 1.0),
    ],
)
def test_there_and_back(si_value: float, dimension: str, unit: str, value: float) -> None:
    assert to_unit(si_value, dimension, unit) == pytest.approx(value)
    assert from_unit(value, dimension, unit) == pytest.approx(si_value)


def test_a_unit_of_something_else_is_an_error() -> None:
    with pytest.raises(ValueError, match="does not measure"):
        to_unit(1.0, "energy", "nm")
    with pytest.raises(ValueError, match="not a unit"):
        from_unit(1.0, "energy", "furlong per Tc")


@pytest.mark.parametrize(
    ("unit", "dimension"),
    [
        ("eV", "energy"),
        ("", "dimensionless"),
        ("Tc", ""),
        ("°C", "temperature"),
        ("m^2/(V s)", "mobility"),
        ("wt%", "mass_fraction"),
    ],
)
def test_dimension_of_a_unit(unit: str, dimension: str) -> None:
    assert dimension_of_unit(unit) == dimension


def test_a_unit_without_a_name_has_its_base_dimensions() -> None:
    value = parse_value("2 m3 s-2")
    assert (value.ok, value.dimension, value.si_unit) == (True, "[length] ** 3 / [time] ** 2", "m^3/s^2")


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("39.0 K", "39 K"),
        ("39(1) K", "39 K"),
        ("~39 K", "39 K"),
        ("10 to 20 K", "10–20 K"),
        ("below 2.0 K", "< 2 K"),
        ("up to 16K", "≤ 16 K"),
        ("> 200 GPa", "> 200 GPa"),
        ("16 K and 39 K", "16, 39 K"),
        ("3400 meV", "3.4 eV"),
        ("2.7 Å", "0.27 nm"),
        ("25 %", "25%"),
        ("3 wt. %", "3 wt%"),
        ("1.5 × 10^3 S/m", "15 S/cm"),
        ("7870 kg/m3", "7.87 g/cm3"),
        ("no superconductivity down to 1.2 K", "not found, < 1.2 K"),
        ("MgB2", "MgB2"),
    ],
)
def test_canonical_text(text: str, canonical: str) -> None:
    assert canonical_value(parse_value(text)) == canonical


@pytest.mark.parametrize(
    "name",
    "energy temperature temperature_difference length area volume mass time frequency pressure density resistivity "
    "conductivity resistance area_specific_resistance conductance thermal_conductivity specific_heat molar_heat_capacity "
    "mobility number_density voltage current current_density power power_density magnetic_flux_density "
    "magnetic_field_strength charge specific_capacity capacitance velocity force toughness strain_rate thermal_expansion "
    "molar_mass molar_energy amount concentration mass_fraction atomic_fraction amount_fraction fraction dimensionless "
    "angle wavenumber electric_field specific_energy specific_surface_area diffusivity heating_rate count seebeck".split(),
)
def test_every_dimension_that_packs_may_name_exists(name: str) -> None:
    assert dimension_vector(name) is not None
    assert si_unit_of(name)


def test_canonical_texts_can_be_read_again() -> None:
    for text in ("39 K", "3.4 eV", "10–20 K", "< 2 K", "0.27 nm", "5 wt%", "15 S/cm", "1e18 cm-3", "26 MPa m1/2"):
        assert canonical_value(parse_value(canonical_value(parse_value(text)))) == canonical_value(parse_value(text))
