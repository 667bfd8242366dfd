// A PostgreSQL server that one test may kill, with one database.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { askPostgres, freePort } from '../ground/postgres.ts'

export interface OwnPostgres {
  readonly url: string
  readonly port: number
  /** ends it and all its sessions at once, as a power cut does */
  kill(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

/** PostgreSQL refuses to run as root */
const nobody = 65_534
const bin = globSync('/usr/lib/postgresql/*/bin').toSorted().at(-1)

/** for the options of a test */
export const noOwnPostgres: string | false =
  bin === undefined ? 'no PostgreSQL that could be started: install the server on this machine' : false

export async function ownPostgres(): Promise<OwnPostgres> {
  if (bin === undefined) throw new Error(String(noOwnPostgres))
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-postgres-'))
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(folder, nobody, nobody)
  const as = isRoot ? { uid: nobody, gid: nobody } : {}
  const data = join(folder, 'data')
  const given = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync']
  execFileSync(join(bin, 'initdb'), given, { ...as, stdio: 'ignore' })
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const options = ['-D', data, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off']
  let server: ChildProcess | undefined

  async function kill() {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const gone = once(server, 'exit')
    // its word for "at once": a SIGKILL would leave its sessions serving
    server.kill('SIGQUIT')
    await gone
  }
  const end = () => {
    server?.kill('SIGQUIT')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  process.once('exit', end)

  async function start() {
    server = spawn(join(bin as string, 'postgres'), options, { ...as, stdio: 'ignore' })
    for (let tries = 0; tries < 300; tries++) {
      const isUp = await askPostgres(url, 'SELECT 1').then(
        () => true,
        () => false,
      )
      if (isUp) return
      await pause(50)
    }
    throw new Error('PostgreSQL does not start')
  }

  await start()
  return {
    ...{ url, port, kill, start },
    async close() {
      await kill()
      process.off('exit', end)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
