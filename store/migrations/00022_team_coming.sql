-- +goose Up
-- What an item will say here, noted before it is put in its place: a process that is killed in between finds
-- at the next start that it put it there itself.
ALTER TABLE team_items ADD COLUMN coming BLOB NOT NULL DEFAULT x'';

ALTER TABLE team ADD COLUMN synced INTEGER NOT NULL DEFAULT 0; -- unix ms of the last complete sync

PRAGMA user_version = 22;
