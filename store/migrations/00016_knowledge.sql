-- +goose Up
-- What a memory answers, and when it held: from valid_from on (unix ms), until
-- valid_to (0 = open), and in each [from, to] of held.
ALTER TABLE memories ADD COLUMN key TEXT NOT NULL DEFAULT '';
ALTER TABLE memories ADD COLUMN valid_from INTEGER NOT NULL DEFAULT 0;
ALTER TABLE memories ADD COLUMN valid_to INTEGER NOT NULL DEFAULT 0;
ALTER TABLE memories ADD COLUMN held TEXT NOT NULL DEFAULT '[]';
UPDATE memories SET valid_from = coalesce((SELECT at FROM docs WHERE id = doc_id), created);
CREATE INDEX memories_by_key ON memories(key) WHERE key <> '';
CREATE INDEX memories_put_away ON memories(doc_id) WHERE state <> 'active';
