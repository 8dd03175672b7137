-- +goose Up
-- On which branch alone a memory holds ('' = everywhere), and which memories it takes
-- the place of there: names, as JSON.
ALTER TABLE memories ADD COLUMN branch TEXT NOT NULL DEFAULT '';
ALTER TABLE memories ADD COLUMN instead TEXT NOT NULL DEFAULT '';
CREATE INDEX memories_by_branch ON memories(branch) WHERE branch <> '';
ALTER TABLE proposals ADD COLUMN branch TEXT NOT NULL DEFAULT '';

-- The branches of a repository, as they were last seen.
CREATE TABLE branches (
  repository_id INTEGER NOT NULL,
  name          TEXT    NOT NULL,
  tip           TEXT    NOT NULL, -- its last commit
  own           INTEGER NOT NULL DEFAULT 0, -- 1 = that was not in the default branch
  base          TEXT    NOT NULL DEFAULT '', -- where it left the default branch
  standing      TEXT    NOT NULL DEFAULT 'open', -- open, merged, lost
  seen          INTEGER NOT NULL, -- unix ms; when it was last there
  PRIMARY KEY (repository_id, name)
) STRICT, WITHOUT ROWID;
