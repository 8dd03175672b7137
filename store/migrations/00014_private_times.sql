-- +goose Up
-- When a private session was at work in a repository: what was committed then
-- is not read. Nothing else is known of such a session.
CREATE TABLE private_times (
  common_dir TEXT    NOT NULL,
  since      INTEGER NOT NULL,
  until      INTEGER NOT NULL,
  PRIMARY KEY (common_dir, since)
) STRICT, WITHOUT ROWID;
