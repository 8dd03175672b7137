-- +goose Up
-- Every table leads with team_id, and what belongs to a project with project_key
-- behind it: one statement of a member touches one partition.
CREATE TABLE mum.teams (
  team_id uuid PRIMARY KEY,
  name    text NOT NULL UNIQUE CHECK (name ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
  created timestamptz NOT NULL DEFAULT now()
);

-- The key of tombstones and of search words. It stands by itself, so that a backup can leave it out.
CREATE TABLE mum.secrets (
  team_id uuid PRIMARY KEY REFERENCES mum.teams,
  key     text NOT NULL
);

CREATE TABLE mum.members (
  team_id uuid NOT NULL REFERENCES mum.teams,
  name    text NOT NULL CHECK (name ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
  role    text NOT NULL,
  invited timestamptz NOT NULL DEFAULT now(),
  removed timestamptz,
  PRIMARY KEY (team_id, name),
  UNIQUE (team_id, role)
);

CREATE TABLE mum.machines (
  team_id uuid NOT NULL,
  member  text NOT NULL,
  machine text NOT NULL CHECK (length(machine) BETWEEN 1 AND 64),
  seen    timestamptz NOT NULL DEFAULT now(),
  gone    timestamptz, -- left, with nothing kept
  PRIMARY KEY (team_id, member, machine),
  FOREIGN KEY (team_id, member) REFERENCES mum.members
);

CREATE TABLE mum.projects (
  team_id     uuid NOT NULL REFERENCES mum.teams,
  project_key text NOT NULL CHECK (length(project_key) BETWEEN 1 AND 300),
  added_by    text NOT NULL,
  added       timestamptz NOT NULL DEFAULT now(),
  keep_days   int CHECK (keep_days > 0), -- NULL: for ever
  PRIMARY KEY (team_id, project_key)
);

-- xid and seq say in which order versions were committed: whoever reads up to
-- pg_snapshot_xmin misses none that commits late.
CREATE SEQUENCE mum.items_seq;
CREATE TABLE mum.items (
  team_id     uuid   NOT NULL,
  project_key text   NOT NULL,
  item_id     uuid   NOT NULL,
  kind        text   NOT NULL CHECK (kind IN ('memory', 'note', 'summary')),
  author      text   NOT NULL,
  machine     text   NOT NULL CHECK (length(machine) BETWEEN 1 AND 64),
  hlc         bigint NOT NULL CHECK (hlc > 0),
  body        bytea  CHECK (octet_length(body) <= 70000), -- sealed; NULL once it is forgotten
  terms       bigint[] CHECK (cardinality(terms) <= 4096), -- keyed hashes of its words
  conflict_of uuid,
  deleted     boolean NOT NULL DEFAULT false,
  xid         bigint NOT NULL DEFAULT 0,
  seq         bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (team_id, project_key, item_id),
  CHECK (deleted = (body IS NULL))
) PARTITION BY HASH (project_key);

-- +goose StatementBegin
DO $$
BEGIN
  FOR i IN 0..15 LOOP
    EXECUTE format('CREATE TABLE mum.items_%s PARTITION OF mum.items FOR VALUES WITH (MODULUS 16, REMAINDER %s)', i, i);
    EXECUTE format('ALTER TABLE mum.items_%s ENABLE ROW LEVEL SECURITY', i);
  END LOOP;
END $$;
-- +goose StatementEnd
CREATE INDEX items_order ON mum.items (team_id, project_key, xid, seq);
CREATE INDEX items_terms ON mum.items USING gin (terms);

-- One key for each version of an item, gone when it is forgotten.
CREATE TABLE mum.keys (
  team_id     uuid  NOT NULL,
  project_key text  NOT NULL,
  item_id     uuid  NOT NULL,
  author      text  NOT NULL,
  key         bytea NOT NULL CHECK (octet_length(key) = 32),
  PRIMARY KEY (team_id, project_key, item_id)
);

-- Keyed hashes of what an author forgot: other machines do not send it again.
CREATE TABLE mum.graves (
  team_id     uuid   NOT NULL,
  project_key text   NOT NULL,
  author      text   NOT NULL,
  mac         text   NOT NULL CHECK (length(mac) = 64),
  at          bigint NOT NULL,
  PRIMARY KEY (team_id, project_key, author, mac)
);

-- Which machine has proved that its copy is gone.
CREATE TABLE mum.receipts (
  team_id     uuid NOT NULL,
  project_key text NOT NULL,
  item_id     uuid NOT NULL,
  member      text NOT NULL,
  machine     text NOT NULL CHECK (length(machine) BETWEEN 1 AND 64),
  at          timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, project_key, item_id, member, machine)
);

CREATE TABLE mum.audit (
  team_id     uuid   NOT NULL REFERENCES mum.teams,
  n           bigint NOT NULL,
  at          bigint NOT NULL, -- unix ms
  member      text   NOT NULL,
  machine     text   NOT NULL CHECK (machine !~ '\n' AND length(machine) <= 64),
  action      text   NOT NULL CHECK (action ~ '^[a-z]{1,20}$'),
  project_key text   NOT NULL CHECK (project_key !~ '\n' AND length(project_key) <= 300),
  count       bigint NOT NULL,
  hash        text   NOT NULL,
  PRIMARY KEY (team_id, n)
);
