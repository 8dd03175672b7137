-- +goose Up
-- Times are unix milliseconds, UTC. Ids are never used twice.

CREATE TABLE projects (
  id      INTEGER PRIMARY KEY AUTOINCREMENT,
  name    TEXT    NOT NULL,
  created INTEGER NOT NULL
) STRICT;

-- What a project is known by. A directory, a git directory or a remote leads
-- to one project only; a project may have many.
CREATE TABLE project_aliases (
  kind       TEXT    NOT NULL CHECK (kind IN ('git_common_dir', 'remote', 'dir', 'name')),
  value      TEXT    NOT NULL,
  project_id INTEGER NOT NULL REFERENCES projects(id),
  PRIMARY KEY (kind, value)
) STRICT, WITHOUT ROWID;
CREATE INDEX project_aliases_by_project ON project_aliases(project_id);

CREATE TABLE sessions (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  agent         TEXT    NOT NULL,
  native        TEXT    NOT NULL, -- the agent's own id
  project_id    INTEGER NOT NULL REFERENCES projects(id),
  parent        TEXT    NOT NULL DEFAULT '',
  dir           TEXT    NOT NULL DEFAULT '',
  branch        TEXT    NOT NULL DEFAULT '',
  worktree      TEXT    NOT NULL DEFAULT '',
  source        TEXT    NOT NULL DEFAULT '',
  model         TEXT    NOT NULL DEFAULT '',
  transcript    TEXT    NOT NULL DEFAULT '',
  started       INTEGER NOT NULL,
  last          INTEGER NOT NULL, -- time of the latest event
  ended         INTEGER,
  reason        TEXT    NOT NULL DEFAULT '',
  turn_id       INTEGER, -- the document that began the current turn
  docs          INTEGER NOT NULL DEFAULT 0,
  rules_version TEXT    NOT NULL,
  UNIQUE (agent, native)
) STRICT;
CREATE INDEX sessions_by_project ON sessions(project_id, last);

-- Everything that can be found. The index entry of a document is made of its
-- columns alone (see text.go), so it can be taken out again exactly.
CREATE TABLE docs (
  id            INTEGER PRIMARY KEY AUTOINCREMENT,
  kind          TEXT    NOT NULL CHECK (kind IN ('observation', 'prompt', 'session', 'summary', 'memory')),
  project_id    INTEGER NOT NULL,
  session_id    INTEGER NOT NULL,
  turn_id       INTEGER, -- the prompt that this document answers
  at            INTEGER NOT NULL,
  dedupe        INTEGER, -- hash of what makes a repeat recognisable
  role          TEXT,
  who           TEXT,
  tool          TEXT,
  title         TEXT,
  input         TEXT, -- JSON
  output        TEXT, -- JSON or text
  body          TEXT, -- NULL: the texts of input and output
  files         TEXT, -- JSON array
  failed        INTEGER NOT NULL DEFAULT 0,
  excluded      INTEGER NOT NULL DEFAULT 0,
  duration_ms   INTEGER NOT NULL DEFAULT 0,
  subagent      TEXT,
  tokens        INTEGER NOT NULL, -- length in the index, in tokens
  rules_version TEXT    NOT NULL
) STRICT;
CREATE INDEX docs_by_session ON docs(session_id, at, id);
CREATE INDEX docs_prompts ON docs(session_id, at, id) WHERE kind = 'prompt';
CREATE INDEX docs_by_time ON docs(project_id, at, id);
CREATE UNIQUE INDEX docs_by_dedupe ON docs(session_id, dedupe) WHERE dedupe IS NOT NULL;

-- Row ids of the index are project_id << 40 | docs.id: the scope of a search
-- is a range. It keeps which documents hold a word and no positions; the
-- columns are weighed in Go, over the text of the candidates.
CREATE VIRTUAL TABLE docs_fts USING fts5(
  text, content = '', detail = none, tokenize = 'porter unicode61 remove_diacritics 2'
);
INSERT INTO docs_fts(docs_fts, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE docs_terms USING fts5vocab(docs_fts, row);
-- The documents that the index knows, by their public ids.
CREATE VIEW docs_indexed AS SELECT id & 0xFFFFFFFFFF AS id FROM docs_fts_docsize;

-- Running totals, so that nothing ever counts a large table.
CREATE TABLE totals (
  project_id INTEGER NOT NULL,
  kind       TEXT    NOT NULL,
  docs       INTEGER NOT NULL,
  tokens     INTEGER NOT NULL,
  bytes      INTEGER NOT NULL,
  PRIMARY KEY (project_id, kind)
) STRICT, WITHOUT ROWID;

-- Where a summary comes from. Its text is the document of the same id.
CREATE TABLE summaries (
  doc_id         INTEGER PRIMARY KEY,
  scope          TEXT    NOT NULL CHECK (scope IN ('turn', 'session')),
  session_id     INTEGER NOT NULL,
  turn_id        INTEGER NOT NULL, -- 0: before the first prompt, or the whole session
  type           TEXT    NOT NULL,
  concepts       TEXT    NOT NULL, -- JSON array
  provider       TEXT    NOT NULL,
  model          TEXT    NOT NULL,
  digest         TEXT    NOT NULL,
  prompt_version TEXT    NOT NULL,
  input_hash     TEXT    NOT NULL,
  seconds        REAL    NOT NULL,
  tokens         INTEGER NOT NULL,
  UNIQUE (scope, session_id, turn_id)
) STRICT;

CREATE TABLE jobs (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  kind        TEXT    NOT NULL,
  project_id  INTEGER NOT NULL,
  session_id  INTEGER NOT NULL,
  turn_id     INTEGER NOT NULL, -- 0: before the first prompt, or the whole session
  state       TEXT    NOT NULL CHECK (state IN ('pending', 'leased', 'done', 'failed', 'dead', 'quarantined', 'skipped')),
  rev         INTEGER NOT NULL DEFAULT 1, -- rises when the unit changes
  done_rev    INTEGER NOT NULL DEFAULT 0,
  attempts    INTEGER NOT NULL DEFAULT 0,
  not_before  INTEGER NOT NULL DEFAULT 0,
  lease       TEXT    NOT NULL DEFAULT '',
  lease_until INTEGER NOT NULL DEFAULT 0,
  error       TEXT    NOT NULL DEFAULT '',
  created     INTEGER NOT NULL,
  updated     INTEGER NOT NULL,
  UNIQUE (kind, session_id, turn_id)
) STRICT;
CREATE INDEX jobs_by_state ON jobs(state, id);

-- Append only; each row's hash covers the row before it.
CREATE TABLE ledger (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  at         INTEGER NOT NULL,
  kind       TEXT    NOT NULL CHECK (kind IN ('redaction', 'egress', 'forget', 'scrub')),
  doc_id     INTEGER NOT NULL DEFAULT 0,
  project_id INTEGER NOT NULL DEFAULT 0,
  field      TEXT    NOT NULL DEFAULT '',
  rule       TEXT    NOT NULL DEFAULT '',
  bytes      INTEGER NOT NULL DEFAULT 0,
  mac        TEXT    NOT NULL DEFAULT '',
  host       TEXT    NOT NULL DEFAULT '',
  model      TEXT    NOT NULL DEFAULT '',
  purpose    TEXT    NOT NULL DEFAULT '',
  sha256     TEXT    NOT NULL DEFAULT '',
  job_id     INTEGER NOT NULL DEFAULT 0,
  hash       TEXT    NOT NULL
) STRICT;
CREATE INDEX ledger_by_kind ON ledger(kind);
CREATE INDEX ledger_by_mac ON ledger(mac) WHERE mac <> '';

CREATE TABLE quarantine (
  id       INTEGER PRIMARY KEY AUTOINCREMENT,
  job_id   INTEGER NOT NULL UNIQUE,
  at       INTEGER NOT NULL,
  findings TEXT    NOT NULL -- JSON: rules and offsets, never text
) STRICT;

-- What was injected into an agent's context, and why.
CREATE TABLE injections (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  at         INTEGER NOT NULL,
  project_id INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
  reason     TEXT    NOT NULL,
  query      TEXT    NOT NULL,
  entries    TEXT    NOT NULL, -- JSON array of {id, type, score}
  tokens     INTEGER NOT NULL
) STRICT;

-- What was forgotten and must not come back: keyed hashes only.
CREATE TABLE tombstones (
  mac TEXT    PRIMARY KEY,
  at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

PRAGMA application_id = 1836412275; -- "mums"
PRAGMA user_version = 1;
