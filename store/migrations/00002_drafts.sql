-- +goose Up
-- The revision of a unit that has a first summary, made without a model.
ALTER TABLE jobs ADD COLUMN drafted INTEGER NOT NULL DEFAULT 0;
CREATE INDEX jobs_undrafted ON jobs(kind, id) WHERE drafted < rev;

PRAGMA user_version = 2;
