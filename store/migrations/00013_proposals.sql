-- +goose Up
-- What sessions may have taught, and was not sure enough to be a memory: the user
-- keeps or drops it. Nobody else is told. Every text passed the gate.
CREATE TABLE proposals (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL,
  mac        TEXT    NOT NULL UNIQUE, -- keyed hash of project and words: it is proposed once
  state      TEXT    NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'kept', 'dropped', 'never')),
  form       TEXT    NOT NULL, -- decision, learning
  kind       TEXT    NOT NULL,
  title      TEXT    NOT NULL,
  body       TEXT    NOT NULL,
  tags       TEXT    NOT NULL, -- JSON array
  sentence   TEXT    NOT NULL, -- what it comes from, as it was said
  why        TEXT    NOT NULL, -- it is not a memory by itself: a code
  confidence REAL    NOT NULL,
  session    TEXT    NOT NULL, -- agent/native
  ref        TEXT    NOT NULL, -- of the session
  said       INTEGER NOT NULL, -- unix ms
  created    INTEGER NOT NULL,
  looked     INTEGER NOT NULL DEFAULT 0, -- when the user last saw it; 0 = never
  decided    INTEGER NOT NULL DEFAULT 0,
  memory     INTEGER NOT NULL DEFAULT 0  -- the document that it became
) STRICT;
CREATE INDEX proposals_open ON proposals(created) WHERE state = 'open';
CREATE INDEX proposals_by_session ON proposals(session);
