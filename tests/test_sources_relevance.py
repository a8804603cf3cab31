"""Whether a found paper is about the query, as a person would judge it by title and abstract."""

from __future__ import annotations

import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from minerva_desktop.errors import UsageError
from minerva_desktop.language.compounds import compound_keys, find_compounds
from minerva_desktop.language.stems import stem
from minerva_desktop.records.works import Work, WorkRecord
from minerva_desktop.sources.folding import fingerprint, plain
from minerva_desktop.sources.relevance import Judge, counted, judge, sift
from minerva_desktop.sources.wording import Synonyms

SYNONYMS = Synonyms(
    {
        "carbon nanotube": ["CNT", "CNTs"],
        "yttrium barium copper oxide": ["YBCO", "YBa2Cu3O7"],
        "chemical vapor deposition": ["CVD"],
    }
)

KEPT = [
    ("si", "Silicon photonics"),
    ("Si", "In Si, dopants diffuse"),
    ("SnO2", "Tin(IV) oxide sensors"),
    ("superconducting", "Superconductor-insulator transition"),
    ("steel", "Stahl als Werkstoff", "We study steel sheets."),
    ("CH4", "Methane oxidation"),
    ("Pb", "Lead-free solders"),
    ("sodium battery", "Batteries based on sodium"),
    ("MgB2", "Magnesium diboride thin films"),
    ("MgB2 superconductivity", "Superconducting MgB$_2$ films"),
    ("nanowires, NbN", "Nanowires of NbN"),
    ("superconducting nanowires NbN", "Nanowires of NbN"),
    ("steel", "Steel as a metaphor in poetry", "We review fatigue of steel under load."),
    ("superconducting nanowires", "Superleiter: Nanodrähte aus NbN", "We grow superconducting NbN nanowires."),
    ("NbN critical temperature", "A cool story", "The critical temperature of NbN films is 16 K."),
    ("Co", "Cobalt catalysts"),
    ("CO", "CO oxidation on Pt"),
    ("CO", "Carbon monoxide oxidation"),
    ("Si", "Silicon nanowires"),
    ("silicon", "Si nanowires"),
    ("Si", "Si/SiGe quantum dots"),
    ("2D", "Two-dimensional materials"),
    ("2D", "2D materials beyond graphene"),
    ("two-dimensional", "2D materials beyond graphene"),
    ("mgb2 superconductivity", "Superconducting MgB2 wires"),
    ("MgB2", "SUPERCONDUCTIVITY IN MGB2 WIRES"),
    ("gan hemt", "GaN HEMTs on silicon"),
    ("GaN", "AlGaN/GaN heterostructures"),
    ("GaN", "Gallium nitride LEDs"),
    ("gallium nitride", "GaN LEDs"),
    ("Li-ion battery", "Lithium-ion batteries: a review"),
    ("Li-ion battery", "Lithium ion batteries"),
    ("lithium-ion batteries", "Li-ion battery degradation"),
    ("thin-film", "Thin films of oxides"),
    ("X-ray diffraction", "Xray diffraction of powders"),
    ("nano wire", "NbN nanowires"),
    ("nanowire", "Nano-wires of NbN"),
    ('"critical temperature" NbN', "Critical temperatures of NbN films"),
    ("superconduct*", "Superconductors today"),
    ("lead", "Lead halide perovskites"),
    ("lead-free perovskites", "Lead free perovskite solar cells"),
    ("SQUID", "A dc SQUID magnetometer"),
    ("CNT", "Carbon nanotubes in composites"),
    ("carbon nanotubes", "CNT fibres"),
    ("CVD graphene", "Chemical vapour deposition of graphene"),
    ("YBCO", "YBa2Cu3O7-δ coated conductors"),
    ("YBa2Cu3O7", "YBa$_2$Cu$_3$O$_{7-\\delta}$ thin films"),
    ("titanium dioxide photocatalysis", "TiO₂ photocatalysts"),
    ("TiO2", "Titania nanotubes"),
    ("Fe2O3", "Iron oxide nanoparticles"),
    ("MgB2", "Magnesium boride"),
    ("magnetization of nickel", "Magnetic properties of Ni"),
    ("magnetisation", "Magnetization reversal"),
    ("β-Ga2O3", "beta-Ga2O3 Schottky diodes"),
    ("beta gallium oxide", "$\\beta$-Ga$_2$O$_3$ growth"),
    ("Schrödinger equation", "Schrodinger equations"),
    ("Müller cells", "Mueller cell physiology"),
    ("In", "In-doped ZnO films"),
    ("W", "Tungsten wires"),
    ("W", "W nanowires"),
    ("CO2 capture", "Capture of carbon dioxide"),
    ("超导", "氮化铌超导纳米线"),
    ("perovskite 2020", "Perovskite solar cells"),
    ("bronze age", "The Bronze Age collapse"),
    ("graphene-based sensors", "Sensors based on graphene"),
    ("metal-insulator transition", "Insulator-metal transitions in VO2"),
    ("Ni", "Nickel-based superalloys"),
    ("NO sensing", "Nitric oxide sensing"),
    ("perovskite stability", "Stable perovskite films"),
    ("steel poetry", "Steel as a metaphor in poetry"),
    ("catalytic hydrogen evolution", "Catalysts for hydrogen evolution"),
    ("O2", "Oxygen evolution"),
    ("oxygen", "O2 reduction"),
    ("aluminum alloys", "Aluminium alloys"),
    ("sulfur cathodes", "Sulphur cathode design"),
    ("MOSFET", "MOSFETs on SiC"),
    ("quantum dots", "Quantum-dot lasers"),
    ("solid state", "Solid-state electrolytes"),
    ("316L", "316L stainless steel"),
    ("3D printing", "Three-dimensional printing"),
    ("ion", "Ion channels in neurons"),
    ("ions", "Ion implantation"),
    ("photovoltaics", "Photovoltaic cells"),
    ("Ag", "Silver nanoparticles"),
    ("Ga", "Gallium droplets"),
    ("K", "Potassium channels"),
    ("Pb", "Lead contamination"),
    ("SI", "SI units redefined"),
    ("3D", "3-D imaging"),
    ("2D", "2-D crystals"),
    ("4H-SiC", "4H-SiC MOSFETs"),
    ("4H-SiC", "MOSFETs in 4H silicon carbide"),
    ("LiFePO4 cathode", "Cathodes of LiFePO<sub>4</sub>"),
    ("LiFePO4", "LIFEPO4 CATHODE MATERIALS"),
    ("Al2O3", "Alumina ceramics"),
    ("Al2O3", "Aluminium oxide membranes"),
    ("silicon dioxide", "SiO2 layers"),
    ("SiO2", "Silica aerogels"),
    ("H2O", "Water splitting"),
    ("water splitting", "H₂O splitting"),
    ("graphene oxide", "Graphene oxide membranes"),
    ("carbon nanotube field effect transistors", "Field-effect transistors from CNTs"),
    ("band gap of GaN", "The bandgap of gallium nitride"),
    ("bandgap", "Band gap engineering"),
    ("bandgap", "Band-gap engineering"),
    ("wide bandgap semiconductors", "Wide-band-gap semiconducting oxides"),
    ("superconductors", "Superconductivity"),
    ("magnet", "Magnetic resonance imaging"),
    ("fuel cells", "Fuel-cell stacks"),
    ("solar cell efficiency", "Efficient solar cells"),
    ("thermoelectric", "Thermoelectricity of Bi2Te3"),
    ("hydrogen storage", "Storage of H2 in hydrides"),
    ("hydrogen", "H2 storage"),
    ("nitrogen", "N2 fixation"),
    ("quantum computing", "Quantum computers"),
    ("machine learning potentials", "Machine-learned interatomic potentials"),
    ("MOFs", "A MOF for gas storage"),
    ("MOF", "MOFs for gas storage"),
    ("DFT", "DFT study of water"),
    ("Bi2212", "Bi2212 tapes"),
    ("Bi-2212", "Bi2212 tapes"),
    ("Bi2212", "Bi-2212 tapes"),
    ("Nb3Sn", "Nb$_3$Sn cavities"),
    ("Nb3Sn", "Niobium-tin cavities"),
    ("NbTi", "Nb-Ti wires"),
    ("Nb-Ti", "NbTi wires"),
    ("GaAs/AlGaAs", "AlGaAs/GaAs quantum wells"),
    ("perovskite", "Perovskites for LEDs"),
    ("spin–orbit coupling", "Spin-orbit coupling in Pt"),
    ("Moore's law", "The end of Moore’s law"),
    ("Raman", "RAMAN SPECTRA OF DIAMOND"),
    ("cafe", "Café culture"),
    ("naïve Bayes", "Naive Bayes classifiers"),
    ("ångström", "Angstrom-scale channels"),
    ("сверхпроводимость", "Сверхпроводимость MgB2"),
    ("α-Fe", "alpha-Fe films"),
    ("α-Fe", "α-iron films"),
    ("μSR", "muSR study"),
    ("μSR", "µSR study"),
    ("non-volatile memory", "Nonvolatile memories"),
    ("non volatile memory", "Nonvolatile memories"),
    ("anti-ferromagnetic order", "Antiferromagnetic ordering"),
    ("superconducting NbN nanowires single photon detectors", "Single-photon detection with nanowires"),
    ("films of MgB2 grown by laser ablation", "Laser-ablated MgB2 films"),
    ("effect of pressure on the critical temperature", "Pressure dependence of critical temperatures"),
    ('"thin film"', "Thin-film transistors"),
    ('"MgB2 films"', "Magnesium diboride films"),
    ("“thin films” of NbN", "NbN thin films"),
    ("batteries NOT lithium", "Sodium batteries"),
    ("Nb-Ti alloys", "Alloys of niobium-titanium"),
    ("(NbN OR NbTiN) nanowires", "NbN nanowires"),
    ("Co-doped ZnO", "Co doped ZnO films"),
    ("Co-doped ZnO", "Cobalt-doped zinc oxide"),
    ("coffee", "Coffee rings"),
    ("diffusion", "Diffusivity and diffusive transport"),
]
DROPPED = [
    ("carbon", "Carbonate rocks"),
    ("steel", "The Steel Magnolias: a literary reading"),
    ("GaN", "Gan Eden in medieval manuscripts"),
    ("NO", "No evidence for dark matter"),
    ("As", "As good as it gets"),
    ("plasma", "Plasmid DNA"),
    ("gas", "Gastric cancer"),
    ("CO", "CO2 capture"),
    ("pH", "PH domain proteins"),
    ("GaN", "Organic photovoltaics for greenhouses"),
    ("ion", "Conduction in polymer electrolytes"),
    ("Si", "A history of the bronze age"),
    ("2D", "Deep learning for protein folding"),
    ("glass", "Gladiolus growth"),
    ("superconducting nanowires NbN", "Nanowires of copper"),
    ("steel", "Steel as a metaphor in poetry"),
    ("superconducting nanowires", "Superleiter: Nanodrähte aus NbN"),
    ("CO", "Cobalt catalysts"),
    ("CO", "Co catalysts"),
    ("Co", "CO oxidation on platinum"),
    ("Si", "SiC power devices"),
    ("GAN", "GaN transistors"),
    ('"critical temperature"', "Critical point and temperature"),
    ('"critical temperature" NbN film thickness', "NbN film thickness effects"),
    ("lead", "Leading edge noise reduction"),
    ("TiN", "Tin oxide sensors"),
    ("tin", "TiN hard coatings"),
    ("gas sensor", "GaS monolayers for sensors"),
    ("SQUID", "Squid fishing in the Pacific"),
    ("MgB2", "MgB4 crystals"),
    ("MgB2", "Magnesium tetraboride crystals"),
    ("In", "In situ TEM of growth"),
    ("indium", "In2O3 films"),
    ("position", "Positive electrodes"),
    ("organic", "Organ transplantation"),
    ("university", "Universe expansion"),
    ("CO2", "Co2MnSi Heusler films"),
    ("超导", "氮化铌纳米线"),
    ("silicon", "Silicon Valley entrepreneurs"),
    ("iron", "The Iron Age in Britain"),
    ("therapist", "The rapist"),
    ("art", "Artificial intelligence"),
    ("rat", "Rate constants of reactions"),
    ("p-type ZnO", "n-type ZnO"),
    ("CO oxidation", "Cobalt oxide surfaces and oxidation"),
    ("He", "He was a great physicist"),
    ("316", "steel 316L"),
    ("ion", "Ionic conduction in polymers"),
    ("alloy", "Allosteric regulation"),
    ("cat", "Catalysis on gold"),
    ("tin", "Tinnitus therapy"),
    ("iron", "Environmental policy"),
    ("lead", "Misleading statements"),
    ("oxide", "Peroxide bleaching"),
    ("art", "Articulated robots"),
    ("Ag", "Aging of polymers"),
    ("As", "As-grown films"),
    ("Hf", "HF etching"),
    ("HF", "Hafnium oxide"),
    ("PB", "Pb contamination"),
    ("Pb", "PB memo"),
    ("Ni", "NI conference"),
    ("Si", "SI units redefined"),
    ("LaFeAsO superconductor", "Superconductivity in LaO$_{1-x}$F$_x$FeAs"),
    ("graphene oxide", "Graphene membranes"),
    ("superconductor", "Semiconductor lasers"),
    ("conductivity", "Superconductivity"),
    ("fuel cells", "Cellular fuels in biology"),
    ("electrode", "Electronic structure"),
    ("catalyst", "Catalase in plants"),
    ("polymers", "Polymorphism in crystals"),
    ("crystal", "Crystallography of proteins"),
    ("neural network", "Neuronal networks in mice"),
    ("spin", "Spinel ferrites"),
    ("phase", "Phrase structure grammar"),
    ("EUV lithography", "Extreme ultraviolet lithography"),
    ("superconducting NbN nanowires single photon detectors", "Photon statistics"),
    ('"thin films"', "Films that are thin"),
    ("batteries NOT lithium", "Li-ion batteries"),
    ("CO", "The C-O bond"),
    ("CO sensors", "Co-authored papers on sensors"),
]


@pytest.mark.parametrize("case", KEPT, ids=lambda case: " | ".join(case[:2]))
def test_kept(case: tuple[str, ...]) -> None:
    found = judge(*case, synonyms=SYNONYMS)
    assert found.keep, found.reason
    assert found.code == "kept"


@pytest.mark.parametrize("case", DROPPED, ids=lambda case: " | ".join(case[:2]))
def test_dropped(case: tuple[str, ...]) -> None:
    found = judge(*case, synonyms=SYNONYMS)
    assert not found.keep, found.reason
    assert found.code != "kept"
    assert found.reason.endswith(".")


@pytest.mark.parametrize("query", ["the of in", "", "   ", "?!", "AND OR", '"of the"', "what is it", "—"])
def test_a_query_without_content_is_refused_with_a_reason(query: str) -> None:
    with pytest.raises(UsageError, match="has no word to search for"):
        judge(query, "Superconducting films")


@pytest.mark.parametrize("title", ["", "  ", "…", "[No title available]", "Untitled", "<i></i>"])
def test_a_missing_title_is_a_reason_that_is_counted(title: str) -> None:
    found = judge("steel", title, "An abstract about steel.")
    assert (found.keep, found.code) == (False, "no title")
    assert counted([found, found, judge("steel", "Steel rails"), judge("steel", "Copper")]) == {
        "no title": 2,
        "words missing": 1,
    }


def test_up_to_two_keywords_all_are_needed_with_more_over_half() -> None:
    assert not judge("alpha beta", "Beta decay").keep
    assert judge("carbon steel fatigue", "Fatigue of steel").keep
    assert not judge("carbon steel fatigue", "Fatigue of copper").keep
    assert not judge("carbon steel weld fatigue", "Fatigue of steel").keep  # a half is not over half
    assert judge("carbon steel weld fatigue", "Fatigue of steel welds").keep


def test_what_stands_in_quotation_marks_is_always_needed() -> None:
    found = judge('"critical temperature" NbN film thickness', "Thickness of NbN films")
    assert (found.keep, found.code) == (False, "phrase missing")
    assert "critical temperature" in found.reason


def test_the_reason_names_what_is_missing_and_where_words_were_found() -> None:
    found = judge("MgB2 wires", "Magnesium diboride films", "Nothing of the kind.")
    assert found.missing == ("wires",)
    assert "“wires” is neither in the title nor in the abstract" in found.reason
    kept = judge("NbN temperature", "Films of NbN", "The temperature is 16 K.")
    assert kept.reason == "It has “NbN” in the title and “temperature” in the abstract."


def test_a_title_outweighs_an_abstract() -> None:
    in_title = judge("NbN films", "NbN films")
    in_abstract = judge("NbN films", "A new detector", "It is made of NbN films.")
    figure = judge("steel", "Steel as a metaphor in poetry")
    assert in_title.score == 1.0
    assert in_title.score > in_abstract.score > figure.score


def test_kept_works_are_sorted_by_relevance_and_dropped_ones_say_why() -> None:
    works = [
        Work(WorkRecord("crossref", title="A new detector", abstract="It is made of NbN films.")),
        Work(WorkRecord("crossref", title="Poems")),
        Work(WorkRecord("crossref", title="NbN films")),
    ]
    kept, dropped = sift("NbN films", works)
    assert [work.best.title for work, _ in kept] == ["NbN films", "A new detector"]
    assert [(item.work.best.title, bool(item.reason)) for item in dropped] == [("Poems", True)]


def test_names_of_the_caller_count_and_are_compared_with_case() -> None:
    names = {"molecular beam epitaxy": ["MBE"]}
    assert judge("MBE", "Growth by molecular beam epitaxy", synonyms=names).keep
    assert judge("molecular beam epitaxy", "MBE growth", synonyms=names).keep
    assert not judge("molecular beam epitaxy", "Mbe people of Cameroon", synonyms=names).keep
    assert not judge("MBE", "Growth by molecular beam epitaxy").keep


@pytest.mark.parametrize(
    "words",
    [
        ("superconducting", "Superconductivity", "superconductors"),
        ("battery", "batteries"),
        ("catalyst", "catalytic", "catalysis"),
        ("vapour", "vapor"),
        ("crystallisation", "crystallization"),
        ("sulphide", "sulfides"),
        ("fibres", "fiber"),
    ],
)
def test_inflections_have_one_stem(words: tuple[str, ...]) -> None:
    assert len({stem(word) for word in words}) == 1


@pytest.mark.parametrize(
    ("one", "other"), [("position", "positive"), ("lead", "leading"), ("organ", "organic"), ("matter", "material")]
)
def test_other_words_have_other_stems(one: str, other: str) -> None:
    assert stem(one) != stem(other)


def test_names_of_compounds() -> None:
    (found,) = find_compounds("thin films of magnesium diboride".split())
    assert (found.key, found.start, found.end) == (compound_keys("MgB2")[0], 3, 5)
    assert find_compounds(["iron", "iii", "oxide"])[0].elements == "Fe-O"
    assert find_compounds("lead halide perovskites".split()) == []


def test_markup_and_latex_are_folded() -> None:
    spellings = ["MgB$_2$", "MgB<sub>2</sub>", "MgB<jats:sub>2</jats:sub>", "MgB₂", r"$\mathrm{MgB_2}$", "MgB_2"]
    assert {plain(text) for text in spellings} == {"MgB2"}
    assert plain("if a<b, c>d and a<b c>d") == "if a<b, c>d and a<b c>d"
    assert plain(r"Schr\"odinger at 100% load") == "Schrödinger at 100% load"
    assert fingerprint(r"$\beta$-Ga$_2$O$_3$") == fingerprint("β–Ga₂O₃") == fingerprint("beta-Ga2O3")
    assert fingerprint("at 1.5 K") != fingerprint("at 15 K")


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=60), st.text(max_size=120), st.text(max_size=200))
def test_any_text_is_judged_or_refused(query: str, title: str, abstract: str) -> None:
    try:
        judging = Judge(query)
    except UsageError:
        return
    found = judging.judge(title, abstract)
    assert found == judging.judge(title, abstract)
    assert 0 <= found.score <= 1


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(string.ascii_lowercase, min_size=5, max_size=12), min_size=1, max_size=6))
def test_a_title_that_repeats_the_query_is_kept(words: list[str]) -> None:
    try:
        judging = Judge(" ".join(words))
    except UsageError:
        return
    assert judging.judge(" ".join(reversed(words)).capitalize()).keep
