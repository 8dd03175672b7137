-- +goose Up
-- Who asks is the role that logged in, whatever it pretends.
-- +goose StatementBegin
CREATE FUNCTION mum.mine() RETURNS TABLE (team_id uuid, name text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT m.team_id, m.name FROM mum.members m WHERE m.role = session_user AND m.removed IS NULL
$$;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE FUNCTION mum.stamp_item() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF OLD.deleted THEN
      RAISE EXCEPTION 'item is forgotten' USING ERRCODE = 'MUM01';
    END IF;
    IF NEW.author <> OLD.author OR NEW.item_id <> OLD.item_id OR NEW.project_key <> OLD.project_key
       OR NEW.team_id <> OLD.team_id OR NEW.kind <> OLD.kind THEN
      RAISE EXCEPTION 'an item keeps its author, kind and place' USING ERRCODE = 'MUM02';
    END IF;
    IF NEW.hlc <= OLD.hlc THEN
      RAISE EXCEPTION 'the version is not newer' USING ERRCODE = 'MUM03';
    END IF;
  END IF;
  -- Two days: a clock may be a day off, and the next one too.
  IF (NEW.hlc >> 16) > extract(epoch FROM clock_timestamp()) * 1000 + 172800000 THEN
    RAISE EXCEPTION 'the clock is days ahead' USING ERRCODE = 'MUM04';
  END IF;
  IF NOT EXISTS (SELECT 1 FROM mum.projects p WHERE p.team_id = NEW.team_id AND p.project_key = NEW.project_key) THEN
    RAISE EXCEPTION 'the project is not shared' USING ERRCODE = 'MUM05';
  END IF;
  IF NEW.deleted THEN
    NEW.body := NULL;
    NEW.terms := NULL;
    IF TG_OP = 'UPDATE' THEN
      DELETE FROM mum.keys k
        WHERE k.team_id = NEW.team_id AND k.project_key = NEW.project_key AND k.item_id = NEW.item_id;
    END IF;
  END IF;
  NEW.xid := pg_current_xact_id()::text::bigint;
  NEW.seq := nextval('mum.items_seq');
  RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER items_stamp BEFORE INSERT OR UPDATE ON mum.items FOR EACH ROW EXECUTE FUNCTION mum.stamp_item();

-- +goose StatementBegin
CREATE FUNCTION mum.chain_audit() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
  last mum.audit;
  owner text;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(NEW.team_id::text, 7));
  SELECT * INTO last FROM mum.audit a WHERE a.team_id = NEW.team_id ORDER BY a.n DESC LIMIT 1;
  SELECT m.name INTO NEW.member FROM mum.members m
    WHERE m.team_id = NEW.team_id AND m.role = session_user
      AND (m.removed IS NULL OR NEW.action = 'purged');
  IF NEW.member IS NULL AND pg_has_role(session_user, current_user, 'MEMBER') THEN
    NEW.member := '(admin)';
  END IF;
  NEW.n := coalesce(last.n, 0) + 1;
  NEW.at := floor(extract(epoch FROM clock_timestamp()) * 1000);
  NEW.hash := encode(sha256(convert_to(concat_ws(E'\n', coalesce(last.hash, ''), NEW.n, NEW.at, NEW.member,
    NEW.machine, NEW.action, NEW.project_key, NEW.count), 'UTF8')), 'hex');
  RETURN NEW;
END $$;
-- +goose StatementEnd
CREATE TRIGGER audit_chain BEFORE INSERT ON mum.audit FOR EACH ROW EXECUTE FUNCTION mum.chain_audit();

ALTER TABLE mum.teams    ENABLE ROW LEVEL SECURITY;
ALTER TABLE mum.secrets  ENABLE ROW LEVEL SECURITY;
ALTER TABLE mum.members  ENABLE ROW LEVEL SECURITY;
ALTER TABLE mum.machines ENABLE ROW LEVEL SECURITY;
ALTER TABLE mum.projects ENABLE ROW LEVEL SECURITY;
ALTER TABLE mum.items    ENABLE ROW LEVEL SECURITY;
ALTER TABLE mum.keys     ENABLE ROW LEVEL SECURITY;
ALTER TABLE mum.graves   ENABLE ROW LEVEL SECURITY;
ALTER TABLE mum.receipts ENABLE ROW LEVEL SECURITY;
ALTER TABLE mum.audit    ENABLE ROW LEVEL SECURITY;

CREATE POLICY see ON mum.teams    FOR SELECT USING (team_id = ANY (ARRAY(SELECT m.team_id FROM mum.mine() m)));
CREATE POLICY see ON mum.secrets  FOR SELECT USING (team_id = ANY (ARRAY(SELECT m.team_id FROM mum.mine() m)));
CREATE POLICY see ON mum.members  FOR SELECT USING (team_id = ANY (ARRAY(SELECT m.team_id FROM mum.mine() m)));
-- A member who was removed must be able to learn it.
CREATE POLICY self ON mum.members FOR SELECT USING (role = session_user);
CREATE POLICY see ON mum.machines FOR SELECT USING (team_id = ANY (ARRAY(SELECT m.team_id FROM mum.mine() m)));
CREATE POLICY see ON mum.projects FOR SELECT USING (team_id = ANY (ARRAY(SELECT m.team_id FROM mum.mine() m)));
CREATE POLICY see ON mum.items    FOR SELECT USING (team_id = ANY (ARRAY(SELECT m.team_id FROM mum.mine() m)));
CREATE POLICY see ON mum.keys     FOR SELECT USING (team_id = ANY (ARRAY(SELECT m.team_id FROM mum.mine() m)));
CREATE POLICY see ON mum.graves   FOR SELECT USING (team_id = ANY (ARRAY(SELECT m.team_id FROM mum.mine() m)));
CREATE POLICY see ON mum.receipts FOR SELECT USING (team_id = ANY (ARRAY(SELECT m.team_id FROM mum.mine() m)));
CREATE POLICY see ON mum.audit    FOR SELECT USING (team_id = ANY (ARRAY(SELECT m.team_id FROM mum.mine() m)));

CREATE POLICY own_insert ON mum.machines FOR INSERT WITH CHECK ((team_id, member) IN (SELECT m.team_id, m.name FROM mum.mine() m));
CREATE POLICY own_update ON mum.machines FOR UPDATE USING ((team_id, member) IN (SELECT m.team_id, m.name FROM mum.mine() m));
CREATE POLICY own_insert ON mum.projects FOR INSERT WITH CHECK ((team_id, added_by) IN (SELECT m.team_id, m.name FROM mum.mine() m));
CREATE POLICY own_insert ON mum.items    FOR INSERT WITH CHECK ((team_id, author) IN (SELECT m.team_id, m.name FROM mum.mine() m));
CREATE POLICY own_update ON mum.items    FOR UPDATE USING ((team_id, author) IN (SELECT m.team_id, m.name FROM mum.mine() m));
CREATE POLICY own_insert ON mum.keys     FOR INSERT WITH CHECK ((team_id, author) IN (SELECT m.team_id, m.name FROM mum.mine() m));
CREATE POLICY own_update ON mum.keys     FOR UPDATE USING ((team_id, author) IN (SELECT m.team_id, m.name FROM mum.mine() m));
CREATE POLICY own_insert ON mum.graves   FOR INSERT WITH CHECK ((team_id, author) IN (SELECT m.team_id, m.name FROM mum.mine() m));
CREATE POLICY own_update ON mum.graves   FOR UPDATE USING ((team_id, author) IN (SELECT m.team_id, m.name FROM mum.mine() m));
CREATE POLICY own_insert ON mum.receipts FOR INSERT WITH CHECK ((team_id, member) IN (SELECT m.team_id, m.name FROM mum.mine() m));
CREATE POLICY own_insert ON mum.audit    FOR INSERT WITH CHECK (team_id = ANY (ARRAY(SELECT m.team_id FROM mum.mine() m)));
-- Somebody who was removed says that nothing is left.
CREATE POLICY last_word ON mum.audit FOR INSERT WITH CHECK (action = 'purged'
  AND EXISTS (SELECT 1 FROM mum.members m WHERE m.team_id = audit.team_id AND m.role = session_user));
CREATE POLICY last_word ON mum.machines FOR UPDATE USING (
  EXISTS (SELECT 1 FROM mum.members m WHERE m.team_id = machines.team_id AND m.name = machines.member AND m.role = session_user));
CREATE POLICY last_look ON mum.machines FOR SELECT USING (
  EXISTS (SELECT 1 FROM mum.members m WHERE m.team_id = machines.team_id AND m.name = machines.member AND m.role = session_user));
