-- +goose Up
-- What a text means, as a local model puts it: numbers of one byte each, of a
-- vector of length one. A vector goes when its text goes or changes.
CREATE TABLE vectors (
  doc_id INTEGER PRIMARY KEY,
  model  TEXT NOT NULL, -- digest of the model that made it
  vector BLOB NOT NULL
) STRICT;
CREATE INDEX docs_meaning ON docs(id) WHERE kind IN ('prompt', 'summary', 'memory');

-- +goose StatementBegin
CREATE TRIGGER vectors_go_with_docs AFTER DELETE ON docs BEGIN
  DELETE FROM vectors WHERE doc_id = old.id;
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER vectors_go_with_texts AFTER UPDATE OF title, body ON docs BEGIN
  DELETE FROM vectors WHERE doc_id = old.id;
END;
-- +goose StatementEnd

