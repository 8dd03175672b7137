-- +goose Up
-- A commit of a repository is a document, too. Which kinds there are stands in
-- the text of the table alone, so no row of it has to be written anew.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, '''memory'')', '''memory'', ''commit'')') WHERE type = 'table' AND name = 'docs';
PRAGMA writable_schema = RESET;

-- Repositories whose history was read.
CREATE TABLE repositories (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  common_dir TEXT    NOT NULL UNIQUE, -- git's own directory, shared by all worktrees
  project_id INTEGER NOT NULL,
  state      TEXT    NOT NULL DEFAULT '' -- hash of what its branches pointed to when all of it was read
) STRICT;

-- The commits that were looked at. Two may be one document: the same change
-- before and after a rebase, or picked onto another branch.
CREATE TABLE commits (
  project_id    INTEGER NOT NULL,
  hash          TEXT    NOT NULL,
  doc_id        INTEGER, -- NULL: nothing of it is kept
  repository_id INTEGER NOT NULL, -- 0: it was imported
  identity      TEXT    NOT NULL, -- keyed hash of what a rebase leaves as it is
  PRIMARY KEY (project_id, hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX commits_by_identity ON commits(project_id, identity) WHERE doc_id IS NOT NULL;
CREATE INDEX commits_by_doc ON commits(doc_id) WHERE doc_id IS NOT NULL;
CREATE INDEX commits_by_repository ON commits(repository_id);

-- What differs in a working tree from its default branch, as it was last seen.
CREATE TABLE touched (
  root       TEXT    PRIMARY KEY, -- top of the working tree
  project_id INTEGER NOT NULL,
  branch     TEXT    NOT NULL,
  files      TEXT    NOT NULL, -- JSON array of {path, uncommitted}
  at         INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX touched_by_project ON touched(project_id);
