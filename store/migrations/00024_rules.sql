-- +goose Up
-- Rules that the user stated, to notice what several sessions say: keyed hashes, no text.
CREATE TABLE rules (
  words   TEXT    NOT NULL, -- of the rule
  message TEXT    NOT NULL, -- the message with it and the user's message before: the same in a copy of the session
  session TEXT    NOT NULL, -- key of the session in the catalogue
  at      INTEGER NOT NULL, -- unix ms, when it was first stated there
  PRIMARY KEY (words, session)
) STRICT, WITHOUT ROWID;
CREATE INDEX rules_by_session ON rules(session);

PRAGMA user_version = 24;
