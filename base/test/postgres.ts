// A PostgreSQL server for the tests: the one in TEST_POSTGRES_URL, the one on this machine, or one that is started here. Each
// test gets its own database. Without a server the tests are skipped with a message; in CI they fail.
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { skipReason } from './required-server.ts'
import { freePort } from './free-port.ts'

export interface FreshDatabase {
  readonly url: string
  drop(): Promise<void>
}

async function asked<T>(url: string, act: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await act(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** runs one statement on a connection of its own */
export const askPostgres = (url: string, text: string): Promise<Record<string, unknown>[]> =>
  asked(url, async (client) => (await client.query<Record<string, unknown>>(text)).rows)

const answers = (url: string): Promise<boolean> =>
  askPostgres(url, 'SELECT 1').then(
    () => true,
    () => false,
  )

/** PostgreSQL refuses to run as root */
const nobody = 65_534

async function startOne(): Promise<string | undefined> {
  const bin = globSync('/usr/lib/postgresql/*/bin').toSorted().at(-1)
  if (bin === undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'test-postgres-'))
  const root = process.getuid?.() === 0
  if (root) chownSync(folder, nobody, nobody)
  const as = root ? { uid: nobody, gid: nobody } : {}
  const data = join(folder, 'data')
  execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8'], {
    ...as,
    stdio: 'ignore',
  })
  const port = await freePort()
  const options = ['-D', data, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off']
  const server = spawn(join(bin, 'postgres'), options, { ...as, stdio: 'ignore' })
  server.unref()
  process.once('exit', () => {
    server.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  const url = `postgres://postgres@127.0.0.1:${port}`
  for (let tries = 0; tries < 100; tries++) {
    if (await answers(url)) return url
    await pause(100)
  }
  return undefined
}

async function findServer(): Promise<string | undefined> {
  const given = process.env['TEST_POSTGRES_URL']
  // if a server is named and does not answer, the tests fail instead of being skipped
  if (given !== undefined) return given
  const local = 'postgres://postgres@127.0.0.1:5432'
  return (await answers(local)) ? local : startOne().catch(() => undefined)
}

const server = await findServer()
/** for the options of a test: `{ skip: noPostgres }` */
export const noPostgres = skipReason(
  server,
  'PostgreSQL',
  'set TEST_POSTGRES_URL, or install the server on this machine',
)

export async function freshDatabase(): Promise<FreshDatabase> {
  if (server === undefined) throw new Error(String(noPostgres))
  const name = `test_${randomBytes(8).toString('hex')}`
  await askPostgres(server, `CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    url: url.href,
    drop: async () => void (await askPostgres(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  }
}
