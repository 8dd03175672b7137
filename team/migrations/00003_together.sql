-- +goose Up
-- Which machine reads which project: it is waited for when something of that is forgotten.
CREATE TABLE mum.readers (
  team_id     uuid NOT NULL,
  project_key text NOT NULL,
  member      text NOT NULL,
  machine     text NOT NULL CHECK (length(machine) BETWEEN 1 AND 64),
  since       timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, project_key, member, machine)
);
ALTER TABLE mum.readers ENABLE ROW LEVEL SECURITY;
CREATE POLICY see ON mum.readers FOR SELECT USING (team_id = ANY (ARRAY(SELECT m.team_id FROM mum.mine() m)));
CREATE POLICY own_insert ON mum.readers FOR INSERT WITH CHECK ((team_id, member) IN (SELECT m.team_id, m.name FROM mum.mine() m));
CREATE POLICY own_delete ON mum.readers FOR DELETE USING ((team_id, member) IN (SELECT m.team_id, m.name FROM mum.mine() m));

-- Items that have all of some words, or any. Row-level security lets no index of words be used by a
-- member's own statement, so this one asks by itself which rows are theirs.
-- +goose StatementBegin
CREATE FUNCTION mum.search(team uuid, project text, words bigint[], every boolean, many int)
RETURNS TABLE (project_key text, item_id uuid, kind text, author text, machine text, hlc bigint, body bytea, key bytea)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
#variable_conflict use_column
BEGIN
  IF NOT EXISTS (SELECT 1 FROM mum.mine() m WHERE m.team_id = $1) THEN
    RETURN;
  END IF;
  IF every THEN
    RETURN QUERY SELECT f.project_key, f.item_id, f.kind, f.author, f.machine, f.hlc, f.body, k.key
      FROM (SELECT i.* FROM mum.items i WHERE i.team_id = $1 AND ($2 = '' OR i.project_key = $2) AND NOT i.deleted
        AND i.terms @> $3 LIMIT least($5, 2000)) f
      JOIN mum.keys k ON k.team_id = f.team_id AND k.project_key = f.project_key AND k.item_id = f.item_id;
  ELSE
    RETURN QUERY SELECT f.project_key, f.item_id, f.kind, f.author, f.machine, f.hlc, f.body, k.key
      FROM (SELECT i.* FROM mum.items i WHERE i.team_id = $1 AND ($2 = '' OR i.project_key = $2) AND NOT i.deleted
        AND i.terms && $3 LIMIT least($5, 2000)) f
      JOIN mum.keys k ON k.team_id = f.team_id AND k.project_key = f.project_key AND k.item_id = f.item_id;
  END IF;
END $$;
-- +goose StatementEnd

-- Retention: what was not changed for the days of its project ends in the shared place, and with its readers. Nobody
-- forgot it, so its author's machines keep theirs: conflict_of names the item itself.
ALTER TABLE mum.projects ADD COLUMN expired timestamptz; -- when that was last looked at
-- +goose StatementBegin
CREATE FUNCTION mum.expire() RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
  total bigint := 0;
  n bigint;
  p record;
BEGIN
  FOR p IN UPDATE mum.projects x SET expired = now()
    WHERE x.keep_days IS NOT NULL AND (x.expired IS NULL OR x.expired < now() - interval '6 hours')
      AND x.team_id = ANY (ARRAY(SELECT m.team_id FROM mum.mine() m))
    RETURNING x.team_id, x.project_key, x.keep_days
  LOOP
    WITH gone AS (UPDATE mum.items i SET deleted = true, conflict_of = i.item_id, hlc = i.hlc + 1
      WHERE i.team_id = p.team_id AND i.project_key = p.project_key AND NOT i.deleted
        AND i.hlc < ((extract(epoch FROM now()) * 1000)::bigint - p.keep_days * 86400000::bigint) << 16 RETURNING 1)
    SELECT count(*) INTO n FROM gone;
    IF n > 0 THEN
      INSERT INTO mum.audit (team_id, n, at, member, machine, action, project_key, count, hash)
        VALUES (p.team_id, 0, 0, '', '', 'expire', p.project_key, n, '');
    END IF;
    total := total + n;
  END LOOP;
  RETURN total;
END $$;
-- +goose StatementEnd
