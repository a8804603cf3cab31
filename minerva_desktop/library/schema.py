"""The tables of ``library.sqlite`` and how an older file becomes a current one.

Migrations are append-only: a released one is never edited. Each runs in one transaction with the record of it. A file
that knows a migration which this version does not was written by a newer version and is refused.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from minerva_desktop.errors import LibraryTooNew, MinervaError
from minerva_desktop.library.words import TOKENIZER

MIGRATION_SET = "minerva-library"

INITIAL = f"""
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE papers (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, file_name TEXT NOT NULL, stored TEXT NOT NULL,
  title TEXT NOT NULL, authors TEXT NOT NULL, doi TEXT NOT NULL, arxiv_id TEXT NOT NULL, year INTEGER,
  abstract TEXT NOT NULL, url TEXT NOT NULL, media_type TEXT NOT NULL, status TEXT NOT NULL, reason TEXT NOT NULL,
  pages INTEGER NOT NULL, sentences INTEGER NOT NULL, removed INTEGER NOT NULL DEFAULT 0);
CREATE INDEX papers_doi ON papers (doi COLLATE NOCASE);
CREATE TABLE documents (paper TEXT PRIMARY KEY REFERENCES papers (id) ON DELETE CASCADE, data BLOB NOT NULL);

CREATE TABLE entities (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, type TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (type, name));
CREATE TABLE names (
  folded TEXT NOT NULL, name TEXT NOT NULL, entity INTEGER NOT NULL REFERENCES entities (seq) ON DELETE CASCADE,
  PRIMARY KEY (folded, name, entity)) WITHOUT ROWID;
CREATE INDEX names_entity ON names (entity);
CREATE TABLE paper_entities (
  paper TEXT NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
  entity INTEGER NOT NULL REFERENCES entities (seq) ON DELETE CASCADE,
  name TEXT NOT NULL, form TEXT NOT NULL, aliases TEXT NOT NULL, listed INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (paper, entity)) WITHOUT ROWID;
CREATE INDEX paper_entities_entity ON paper_entities (entity, paper);
CREATE TABLE aliases (type TEXT NOT NULL, name TEXT NOT NULL, alias TEXT NOT NULL, folded TEXT NOT NULL,
  PRIMARY KEY (type, name, alias)) WITHOUT ROWID;
CREATE INDEX aliases_folded ON aliases (folded);
CREATE TABLE merges (type TEXT NOT NULL, name TEXT NOT NULL, into_name TEXT NOT NULL,
  PRIMARY KEY (type, name)) WITHOUT ROWID;

CREATE TABLE relations (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, type TEXT NOT NULL,
  source INTEGER NOT NULL REFERENCES entities (seq), target INTEGER NOT NULL REFERENCES entities (seq),
  property_id TEXT NOT NULL, quantity TEXT, conditions TEXT NOT NULL, modality TEXT NOT NULL, words TEXT NOT NULL,
  machine_status TEXT NOT NULL DEFAULT 'waiting', machine_stage TEXT NOT NULL DEFAULT '',
  machine_rule TEXT NOT NULL DEFAULT '', machine_reason TEXT NOT NULL DEFAULT '',
  person_status TEXT, person_rule TEXT NOT NULL DEFAULT '', person_reason TEXT NOT NULL DEFAULT '',
  live INTEGER NOT NULL DEFAULT 0,
  status TEXT GENERATED ALWAYS AS (coalesce(person_status, machine_status)) VIRTUAL);
CREATE INDEX relations_id ON relations (id, status);
CREATE INDEX relations_status ON relations (status, live, seq);
CREATE INDEX relations_source ON relations (source, live, status);
CREATE INDEX relations_target ON relations (target, live, status);
CREATE INDEX relations_property ON relations (property_id, live, seq);
CREATE INDEX relations_type ON relations (type, live, seq);

CREATE TABLE evidences (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,
  relation TEXT NOT NULL REFERENCES relations (id) ON DELETE CASCADE,
  paper TEXT NOT NULL REFERENCES papers (id) ON DELETE CASCADE,
  page INTEGER, boxes TEXT NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL, sentence TEXT NOT NULL,
  section TEXT NOT NULL, imrad TEXT NOT NULL, sentence_index INTEGER NOT NULL, source_span TEXT, target_span TEXT,
  source_name TEXT NOT NULL, source_form TEXT NOT NULL, target_name TEXT NOT NULL, target_form TEXT NOT NULL,
  method TEXT NOT NULL, modality TEXT NOT NULL, confidence REAL NOT NULL, extractor TEXT NOT NULL, rule TEXT NOT NULL,
  value_text TEXT NOT NULL, quantity TEXT, critic TEXT NOT NULL, verification TEXT, verdict TEXT,
  by_person INTEGER NOT NULL DEFAULT 0, live INTEGER NOT NULL DEFAULT 1);
CREATE INDEX evidences_relation ON evidences (relation, live);
CREATE INDEX evidences_paper ON evidences (paper, relation, live, start);

CREATE TABLE passages (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, source TEXT NOT NULL,
  text TEXT NOT NULL, words TEXT NOT NULL, page INTEGER, boxes TEXT NOT NULL, section TEXT NOT NULL,
  level INTEGER NOT NULL, sentences TEXT NOT NULL, live INTEGER NOT NULL DEFAULT 1);
CREATE INDEX passages_source ON passages (source);
CREATE INDEX passages_live ON passages (live, kind, level);
CREATE TABLE textbooks (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, title TEXT NOT NULL, file_name TEXT NOT NULL,
  level INTEGER NOT NULL, chunks INTEGER NOT NULL, pages INTEGER NOT NULL, removed INTEGER NOT NULL DEFAULT 0);
CREATE TABLE vectors (
  passage INTEGER PRIMARY KEY REFERENCES passages (seq) ON DELETE CASCADE, model TEXT NOT NULL, digest TEXT NOT NULL);

CREATE TABLE jobs (
  seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, status TEXT NOT NULL,
  created TEXT NOT NULL, settings TEXT NOT NULL);
CREATE TABLE job_items (
  job TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE, position INTEGER NOT NULL, name TEXT NOT NULL,
  path TEXT NOT NULL, status TEXT NOT NULL, report TEXT NOT NULL, PRIMARY KEY (job, position)) WITHOUT ROWID;

CREATE TABLE events (
  id INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, actor TEXT NOT NULL, label TEXT NOT NULL,
  subject TEXT NOT NULL, undoable INTEGER NOT NULL, undone INTEGER NOT NULL DEFAULT 0, changes TEXT NOT NULL);
CREATE INDEX events_undo ON events (undoable, undone, id);

CREATE TABLE graph_dirty (
  stamp INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, id TEXT NOT NULL, UNIQUE (kind, id));

CREATE VIRTUAL TABLE passage_words USING fts5(
  words, content='passages', content_rowid='seq', tokenize="{TOKENIZER}");
CREATE TRIGGER passages_added AFTER INSERT ON passages BEGIN
  INSERT INTO passage_words (rowid, words) VALUES (new.seq, new.words); END;
CREATE TRIGGER passages_deleted AFTER DELETE ON passages BEGIN
  INSERT INTO passage_words (passage_words, rowid, words) VALUES ('delete', old.seq, old.words); END;

CREATE VIEW textbook_passages AS SELECT seq, words FROM passages WHERE kind = 'textbook';
CREATE VIRTUAL TABLE textbook_words USING fts5(
  words, content='textbook_passages', content_rowid='seq', tokenize="{TOKENIZER}");
CREATE TRIGGER textbook_added AFTER INSERT ON passages WHEN new.kind = 'textbook' BEGIN
  INSERT INTO textbook_words (rowid, words) VALUES (new.seq, new.words); END;
CREATE TRIGGER textbook_deleted AFTER DELETE ON passages WHEN old.kind = 'textbook' BEGIN
  INSERT INTO textbook_words (textbook_words, rowid, words) VALUES ('delete', old.seq, old.words); END;

CREATE VIRTUAL TABLE relation_words USING fts5(
  words, content='relations', content_rowid='seq', tokenize="{TOKENIZER}");
CREATE TRIGGER relations_added AFTER INSERT ON relations BEGIN
  INSERT INTO relation_words (rowid, words) VALUES (new.seq, new.words); END;
CREATE TRIGGER relations_deleted AFTER DELETE ON relations BEGIN
  INSERT INTO relation_words (relation_words, rowid, words) VALUES ('delete', old.seq, old.words); END;
"""


def m001_initial(db: sqlite3.Connection) -> None:
    """Papers, facts with evidence, passages, textbooks, jobs and the journal."""
    _run(db, INITIAL)


def m002_lexicon(db: sqlite3.Connection) -> None:
    """A person's lexicon files as they were last seen, and what each job was made of."""
    _run(
        db,
        "CREATE TABLE lexicon_files (kind TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;\n"
        "ALTER TABLE jobs ADD COLUMN manifest TEXT NOT NULL DEFAULT '{}';\n",
    )


def m003_works(db: sqlite3.Connection) -> None:
    """What bibliographic sources say of a paper: venue, notices, versions of one work; what a job's item is about."""
    _run(
        db,
        "ALTER TABLE papers ADD COLUMN venue TEXT NOT NULL DEFAULT '';\n"
        "ALTER TABLE papers ADD COLUMN pmid TEXT NOT NULL DEFAULT '';\n"
        "ALTER TABLE papers ADD COLUMN extent TEXT NOT NULL DEFAULT 'full';\n"
        "ALTER TABLE papers ADD COLUMN notices TEXT NOT NULL DEFAULT '[]';\n"
        "ALTER TABLE papers ADD COLUMN version_of TEXT NOT NULL DEFAULT '';\n"
        "ALTER TABLE job_items ADD COLUMN data TEXT NOT NULL DEFAULT '';\n"
        "CREATE INDEX papers_arxiv ON papers (arxiv_id);\n",
    )


def m004_outcomes(db: sqlite3.Connection) -> None:
    """How a job ended: why a language model stopped it, and what the models took."""
    _run(db, "ALTER TABLE jobs ADD COLUMN outcome TEXT NOT NULL DEFAULT '{}';\n")


def m005_journal(db: sqlite3.Connection) -> None:
    """Events of jobs that grow paper by paper, what was read before, and entities that can be told apart again."""
    _run(
        db,
        "CREATE TABLE event_parts (event INTEGER NOT NULL REFERENCES events (id) ON DELETE CASCADE,\n"
        "  position INTEGER NOT NULL, name TEXT NOT NULL, changes TEXT NOT NULL, PRIMARY KEY (event, position))\n"
        "  WITHOUT ROWID;\n"
        "CREATE TABLE readings (digest TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;\n"
        "ALTER TABLE evidences ADD COLUMN source_read TEXT NOT NULL DEFAULT '';\n"
        "ALTER TABLE evidences ADD COLUMN target_read TEXT NOT NULL DEFAULT '';\n"
        "ALTER TABLE merges ADD COLUMN spellings TEXT NOT NULL DEFAULT '[]';\n"
        "CREATE TABLE dismissals (type TEXT NOT NULL, first TEXT NOT NULL, second TEXT NOT NULL,\n"
        "  PRIMARY KEY (type, first, second)) WITHOUT ROWID;\n",
    )


def m006_packs_and_names(db: sqlite3.Connection) -> None:
    """With which domain pack each paper was read last ("" for those of versions that had only one); parts of names are
    found by an index; what went from the record and came back is told from what is new."""
    _run(
        db,
        "ALTER TABLE papers ADD COLUMN domain TEXT NOT NULL DEFAULT '';\n"
        "DROP INDEX names_entity;\n"
        "ALTER TABLE names RENAME TO names_before;\n"
        "CREATE TABLE names (id INTEGER PRIMARY KEY, folded TEXT NOT NULL, name TEXT NOT NULL,\n"
        "  entity INTEGER NOT NULL REFERENCES entities (seq) ON DELETE CASCADE, UNIQUE (folded, name, entity));\n"
        "CREATE INDEX names_entity ON names (entity);\n"
        "CREATE VIRTUAL TABLE name_letters USING fts5(\n"
        "  folded, content='names', content_rowid='id', tokenize='trigram');\n"
        "CREATE TRIGGER names_added AFTER INSERT ON names BEGIN\n"
        "  INSERT INTO name_letters (rowid, folded) VALUES (new.id, new.folded); END;\n"
        "CREATE TRIGGER names_deleted AFTER DELETE ON names BEGIN\n"
        "  INSERT INTO name_letters (name_letters, rowid, folded) VALUES ('delete', old.id, old.folded); END;\n"
        "INSERT INTO names (folded, name, entity) SELECT folded, name, entity FROM names_before\n"
        "  ORDER BY folded, name, entity;\n"
        "DROP TABLE names_before;\n"
        "CREATE TRIGGER relations_gone AFTER DELETE ON relations BEGIN\n"
        "  INSERT OR REPLACE INTO graph_dirty (kind, id) VALUES ('gone', old.id); END;\n",
    )


def m007_decisions(db: sqlite3.Connection) -> None:
    """What a person decided on each fact, before and after, so that it can be asked for and learnt from."""
    _run(
        db,
        "CREATE TABLE decisions (event INTEGER NOT NULL REFERENCES events (id) ON DELETE CASCADE,\n"
        "  fact TEXT NOT NULL, verb TEXT NOT NULL, kind TEXT NOT NULL, reason TEXT NOT NULL, before TEXT NOT NULL,\n"
        "  after TEXT, PRIMARY KEY (event, fact)) WITHOUT ROWID;\n"
        "CREATE INDEX decisions_fact ON decisions (fact);\n",
    )


def m008_runs(db: sqlite3.Connection) -> None:
    """What each job found in each paper, under the hash of its content."""
    _run(
        db,
        "CREATE TABLE run_products (digest TEXT PRIMARY KEY, data BLOB NOT NULL) WITHOUT ROWID;\n"
        "CREATE TABLE run_papers (job TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE, paper TEXT NOT NULL,\n"
        "  digest TEXT NOT NULL, statements INTEGER NOT NULL, facts INTEGER NOT NULL, passed INTEGER NOT NULL,\n"
        "  PRIMARY KEY (job, paper)) WITHOUT ROWID;\n"
        "CREATE INDEX run_papers_paper ON run_papers (paper);\n",
    )


def m009_learning(db: sqlite3.Connection) -> None:
    """Suggestions that a person dismissed, with how many decisions spoke for each then."""
    _run(
        db,
        "CREATE TABLE suggestion_dismissals (id TEXT PRIMARY KEY, decisions INTEGER NOT NULL) WITHOUT ROWID;\n",
    )


def m010_vectors(db: sqlite3.Connection) -> None:
    """Vectors of two models side by side, those that came lately, the files of the rest; how often passages changed;
    the few facts of a property that wait, without looking at all that do not."""
    _run(
        db,
        "CREATE INDEX relations_standing ON relations (property_id, status, live, type, seq);\n"
        "CREATE TABLE vectors_of_models (passage INTEGER NOT NULL REFERENCES passages (seq) ON DELETE CASCADE,\n"
        "  model TEXT NOT NULL, digest TEXT NOT NULL, PRIMARY KEY (passage, model)) WITHOUT ROWID;\n"
        "INSERT INTO vectors_of_models (passage, model, digest) SELECT passage, model, digest FROM vectors;\n"
        "DROP TABLE vectors;\n"
        "ALTER TABLE vectors_of_models RENAME TO vectors;\n"
        "CREATE TABLE vector_tail (seq INTEGER PRIMARY KEY, passage INTEGER NOT NULL REFERENCES passages (seq)\n"
        "  ON DELETE CASCADE, model TEXT NOT NULL, data BLOB NOT NULL, UNIQUE (passage, model));\n"
        "CREATE TABLE vector_indexes (model TEXT PRIMARY KEY, used INTEGER NOT NULL, dimension INTEGER NOT NULL,\n"
        "  base TEXT NOT NULL) WITHOUT ROWID;\n"
        "CREATE TABLE counters (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;\n"
        "INSERT INTO counters (name, value) VALUES ('passages', 0);\n"
        "CREATE TRIGGER passages_come AFTER INSERT ON passages BEGIN\n"
        "  UPDATE counters SET value = value + 1 WHERE name = 'passages'; END;\n"
        "CREATE TRIGGER passages_go AFTER DELETE ON passages BEGIN\n"
        "  UPDATE counters SET value = value + 1 WHERE name = 'passages'; END;\n"
        "CREATE TRIGGER passages_change AFTER UPDATE OF live, level, kind ON passages\n"
        "  WHEN old.live <> new.live OR old.level <> new.level OR old.kind <> new.kind BEGIN\n"
        "  UPDATE counters SET value = value + 1 WHERE name = 'passages'; END;\n",
    )


def m012_questions(db: sqlite3.Connection) -> None:
    """Questions that were asked, with their last answers."""
    _run(
        db,
        "CREATE TABLE questions (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,\n"
        "  question TEXT NOT NULL, asked TEXT NOT NULL, found INTEGER NOT NULL, route TEXT NOT NULL,\n"
        "  engine TEXT NOT NULL, text TEXT NOT NULL, papers TEXT NOT NULL, facts TEXT NOT NULL,\n"
        "  folded TEXT NOT NULL, answer BLOB NOT NULL);\n",
    )


MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (
    m001_initial,
    m002_lexicon,
    m003_works,
    m004_outcomes,
    m005_journal,
    m006_packs_and_names,
    m007_decisions,
    m008_runs,
    m009_learning,
    m010_vectors,
    m012_questions,
)


def pending(path: Path) -> list[str]:
    """Names of the migrations that the file still needs; all of them when there is no file.

    Raises:
        LibraryTooNew: the file was written by a newer version.
        MinervaError: the file is not a library.
    """
    names = [migration.__name__ for migration in MIGRATIONS]
    if not path.exists():
        return names
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        try:
            known = db.execute("SELECT 1 FROM sqlite_master WHERE name = '_sqlite_migrations'").fetchone()
            query = "SELECT name FROM _sqlite_migrations WHERE migration_set = ?"
            applied = {row[0] for row in db.execute(query, [MIGRATION_SET])} if known else set()
        except sqlite3.DatabaseError as error:
            raise MinervaError(
                f"{path} is not a library that can be read: {error}.",
                hint="Put back a backup (library.sqlite.backup-…) from the same folder, or choose another folder.",
                code="library-damaged",
            ) from error
    if applied - set(names):
        raise LibraryTooNew(
            f"The library {path.parent} was written by a newer version of Minerva Desktop.",
            hint="Install the newer version to open it; nothing was changed.",
        )
    return [name for name in names if name not in applied]


def migrate(path: Path) -> None:
    """Bring the file to the current tables; an existing one is copied beside itself first.

    The lock of the library must be held.
    """
    missing = pending(path)
    if not missing:
        return
    if path.exists() and len(missing) < len(MIGRATIONS):
        _backup(path, path.with_name(f"{path.name}.backup-{missing[0]}"))
    # Imported here: only a new or old library needs it, and it costs a quarter of the start-up.
    import sqlite_utils

    migrations = sqlite_utils.Migrations(MIGRATION_SET)
    for migration in MIGRATIONS:
        migrations(name=migration.__name__)(_adapted(migration))
    db = sqlite_utils.Database(path)
    try:
        db.enable_wal()
        migrations.apply(db)
    finally:
        db.close()


def _adapted(migration: Callable[[sqlite3.Connection], None]) -> Callable[..., None]:
    return lambda db: migration(db.conn)


def _backup(path: Path, copy: Path) -> None:
    temporary = copy.with_name(copy.name + ".part")
    with closing(sqlite3.connect(path)) as source, closing(sqlite3.connect(temporary)) as target:
        source.backup(target)
    temporary.replace(copy)


def _run(db: sqlite3.Connection, script: str) -> None:
    """The statements of a script, one by one: ``executescript`` would commit the transaction around them."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            db.execute(statement)
            statement = ""
