// The schema as numbered steps for both databases. A shipped step is never edited.
import type { DatabaseSchema, Migration } from '../../../base/store/sql.ts'
import { tablesOfPostgres } from '../../../base/store/tables.ts'

const tables = `
  CREATE TABLE secrets (
    name TEXT PRIMARY KEY,
    value BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE accounts (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL UNIQUE,
    password TEXT,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    name TEXT NOT NULL,
    prefix TEXT NOT NULL UNIQUE,
    digest BLOB NOT NULL CHECK (length(digest) = 32),
    scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    created_by TEXT NOT NULL,
    last_used_at INTEGER,
    expires_at INTEGER,
    revoked_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX api_keys_by_account ON api_keys (account, created_at, id);
  CREATE TABLE sessions (
    digest BLOB PRIMARY KEY CHECK (length(digest) = 32),
    account TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL,
    ends_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE containers (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    name TEXT,
    status TEXT NOT NULL,
    reason TEXT,
    exit_code INTEGER,
    image TEXT NOT NULL,
    spec TEXT NOT NULL,
    cpu_hundredths INTEGER NOT NULL,
    memory_mib INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    active_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    idle_ms INTEGER,
    deleted_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX containers_by_account ON containers (account, created_at, id);
  CREATE INDEX containers_by_status ON containers (status, account);
  CREATE INDEX containers_by_image ON containers (image, status);
  CREATE UNIQUE INDEX containers_by_name ON containers (account, name) WHERE status <> 'deleted';
  CREATE TABLE images (
    id TEXT PRIMARY KEY,
    account TEXT,
    name TEXT NOT NULL,
    status TEXT NOT NULL,
    error TEXT,
    size_bytes INTEGER,
    config TEXT NOT NULL,
    base_id TEXT,
    base_name TEXT,
    engine_id TEXT,
    created_at INTEGER NOT NULL,
    finished_at INTEGER,
    deleted_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX images_by_account ON images (account, created_at, id);
  CREATE INDEX images_by_status ON images (status, account);
  CREATE UNIQUE INDEX images_by_name ON images (account, name)
    WHERE deleted_at IS NULL AND status IN ('queued', 'building', 'ready');
  CREATE TABLE image_logs (
    image TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at INTEGER NOT NULL,
    step INTEGER NOT NULL,
    stream TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (image, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE commands (
    id TEXT PRIMARY KEY,
    container TEXT NOT NULL,
    user_ids TEXT NOT NULL,
    is_detached INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX commands_by_container ON commands (container);
  CREATE TABLE ssh_sessions (
    id TEXT PRIMARY KEY,
    container TEXT NOT NULL,
    account TEXT NOT NULL,
    key_id TEXT NOT NULL,
    public_key TEXT NOT NULL,
    ends_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX ssh_sessions_by_container ON ssh_sessions (container, ends_at);
  CREATE TABLE idempotency (
    account TEXT NOT NULL,
    route TEXT NOT NULL,
    idempotency_key TEXT NOT NULL,
    digest BLOB NOT NULL,
    status INTEGER,
    location TEXT,
    body TEXT,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (account, route, idempotency_key)
  ) STRICT, WITHOUT ROWID;
`

const start: Migration = {
  sqlite: tables,
  postgres: tablesOfPostgres(tables, 'account', 'route', 'idempotency_key', 'image', 'container', 'key_id'),
}

const keepTargets = `
  DELETE FROM idempotency WHERE status IS NULL;
  ALTER TABLE idempotency ADD COLUMN target TEXT;
`

const identityTable = `
  CREATE TABLE identities (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    account TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (issuer, subject)
  ) STRICT, WITHOUT ROWID;
`

const identities: Migration = {
  sqlite: identityTable,
  postgres: tablesOfPostgres(identityTable, 'issuer', 'subject', 'account'),
}

const checkpointTable = `
  CREATE TABLE checkpoints (
    id TEXT PRIMARY KEY,
    account TEXT NOT NULL,
    step_key TEXT NOT NULL,
    base TEXT NOT NULL,
    status TEXT NOT NULL,
    engine_id TEXT,
    size_bytes INTEGER NOT NULL,
    depth INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    used_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE UNIQUE INDEX checkpoints_by_key ON checkpoints (account, step_key) WHERE status <> 'evicted';
  CREATE INDEX checkpoints_by_base ON checkpoints (account, base);
`

const checkpoints: Migration = {
  sqlite: checkpointTable,
  postgres: tablesOfPostgres(checkpointTable, 'account', 'step_key', 'base'),
}

const secretTable = `
  CREATE TABLE container_secrets (
    container TEXT PRIMARY KEY,
    sealed BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;
`

const containerSecrets: Migration = { sqlite: secretTable, postgres: tablesOfPostgres(secretTable) }

const leaseTable = `
  CREATE TABLE service_lease (
    holder TEXT PRIMARY KEY,
    host TEXT NOT NULL,
    process_id INTEGER NOT NULL,
    since INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`

/** SQLite has a lock on a file instead */
const serviceLease: Migration = { sqlite: 'SELECT 1', postgres: tablesOfPostgres(leaseTable) }

const logSizes: Migration = {
  sqlite: 'ALTER TABLE images ADD COLUMN log_bytes INTEGER NOT NULL DEFAULT 0',
  postgres: 'ALTER TABLE images ADD COLUMN log_bytes BIGINT NOT NULL DEFAULT 0',
}

export const schema: DatabaseSchema = {
  name: 'atelier',
  title: 'Atelier',
  migrations: [
    start,
    { sqlite: keepTargets, postgres: keepTargets },
    identities,
    checkpoints,
    containerSecrets,
    serviceLease,
    logSizes,
  ],
  writersLock: 7_485_103_623,
}
