// The schema, as numbered steps. A step that has shipped is never edited; the next one mends it.

export const migrations: readonly string[] = [
  `CREATE TABLE keys (
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
   ) STRICT, WITHOUT ROWID;`,
]
