-- +goose Up
-- Which documents are prompts, without a look at each of them.
CREATE INDEX docs_prompt_ids ON docs(id) WHERE kind = 'prompt';
-- The sessions of all projects, newest first.
CREATE INDEX sessions_by_time ON sessions(last, id);
-- Two segments of the index are enough to be merged when there is time.
INSERT INTO docs_fts(docs_fts, rank) VALUES ('usermerge', 2);
