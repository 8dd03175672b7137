-- +goose Up
-- On which branch something was said, if that is not the branch on which its session began.
ALTER TABLE docs ADD COLUMN branch TEXT;

-- A JSON array of these branches ('' = none), so that nobody searches the documents for them.
ALTER TABLE sessions ADD COLUMN branches TEXT NOT NULL DEFAULT '';

PRAGMA user_version = 27;
