"""Domain packs: what exists in a field, as data in ``resources/domains/<name>/``."""

from minerva_desktop.domains.pack import (
    Concept,
    Domain,
    EntityType,
    KeyProperty,
    Material,
    PropertySpec,
    RelationType,
    SemanticClass,
    Term,
    Variable,
    available_domains,
    load_domain,
)

__all__ = [
    "Concept",
    "Domain",
    "EntityType",
    "KeyProperty",
    "Material",
    "PropertySpec",
    "RelationType",
    "SemanticClass",
    "Term",
    "Variable",
    "available_domains",
    "load_domain",
]
