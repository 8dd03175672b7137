-- +goose Up
-- Which session a document is of, without a look at the document.
CREATE INDEX docs_owners ON docs(id, session_id, kind, role);

-- +goose Down
DROP INDEX docs_owners;
