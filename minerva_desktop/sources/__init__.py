"""Works found on the web or in a bibliography: arXiv, OpenAlex, Crossref, Unpaywall, BibTeX, RIS, CSL, Zotero."""
