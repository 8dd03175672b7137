-- +goose Up
-- Which memory leads to which other one, made of the files: target is an id of the same
-- tree, or of the one that holds everywhere.
CREATE TABLE memory_links (
  doc_id INTEGER NOT NULL,
  kind   TEXT    NOT NULL, -- depends_on, see, replaces
  target TEXT    NOT NULL,
  PRIMARY KEY (doc_id, kind, target)
) STRICT, WITHOUT ROWID;

-- +goose StatementBegin
CREATE TRIGGER memory_links_go_with_docs AFTER DELETE ON docs BEGIN
  DELETE FROM memory_links WHERE doc_id = old.id;
END;
-- +goose StatementEnd

PRAGMA user_version = 18;
