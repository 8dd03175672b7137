-- +goose Up
-- What was taken out of one document, and what was sent of one turn, without a walk over the ledger.
CREATE INDEX ledger_by_doc ON ledger(doc_id) WHERE doc_id > 0;
CREATE INDEX ledger_by_job ON ledger(job_id) WHERE job_id > 0;

-- The prompt that something was told for; 0 = a session start, or before there was this column.
ALTER TABLE injections ADD COLUMN doc_id INTEGER NOT NULL DEFAULT 0;
CREATE INDEX injections_by_doc ON injections(doc_id) WHERE doc_id > 0;

-- Documents with a denied path, without a look at all others.
CREATE INDEX docs_excluded ON docs(id) WHERE excluded = 1;

-- What the user wants told to no agent again. It stays searchable.
CREATE TABLE untold (
  doc_id INTEGER PRIMARY KEY,
  at     INTEGER NOT NULL
) STRICT;

-- +goose StatementBegin
CREATE TRIGGER untold_goes_with_docs AFTER DELETE ON docs BEGIN
  DELETE FROM untold WHERE doc_id = old.id;
END;
-- +goose StatementEnd

-- How large the database was, a row a day.
CREATE TABLE sizes (
  day   INTEGER PRIMARY KEY, -- unix days
  bytes INTEGER NOT NULL,
  docs  INTEGER NOT NULL
) STRICT;

PRAGMA user_version = 15;
