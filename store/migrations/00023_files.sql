-- +goose Up
-- A number for each file of a project that an agent read or changed, and what was in it then:
-- keyed hashes and ids, no text. The document that names the file has its path.
CREATE TABLE files (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL,
  path       TEXT    NOT NULL, -- keyed hash of the path below the top of the repository
  doc_id     INTEGER NOT NULL, -- the latest document that names it,
  place      INTEGER NOT NULL, -- and its place there
  hash       TEXT    NOT NULL, -- keyed hash of the content
  UNIQUE (project_id, path)
) STRICT;
CREATE INDEX files_by_doc ON files(doc_id);

-- In which order memories are told, for an overview that shows few of many.
CREATE INDEX memories_to_tell ON memories(pinned DESC, confidence DESC, updated DESC, doc_id DESC, root_id)
  WHERE state = 'active';

PRAGMA user_version = 23;
