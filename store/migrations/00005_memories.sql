-- +goose Up
-- Where markdown memories lie. A tree in a repository has an absolute path, the
-- others lie below the data directory, which may move.
CREATE TABLE memory_roots (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL, -- 0: of no project
  kind       TEXT    NOT NULL CHECK (kind IN ('repo', 'home', 'global')),
  path       TEXT    NOT NULL UNIQUE,
  cloned     INTEGER NOT NULL DEFAULT 0, -- held memories before this installation wrote one
  created    INTEGER NOT NULL
) STRICT;
CREATE INDEX memory_roots_by_project ON memory_roots(project_id);

-- What the files say, and when they were last of use. All but the access can be
-- made again from the files. The text is the document of the same id; one that
-- is no longer in force has an empty entry in the index.
CREATE TABLE memories (
  doc_id        INTEGER PRIMARY KEY,
  root_id       INTEGER NOT NULL REFERENCES memory_roots(id),
  name          TEXT    NOT NULL, -- the id in the file
  path          TEXT    NOT NULL, -- below its root
  hash          TEXT    NOT NULL, -- of what was taken from the file
  form          TEXT    NOT NULL, -- decision, learning
  kind          TEXT    NOT NULL,
  state         TEXT    NOT NULL CHECK (state IN ('active', 'archived', 'superseded')),
  pinned        INTEGER NOT NULL,
  confidence    REAL    NOT NULL,
  origin        TEXT    NOT NULL, -- who wrote it: a run, cli, an agent
  tags          TEXT    NOT NULL, -- JSON array
  sources       TEXT    NOT NULL, -- JSON array of {session, ref}
  superseded_by TEXT    NOT NULL,
  created       INTEGER NOT NULL,
  updated       INTEGER NOT NULL,
  accessed      INTEGER NOT NULL DEFAULT 0,
  accesses      INTEGER NOT NULL DEFAULT 0,
  UNIQUE (root_id, name)
) STRICT;
