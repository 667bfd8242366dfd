// A PostgreSQL server with one database that one test may kill, and standbys that follow it.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { askPostgres } from '../../../base/test/postgres.ts'
import { freePort } from '../../../base/test/free-port.ts'

export interface OwnPostgres {
  readonly url: string
  readonly port: number
  /** ends it and all its sessions at once, as a power cut does */
  kill(): Promise<void>
  start(): Promise<void>
  /** a standby that follows this server, with these lines in its configuration */
  standby(settings?: readonly string[]): Promise<OwnPostgres>
  /** ends it and starts it as a standby, as a failover does with the former primary */
  demote(): Promise<void>
  close(): Promise<void>
}

/** PostgreSQL refuses to run as root */
const nobody = 65_534
const bin = globSync('/usr/lib/postgresql/*/bin').toSorted().at(-1)

export const noOwnPostgres: string | false =
  bin === undefined ? 'no PostgreSQL that could be started: install the server on this machine' : false

const isRoot = process.getuid?.() === 0
const as = isRoot ? { uid: nobody, gid: nobody } : {}

/** `fill` creates the data folder */
async function ownServer(fill: (data: string) => void, settings: readonly string[]): Promise<OwnPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-postgres-'))
  if (isRoot) chownSync(folder, nobody, nobody)
  const data = join(folder, 'data')
  fill(data)
  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const all = ['listen_addresses=127.0.0.1', 'fsync=off', ...settings].flatMap((one) => ['-c', one])
  const options = ['-D', data, '-p', String(port), '-k', folder, ...all]
  let server: ChildProcess | undefined

  async function kill() {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
    const gone = once(server, 'exit')
    // an immediate shutdown; after a SIGKILL its sessions would continue
    server.kill('SIGQUIT')
    await gone
  }
  const end = () => {
    server?.kill('SIGQUIT')
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  process.once('exit', end)

  async function start() {
    server = spawn(binary('postgres'), options, { ...as, stdio: 'ignore' })
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
    url,
    port,
    kill,
    start,
    standby: (more = []) => ownServer((target) => copyOf(port, target), more),
    async demote() {
      await kill()
      writeFileSync(join(data, 'standby.signal'), '')
      await start()
    },
    async close() {
      await kill()
      process.off('exit', end)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function binary(name: string): string {
  if (bin === undefined) throw new Error(String(noOwnPostgres))
  return join(bin, name)
}

function copyOf(port: number, data: string) {
  const given = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', '-D', data, '-R', '-c', 'fast', '--no-sync']
  execFileSync(binary('pg_basebackup'), given, { ...as, stdio: 'ignore' })
}

function emptyAt(data: string) {
  const given = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync']
  execFileSync(binary('initdb'), given, { ...as, stdio: 'ignore' })
}

export const ownPostgres = (settings: readonly string[] = []): Promise<OwnPostgres> => ownServer(emptyAt, settings)
