-- +goose Up
-- What somebody notes about what is being done is a document, too. Which kinds there
-- are stands in the text of the table alone.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, '''commit'')', '''commit'', ''note'')') WHERE type = 'table' AND name = 'docs';
PRAGMA writable_schema = RESET;

CREATE INDEX docs_notes ON docs(session_id, id) WHERE kind = 'note';

PRAGMA user_version = 17;
