// A real PgBouncer in front of a PostgreSQL server, pooling by transaction. A test can point it to another server.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { askPostgres } from './postgres.ts'
import { freePort } from './free-port.ts'

const program = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'].find((path) =>
  existsSync(path),
)

/** for the options of a test */
export const noPgBouncer: string | false = program === undefined ? 'no pgbouncer: install it on this machine' : false
if (noPgBouncer && process.env['CI']) throw new Error(noPgBouncer)
if (noPgBouncer) process.stderr.write(`\n*** THE TESTS WITH PGBOUNCER ARE SKIPPED: ${noPgBouncer} ***\n\n`)

/** it refuses to run as root */
const nobody = 65_534
const isRoot = process.getuid?.() === 0

export interface PgBouncer {
  readonly url: string
  /** points it to another database; its clients stay connected */
  pointTo(url: string): Promise<void>
  close(): Promise<void>
}

/** `lines`: additional configuration */
export async function startPgBouncer(target: string, lines: readonly string[] = []): Promise<PgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'test-pgbouncer-'))
  if (isRoot) chownSync(folder, nobody, nobody)
  const [port, file] = [await freePort(), join(folder, 'pgbouncer.ini')]
  const configure = (to: string) => {
    const { hostname, port: at, pathname } = new URL(to)
    const server = `host=${hostname} port=${at || '5432'} dbname=${pathname.slice(1)} user=postgres`
    const own = ['pool_mode = transaction', 'auth_type = any', 'listen_addr = 127.0.0.1', `listen_port = ${port}`]
    const all = [...own, 'unix_socket_dir =', 'server_login_retry = 1', 'admin_users = postgres', ...lines]
    writeFileSync(file, `[databases]\nservice = ${server}\n[pgbouncer]\n${all.join('\n')}\n`)
    if (isRoot) chownSync(file, nobody, nobody)
  }
  configure(target)
  const as = isRoot ? { uid: nobody, gid: nobody } : {}
  const child: ChildProcess = spawn(program ?? '', ['-q', file], { ...as, stdio: 'ignore' })
  const end = () => void child.kill('SIGKILL')
  process.once('exit', end)
  const url = `postgres://postgres@127.0.0.1:${port}/service`
  const isUp = () =>
    askPostgres(url, 'SELECT 1').then(
      () => true,
      () => false,
    )
  for (let tries = 0; !(await isUp()); tries++) {
    if (tries === 100) throw new Error('PgBouncer does not start')
    await pause(50)
  }
  return {
    url,
    async pointTo(to) {
      configure(to)
      child.kill('SIGHUP')
    },
    async close() {
      const gone = once(child, 'exit')
      end()
      await gone
      process.off('exit', end)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
