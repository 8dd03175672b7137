-- +goose Up
-- What this machine shares with others, and how far it has read what they share. The
-- texts lie where all others do: here are ids, keyed hashes and states.
CREATE TABLE team (
  one     INTEGER PRIMARY KEY CHECK (one = 1), -- a data directory is in one team
  team_id BLOB    NOT NULL,
  name    TEXT    NOT NULL,
  dsn     TEXT    NOT NULL, -- without a password
  host    TEXT    NOT NULL,
  member  TEXT    NOT NULL,
  machine TEXT    NOT NULL,
  key     BLOB    NOT NULL, -- of tombstones and search words
  joined  INTEGER NOT NULL,
  clock   INTEGER NOT NULL DEFAULT 0 -- the latest stamp that was given or seen
) STRICT;

CREATE TABLE team_projects (
  project_key TEXT    PRIMARY KEY,
  project_id  INTEGER NOT NULL,
  since       INTEGER NOT NULL DEFAULT 0, -- unix ms; what is older stays here
  mark_xid    INTEGER NOT NULL DEFAULT 0,
  mark_seq    INTEGER NOT NULL DEFAULT 0,
  pulled      INTEGER NOT NULL DEFAULT 0 -- unix ms of the last complete pull
) STRICT;

CREATE TABLE team_items (
  item_id     BLOB    PRIMARY KEY,
  project_key TEXT    NOT NULL,
  kind        TEXT    NOT NULL,
  author      TEXT    NOT NULL,
  machine     TEXT    NOT NULL,
  hlc         INTEGER NOT NULL, -- of the version here
  base        INTEGER NOT NULL, -- of the version that the shared place has, as far as known; 0 = none
  ref         BLOB    NOT NULL, -- keyed hash of where it is kept here; empty = nowhere
  hash        BLOB    NOT NULL, -- keyed hash of what it says here
  state       TEXT    NOT NULL CHECK (state IN ('same', 'out', 'held', 'forget', 'gone', 'unwanted')),
  why         TEXT    NOT NULL DEFAULT '', -- rules that hold it back
  graves      TEXT    NOT NULL DEFAULT '[]', -- keyed hashes of what was forgotten
  conflict_of BLOB    NOT NULL DEFAULT x'',
  receipt     INTEGER NOT NULL DEFAULT 0 -- it is gone here, and the shared place does not know
) STRICT;
CREATE INDEX team_items_by_project ON team_items(project_key, state);
CREATE UNIQUE INDEX team_items_by_ref ON team_items(ref) WHERE length(ref) > 0;

CREATE TABLE team_muted (
  author TEXT PRIMARY KEY
) STRICT;

-- What others wrote is of a tree without files.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, '''global'')', '''global'', ''team'')') WHERE type = 'table' AND name = 'memory_roots';
PRAGMA writable_schema = RESET;

PRAGMA user_version = 20;
