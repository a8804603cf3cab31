"""Formulas of two other fields, as a pack would hold them: nothing in the program knows of them."""

from __future__ import annotations

from pathlib import Path

from minerva_desktop.domains import Domain
from minerva_desktop.domains.pack import load_pack

DOMAIN = """name = "{name}"
title = "{name}"
version = "1"
entity_types = [{{ name = "Thing" }}, {{ name = "Value" }}]
relation_types = [
  {{ name = "HAS_VALUE", triples = [["Thing", "Value"]], claim = "The {{property}} of {{source}} is {{value}}." }},
]
"""

NUTRITION = """
[[concepts]]
name = "Energy from Macronutrients"
label = "energy of the food"
description = "Energy of a food by the general factors: 4 kcal per gram of protein and carbohydrate, 9 per gram of fat."
formula = "E = p·P + c·C + f·F"
keywords = ["energy + macronutrients", "calories + fat", "energy + protein + fat"]
result_symbol = "E"
result_unit = "kcal"
variables = [
  { symbol = "P", label = "mass of protein", unit = "g", names = ["protein"] },
  { symbol = "C", label = "mass of carbohydrate", unit = "g", names = ["carbohydrate", "carbohydrates"] },
  { symbol = "F", label = "mass of fat", unit = "g", names = ["fat"] },
  { symbol = "p", label = "factor of protein", unit = "kcal/g", default = 4 },
  { symbol = "c", label = "factor of carbohydrate", unit = "kcal/g", default = 4 },
  { symbol = "f", label = "factor of fat", unit = "kcal/g", default = 9 },
]

[[concepts]]
name = "Body Mass Index"
label = "body mass index"
description = "Mass divided by the square of the height."
formula = "BMI = m/H²"
keywords = ["body mass index", "BMI"]
result_symbol = "BMI"
result_unit = "kg/m2"
variables = [
  { symbol = "m", label = "body mass", unit = "kg", names = ["mass", "weight"], below = 700 },
  { symbol = "H", label = "height", unit = "m", names = ["height"] },
]
"""

PHYSICS = """
[[concepts]]
name = "Larmor Radius"
label = "Larmor radius"
description = "Radius of the circle of an electron in a magnetic field."
formula = "r = me·v/(e·B)"
keywords = ["Larmor radius", "gyroradius", "cyclotron radius"]
result_symbol = "r"
result_unit = "mm"
variables = [
  { symbol = "v", label = "speed", unit = "m/s", names = ["speed", "velocity"], above = 0, below = 299792458 },
  { symbol = "B", label = "magnetic field", unit = "T", names = ["magnetic field", "field"], above = 0 },
]

[[concepts]]
name = "Compton Shift"
label = "Compton shift"
description = "How much longer the wave of a photon is that an electron scattered."
formula = "Δλ = h/(me·c)·(1 − cos(θ))"
keywords = ["Compton shift", "Compton scattering"]
result_symbol = "Δλ"
result_unit = "pm"
variables = [
  { symbol = "θ", label = "scattering angle", unit = "°", names = ["angle", "scattering angle"] },
]
"""


def other_pack(folder: Path, name: str, concepts: str) -> Domain:
    """A small pack with these formulas, loaded from a folder as every pack is."""
    folder.mkdir()
    (folder / "domain.toml").write_text(DOMAIN.format(name=name), encoding="utf-8")
    (folder / "concepts.toml").write_text(concepts, encoding="utf-8")
    return load_pack(folder)
