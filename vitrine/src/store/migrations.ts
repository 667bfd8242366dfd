// The schema as numbered steps for both databases. A shipped step is never edited. PostgreSQL orders ids by bytes, as SQLite
// does. Long because each step has its lines here.

import type { Migration, DatabaseSchema } from '../../../base/store/sql.ts'
import { tablesOfPostgres } from '../../../base/store/tables.ts'

const startTables = `CREATE TABLE keys (
     id TEXT PRIMARY KEY,
     name TEXT NOT NULL,
     digest BLOB NOT NULL CHECK (length(digest) = 32),
     connections TEXT NOT NULL,
     groups TEXT NOT NULL,
     per_minute INTEGER,
     created_at INTEGER NOT NULL,
     expires_at INTEGER,
     revoked_at INTEGER
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE secrets (
     name TEXT PRIMARY KEY,
     value BLOB NOT NULL
   ) STRICT, WITHOUT ROWID;`
const start: Migration = { sqlite: startTables, postgres: tablesOfPostgres(startTables, 'act') }

const indexes = `
   CREATE INDEX audit_by_act ON audit (act, seq);
   CREATE INDEX audit_by_target ON audit (target, seq);
   CREATE INDEX audit_by_who ON audit (who, seq);
   CREATE INDEX audit_by_outcome ON audit (outcome, seq);`

const custodyTables = `ALTER TABLE keys ADD COLUMN note TEXT;
   ALTER TABLE keys ADD COLUMN replaces TEXT;
   ALTER TABLE keys ADD COLUMN last_used_at INTEGER;
   CREATE TABLE connections (
     id TEXT PRIMARY KEY CHECK (id <> ''),
     epoch TEXT NOT NULL CHECK (epoch <> ''),
     version INTEGER NOT NULL CHECK (version >= 1),
     key_id TEXT NOT NULL,
     issuer_id TEXT,
     fingerprint TEXT NOT NULL CHECK (length(fingerprint) = 64),
     linkage TEXT CHECK (linkage = 'asked'),
     token_scope TEXT CHECK (token_scope = 'request'),
     master_key TEXT NOT NULL,
     wrapped BLOB NOT NULL CHECK (length(wrapped) > 0),
     sealed BLOB NOT NULL CHECK (length(sealed) > 0),
     created_at INTEGER NOT NULL,
     replaced_at INTEGER,
     last_used_at INTEGER
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE audit (
     seq INTEGER PRIMARY KEY CHECK (seq >= 1),
     at INTEGER NOT NULL,
     who TEXT NOT NULL,
     origin TEXT NOT NULL,
     request_id TEXT,
     act TEXT NOT NULL,
     target TEXT,
     outcome TEXT NOT NULL CHECK (outcome IN ('done', 'denied')),
     details TEXT NOT NULL,
     hash TEXT NOT NULL CHECK (length(hash) = 64)
   ) STRICT;`

/** hosted connections, and the audit log, which triggers allow only to grow */
const custody: Migration = {
  sqlite: `${custodyTables}
   CREATE TRIGGER audit_no_update BEFORE UPDATE ON audit
     BEGIN SELECT RAISE(ABORT, 'the audit is only ever added to'); END;
   CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit
     BEGIN SELECT RAISE(ABORT, 'the audit is only ever added to'); END;
   CREATE TRIGGER audit_no_replace BEFORE INSERT ON audit WHEN EXISTS (SELECT 1 FROM audit WHERE seq = NEW.seq)
     BEGIN SELECT RAISE(ABORT, 'the audit is only ever added to'); END;${indexes}`,
  postgres: `${tablesOfPostgres(custodyTables, 'act')}
   CREATE FUNCTION audit_only_grows() RETURNS trigger LANGUAGE plpgsql
     AS $$ BEGIN RAISE EXCEPTION 'the audit is only ever added to'; END $$;
   CREATE TRIGGER audit_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
     FOR EACH STATEMENT EXECUTE FUNCTION audit_only_grows();${indexes}`,
}

const byTime = 'CREATE INDEX audit_by_at ON audit (at, seq);'
const times: Migration = { sqlite: byTime, postgres: byTime }
const replicaTable = 'CREATE TABLE replicas (id TEXT PRIMARY KEY, seen_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;'
const replicas: Migration = { sqlite: replicaTable, postgres: tablesOfPostgres(replicaTable, 'act') }

/** the account behind each connection that a key names; NULL in rows of older versions */
const grantedAccounts = 'ALTER TABLE keys ADD COLUMN accounts TEXT;'
const grants: Migration = { sqlite: grantedAccounts, postgres: grantedAccounts }
/** keys of older versions were shown everything, and still are */
const personalColumn = 'ALTER TABLE keys ADD COLUMN personal INTEGER NOT NULL DEFAULT 1 CHECK (personal IN (0, 1));'
const personal: Migration = { sqlite: personalColumn, postgres: tablesOfPostgres(personalColumn, 'act') }
const budgetColumn = 'ALTER TABLE keys ADD COLUMN platform_calls_per_hour INTEGER;'
const budgets: Migration = { sqlite: budgetColumn, postgres: tablesOfPostgres(budgetColumn, 'act') }
const appsColumn = 'ALTER TABLE keys ADD COLUMN apps TEXT;'
const apps: Migration = { sqlite: appsColumn, postgres: appsColumn }
const hourTable = 'CREATE TABLE hours (hour INTEGER PRIMARY KEY, sums TEXT NOT NULL) STRICT;'
const hours: Migration = { sqlite: hourTable, postgres: tablesOfPostgres(hourTable, 'act') }
const anchorMoves = 'the anchor of the audit moves on with a line that tells of it, and in no other way'
/** the anchor names existing lines, or is part of a copy */
const namesLines = `EXISTS (SELECT 1 FROM secrets WHERE name = 'store.copying') OR (
       EXISTS (SELECT 1 FROM audit WHERE seq = NEW.through AND hash = NEW.hash) AND
       EXISTS (SELECT 1 FROM audit WHERE seq = NEW.line AND hash = NEW.line_hash AND act = 'audit.prune'))`
const place = (of: 'OLD' | 'NEW'): string =>
  `(${['id', 'through', 'hash', 'from_at', 'to_at', 'pruned_at', 'line', 'line_hash'].map((one) => `${of}.${one}`).join()})`
const movesOn = `NEW.through > OLD.through AND (${namesLines}) OR ${place('NEW')} = ${place('OLD')}`

const anchorTable = `CREATE TABLE audit_anchor (
     id INTEGER PRIMARY KEY CHECK (id = 1),
     through INTEGER NOT NULL CHECK (through >= 1),
     hash TEXT NOT NULL CHECK (length(hash) = 64),
     from_at INTEGER NOT NULL,
     to_at INTEGER NOT NULL,
     pruned_at INTEGER NOT NULL,
     line INTEGER NOT NULL CHECK (line > through),
     line_hash TEXT NOT NULL CHECK (length(line_hash) = 64),
     sealed_by TEXT NOT NULL,
     seal BLOB NOT NULL CHECK (length(seal) = 32)
   ) STRICT;`

/** the anchor of a pruned log: only lines up to it may be deleted */
const anchor: Migration = {
  sqlite: `${anchorTable}
   CREATE TRIGGER audit_anchor_no_delete BEFORE DELETE ON audit_anchor
     BEGIN SELECT RAISE(ABORT, '${anchorMoves}'); END;
   CREATE TRIGGER audit_anchor_insert BEFORE INSERT ON audit_anchor
     WHEN EXISTS (SELECT 1 FROM audit_anchor) OR NOT (${namesLines})
     BEGIN SELECT RAISE(ABORT, '${anchorMoves}'); END;
   CREATE TRIGGER audit_anchor_update BEFORE UPDATE ON audit_anchor WHEN NOT (${movesOn})
     BEGIN SELECT RAISE(ABORT, '${anchorMoves}'); END;
   DROP TRIGGER audit_no_delete;
   CREATE TRIGGER audit_no_delete BEFORE DELETE ON audit
     WHEN NOT EXISTS (SELECT 1 FROM audit_anchor WHERE OLD.seq <= through)
     BEGIN SELECT RAISE(ABORT, 'the audit is only ever added to'); END;
   CREATE TRIGGER audit_no_return BEFORE INSERT ON audit
     WHEN EXISTS (SELECT 1 FROM audit_anchor WHERE NEW.seq <= through)
     BEGIN SELECT RAISE(ABORT, 'the audit is only ever added to'); END;`,
  postgres: `${tablesOfPostgres(anchorTable, 'act')}
   CREATE FUNCTION audit_anchor_stays() RETURNS trigger LANGUAGE plpgsql
     AS $$ BEGIN RAISE EXCEPTION '${anchorMoves}'; END $$;
   CREATE TRIGGER audit_anchor_stays BEFORE DELETE OR TRUNCATE ON audit_anchor
     FOR EACH STATEMENT EXECUTE FUNCTION audit_anchor_stays();
   CREATE FUNCTION audit_anchor_moves() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     IF TG_OP = 'INSERT' THEN
       IF NOT EXISTS (SELECT 1 FROM audit_anchor) AND (${namesLines}) THEN RETURN NEW; END IF;
     ELSIF ${movesOn} THEN RETURN NEW;
     END IF;
     RAISE EXCEPTION '${anchorMoves}';
   END $$;
   CREATE TRIGGER audit_anchor_moves BEFORE INSERT OR UPDATE ON audit_anchor
     FOR EACH ROW EXECUTE FUNCTION audit_anchor_moves();
   DROP TRIGGER audit_only_grows ON audit;
   CREATE TRIGGER audit_only_grows BEFORE UPDATE OR TRUNCATE ON audit
     FOR EACH STATEMENT EXECUTE FUNCTION audit_only_grows();
   CREATE FUNCTION audit_keeps() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     IF EXISTS (SELECT 1 FROM gone WHERE seq > coalesce((SELECT through FROM audit_anchor), 0))
       THEN RAISE EXCEPTION 'the audit is only ever added to'; END IF;
     RETURN NULL;
   END $$;
   CREATE TRIGGER audit_keeps AFTER DELETE ON audit REFERENCING OLD TABLE AS gone
     FOR EACH STATEMENT EXECUTE FUNCTION audit_keeps();
   CREATE FUNCTION audit_goes_on() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
     IF EXISTS (SELECT 1 FROM added WHERE seq <= (SELECT through FROM audit_anchor))
       THEN RAISE EXCEPTION 'the audit is only ever added to'; END IF;
     RETURN NULL;
   END $$;
   CREATE TRIGGER audit_goes_on AFTER INSERT ON audit REFERENCING NEW TABLE AS added
     FOR EACH STATEMENT EXECUTE FUNCTION audit_goes_on();`,
}

export const migrations: readonly Migration[] = [
  start,
  custody,
  times,
  replicas,
  grants,
  anchor,
  personal,
  budgets,
  apps,
  hours,
]
export const schema: DatabaseSchema = { name: 'vitrine', title: 'Vitrine', migrations, writersLock: 7_485_103_622 }
