-- +goose Up
-- Up to which document the index, the totals, the sessions' counters and the jobs are
-- written: what lies above is folded in at the next start.
INSERT INTO meta (key, value) SELECT 'indexed', coalesce(max(id), 0) FROM docs;

PRAGMA user_version = 12;
