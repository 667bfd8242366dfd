// One text of a table for both databases: SQLite's.

/** PostgreSQL's names of the types and options; `columns` are ordered by bytes, as every primary key is */
export const tablesOfPostgres = (tables: string, ...columns: readonly string[]): string =>
  columns.reduce(
    (text, column) => text.replaceAll(`${column} TEXT`, `${column} TEXT COLLATE "C"`),
    tables
      .replaceAll('BLOB', 'BYTEA')
      .replaceAll('INTEGER', 'BIGINT')
      .replaceAll(/\) STRICT(, WITHOUT ROWID)?;/g, ');')
      .replaceAll('TEXT PRIMARY KEY', 'TEXT COLLATE "C" PRIMARY KEY'),
  )
