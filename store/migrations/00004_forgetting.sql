-- +goose Up
-- Documents that are being forgotten: what a stop in the middle left is
-- finished at the next start.
CREATE TABLE forgetting (doc_id INTEGER PRIMARY KEY) STRICT;
