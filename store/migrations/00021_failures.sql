-- +goose Up
-- Commands that failed, and what mended them: keyed hashes and ids, no text.
CREATE TABLE failures (
  signature  TEXT    NOT NULL, -- keyed hash of the program and of the line that said why
  remedy     TEXT    NOT NULL, -- keyed hash of what mended it
  how        TEXT    NOT NULL CHECK (how IN ('ran', 'edited', 'instead')),
  project_id INTEGER NOT NULL,
  session_id INTEGER NOT NULL,
  doc_id     INTEGER NOT NULL, -- the run that failed,
  mended_by  INTEGER NOT NULL, -- what was done then,
  passed_by  INTEGER NOT NULL, -- and the run that passed
  at         INTEGER NOT NULL, -- when it was mended
  PRIMARY KEY (signature, project_id, remedy, doc_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX failures_by_doc ON failures(doc_id);
CREATE INDEX failures_by_remedy ON failures(mended_by);
CREATE INDEX failures_by_pass ON failures(passed_by);

-- A failure that was mended in the same way in two sessions, and what the user said of it.
CREATE TABLE gotchas (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL,
  signature  TEXT    NOT NULL,
  remedy     TEXT    NOT NULL,
  state      TEXT    NOT NULL DEFAULT 'learned' CHECK (state IN ('learned', 'kept', 'everywhere', 'dropped')),
  decided    INTEGER NOT NULL DEFAULT 0,
  UNIQUE (signature, project_id, remedy)
) STRICT;

-- Which session was told of which failure.
CREATE TABLE gotchas_told (
  session_id INTEGER NOT NULL,
  signature  TEXT    NOT NULL,
  gotcha_id  INTEGER NOT NULL,
  at         INTEGER NOT NULL,
  PRIMARY KEY (session_id, signature)
) STRICT, WITHOUT ROWID;
CREATE INDEX gotchas_told_by_gotcha ON gotchas_told(gotcha_id);

PRAGMA user_version = 21;
