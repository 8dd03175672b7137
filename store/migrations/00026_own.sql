-- +goose Up
-- Which memories this installation wrote, or the user took over. In a repository, all others may be someone else's. What
-- a file says of its own date does not count.
ALTER TABLE memories ADD COLUMN own INTEGER NOT NULL DEFAULT 0;
UPDATE memories SET own = 1 WHERE root_id IN (SELECT id FROM memory_roots r
  WHERE r.kind IN ('home', 'global')
     OR r.kind = 'repo' AND (NOT r.cloned OR memories.created >= r.created / 1000 * 1000));

-- The same by keyed hashes of project and id, for files that are missing for a while, or whose index was removed.
CREATE TABLE own_memories (
  mac TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

PRAGMA user_version = 26;
