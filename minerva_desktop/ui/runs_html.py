"""A run, a comparison and one difference as HTML for a text browser. Text from papers is always escaped."""

from __future__ import annotations

from html import escape
from typing import Any

from minerva_desktop.library.question_runs import KIND, by_kind, figures_of, is_right
from minerva_desktop.records import DiffRow, Run, RunDetails, RunDiff
from minerva_desktop.ui.runs_models import DIFFERENCES, run_title
from minerva_desktop.ui.theme import Tokens

_RELATIONS_SHOWN = 12


def run_html(details: RunDetails, theme: Tokens) -> str:
    """What a run was made of and what it found."""
    run = details.run
    parts = [
        f"<p style='font-size:large; font-weight:600; margin:0 0 4px 0'>{escape(run_title(run))}, {escape(run.created[:16])}</p>"
    ]
    if run.kind == KIND:
        return parts[0] + _questions_html(run, theme)
    if not run.kept:
        text = "It read no paper, or a version made it that did not keep what runs find; it cannot be compared."
        return parts[0] + f"<p style='color:{theme.muted.name()}'>{text}</p>"
    many = f"{run.kept} papers" if run.kept != 1 else "one paper"
    what = f"{run.statements} statements of {run.facts} facts in {many}; {run.passed} passed the checks."
    parts.append(f"<p style='margin:0 0 8px 0'>{what}</p>")
    outcomes = {name: count for name, count in details.outcomes.items() if name != "passed"}
    for title, counts in (("Statements", details.types), ("Not passed", outcomes)):
        if counts:
            shown = ", ".join(f"{name} {count}" for name, count in sorted(counts.items())[:_RELATIONS_SHOWN])
            parts.append(_line(title, shown, theme))
    for title, key in (
        ("Program", "program"),
        ("Rules", "editions"),
        ("Domain", "domain"),
        ("Lexicon", "lexicon"),
        ("Settings", "settings"),
        ("Models", "models"),
    ):
        if key in run.manifest:
            parts.append(_line(title, _flat(run.manifest[key]), theme))
    parts.append(_line("Fingerprint", f"sha256 {run.digest}", theme))
    return "".join(parts)


def _questions_html(run: Run, theme: Tokens) -> str:
    """A question set that was asked: its figures, and what was not answered as it should be."""
    record = run.outcome
    half = f", half “{record['split']}”" if record.get("split") else ""
    parts = [f"<p style='margin:0 0 8px 0'>{escape(str(record.get('set', '')))}{escape(half)}</p>"]
    parts += [_line(kind, f"{right} right", theme) for kind, right in by_kind(run).items()]
    parts += [_line(name, value, theme) for name, value in figures_of(run).items()]
    wrong = [item for item in record.get("answers", ()) if not is_right(item)]
    parts += [_line("Not right", f"{item['question']} ({item.get('cause', '')})", theme) for item in wrong]
    return "".join(parts)


def _line(title: str, text: str, theme: Tokens) -> str:
    return f"<p style='margin:0 0 4px 0'><span style='color:{theme.muted.name()}'>{title}:</span> {escape(text)}</p>"


def _flat(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(
            f"{key.replace('_', ' ')} {_flat(item)}" for key, item in value.items() if item not in ("", {})
        )
    text = str(value)
    return text[:12] if len(text) == 64 else text


def diff_summary(diff: RunDiff) -> str:
    """What a comparison came to, in one or two sentences of plain text."""
    if diff.a.kind == KIND:
        figures = ", ".join(f"{item.field.partition('.')[2]} {item.a} → {item.b}" for item in diff.circumstances)
        return (
            f"{diff.same} answers are the same, {len(diff.only_a)} are right only in A, {len(diff.only_b)} only in B, "
            f"{len(diff.changed)} changed otherwise. {f'Figures: {figures}.' if figures else 'All figures are the same.'}"
        )
    if diff.identical:
        many = f"{diff.papers} papers" if diff.papers != 1 else "one paper"
        return f"No difference: both runs found the same in {many}, byte for byte."
    left = len(diff.papers_only_a) + len(diff.papers_only_b)
    text = (
        f"{diff.same} statements are the same, {len(diff.only_a)} are only in A, {len(diff.only_b)} only in B, "
        f"{len(diff.changed)} changed, {len(diff.grounds)} stand for another reason."
    )
    if left:
        text += f" {left} papers that only one of them read are not compared."
    if not diff.rows and (diff.entities_only_a or diff.entities_only_b):
        text += f" Names differ: {'; '.join((*diff.entities_only_a, *diff.entities_only_b)[:8])}."
    if diff.circumstances:
        text += f" Made under different circumstances: {', '.join(_circumstances(diff))}."
    return text


def _circumstances(diff: RunDiff) -> list[str]:
    """What differs around the runs, each once: the lexicon, a setting by its name, a model …"""
    found: dict[str, None] = {}
    for item in diff.circumstances:
        part, _, rest = item.field.partition(".")
        shown = {"editions": f"the {rest}", "settings": f"the setting {rest}: {item.a or 'none'} → {item.b or 'none'}"}
        found[shown.get(part, f"the {part}")] = None
    return list(found)


def row_html(row: DiffRow, theme: Tokens) -> str:
    """One difference with its sentence."""
    muted = theme.muted.name()
    page = f", p. {row.page}" if row.page else ""
    parts = [
        f"<p style='font-size:large; font-weight:600; margin:0 0 4px 0'>{escape(row.claim)}</p>",
        f"<p style='margin:0 0 8px 0; color:{muted}'>{DIFFERENCES[row.kind]} · {escape(row.outcome)}"
        f"{f' · {row.verdict}' if row.verdict else ''} · confidence {row.confidence:g} · by {escape(row.extractor)}</p>",
    ]
    if row.changes:
        cells = "".join(
            f"<tr><td style='color:{muted}; padding-right:14px'>{escape(item.field)}</td>"
            f"<td style='padding-right:14px'>{escape(item.a or 'none')}</td><td>→ {escape(item.b or 'none')}</td></tr>"
            for item in row.changes
        )
        parts.append(f"<table style='margin:0 0 8px 0'>{cells}</table>")
    parts.append(f"<p style='margin:0 0 2px 0'>“{escape(row.sentence)}”</p>")
    parts.append(
        f"<p style='margin:0'><a href='place:' style='color:{theme.accent_text.name()}'>"
        f"{escape(row.title or row.file_name)}{page}</a></p>"
    )
    return "".join(parts)
