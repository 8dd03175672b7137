-- +goose Up
CREATE INDEX injections_by_session ON injections(session_id);
