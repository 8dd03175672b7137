-- +goose Up
-- How many answers there are is counted without reading a prompt.
CREATE INDEX docs_answers ON docs(id) WHERE kind = 'prompt' AND role = 'assistant';

-- +goose Down
DROP INDEX docs_answers;
