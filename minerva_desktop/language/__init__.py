"""Knowledge of scientific text: quantities and units, formulas, elements, names, abbreviations, sentences.

Pure functions of their input: no files but the tables in ``resources/language``, no network, no state. There is one
quantity parser and one formula parser in the program, and they are here.
"""
