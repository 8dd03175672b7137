-- +goose Up
-- Of sentences without spaces between words, single characters and the words of other scripts among them are in the
-- index, too. It is emptied here, and the documents are put into it step by step while the daemon runs.
-- A damaged one could not be dropped without this.
INSERT INTO docs_fts_config(k, v) VALUES ('version', 4) ON CONFLICT DO UPDATE SET v = 4;
DROP VIEW IF EXISTS docs_indexed;
DROP TABLE IF EXISTS docs_terms;
DROP TABLE IF EXISTS docs_fts;
CREATE VIRTUAL TABLE docs_fts USING fts5(
  text, content = '', detail = none, tokenize = 'porter unicode61 remove_diacritics 2'
);
INSERT INTO docs_fts(docs_fts, rank) VALUES ('secure-delete', 1);
INSERT INTO docs_fts(docs_fts, rank) VALUES ('usermerge', 2);
CREATE VIRTUAL TABLE docs_terms USING fts5vocab(docs_fts, row);
CREATE VIEW docs_indexed AS SELECT id & 0xFFFFFFFFFF AS id FROM docs_fts_docsize;
INSERT INTO meta (key, value) SELECT 'rebuild', '0 ' || max(id) FROM docs WHERE true HAVING max(id) > 0
  ON CONFLICT DO UPDATE SET value = excluded.value;

-- Forgetting a summary counted as forgetting an entry, which hid its session.
UPDATE sessions SET docs = (SELECT count(*) FROM docs d WHERE d.session_id = sessions.id AND d.kind <> 'summary'
  AND d.id <= (SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'indexed')) WHERE docs <= 0;

PRAGMA user_version = 25;
