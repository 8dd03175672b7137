-- +goose Up
-- Sessions that a run of sync found, in the agents' own files or in the tables
-- above, and where each stands in the queue. Positions and counts, no content:
-- every text passed the gate.
CREATE TABLE catalogue (
  id          INTEGER PRIMARY KEY AUTOINCREMENT,
  key         TEXT    NOT NULL UNIQUE, -- keyed hash of agent and native: what a user types
  agent       TEXT    NOT NULL,
  native      TEXT    NOT NULL, -- the agent's own id
  parent      TEXT    NOT NULL,
  project_id  INTEGER NOT NULL,
  path        TEXT    NOT NULL, -- '' = captured by hooks
  branch      TEXT    NOT NULL,
  title       TEXT    NOT NULL,
  source      TEXT    NOT NULL, -- keyed hash of the file or database it was read from
  size        INTEGER NOT NULL, -- of it when it was read, with modified: unchanged is not read again
  modified    INTEGER NOT NULL, -- unix ns
  pos         INTEGER NOT NULL, -- where the reading ended
  lines       INTEGER NOT NULL,
  head        TEXT    NOT NULL,
  head_len    INTEGER NOT NULL,
  copied      INTEGER NOT NULL,
  hash        TEXT    NOT NULL, -- of what was said, as it was kept
  started     INTEGER NOT NULL, -- unix ms
  ended       INTEGER NOT NULL,
  prompts     INTEGER NOT NULL,
  answers     INTEGER NOT NULL,
  tools       INTEGER NOT NULL,
  steps       INTEGER NOT NULL,
  broken      INTEGER NOT NULL, -- lines that could not be read
  extracted   INTEGER NOT NULL DEFAULT 0, -- steps that were looked at for memories
  state       TEXT    NOT NULL CHECK (state IN ('pending', 'running', 'done', 'failed', 'dead_letter', 'skipped')),
  attempts    INTEGER NOT NULL DEFAULT 0,
  not_before  INTEGER NOT NULL DEFAULT 0,
  lease       TEXT    NOT NULL DEFAULT '',
  lease_until INTEGER NOT NULL DEFAULT 0,
  error       TEXT    NOT NULL DEFAULT '',
  run         TEXT    NOT NULL DEFAULT '', -- the run that ended it
  created     INTEGER NOT NULL,
  updated     INTEGER NOT NULL,
  UNIQUE (agent, native)
) STRICT;
CREATE INDEX catalogue_open ON catalogue(ended) WHERE state IN ('pending', 'failed', 'running');
CREATE INDEX catalogue_by_project ON catalogue(project_id);

-- Databases that hold many sessions, as they were when all of them were read.
CREATE TABLE catalogue_databases (
  key      TEXT    NOT NULL PRIMARY KEY,
  size     INTEGER NOT NULL,
  modified INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The runs of sync and maintain.
CREATE TABLE runs (
  id       TEXT    NOT NULL PRIMARY KEY,
  kind     TEXT    NOT NULL CHECK (kind IN ('sync', 'maintain')),
  started  INTEGER NOT NULL,
  finished INTEGER, -- NULL: it runs, or it was killed
  outcome  TEXT    NOT NULL DEFAULT '' CHECK (outcome IN ('', 'done', 'partial', 'failed', 'stopped')),
  sessions INTEGER NOT NULL DEFAULT 0,
  added    INTEGER NOT NULL DEFAULT 0,
  updated  INTEGER NOT NULL DEFAULT 0,
  archived INTEGER NOT NULL DEFAULT 0,
  failed   INTEGER NOT NULL DEFAULT 0,
  error    TEXT    NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;
CREATE INDEX runs_by_time ON runs(started);
