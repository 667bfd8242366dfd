// A Redis for the tests: the one in TEST_REDIS_URL, the one on this machine, or one that is started here for as long as the
// tests run. Names of keys begin with the installation's own, so runs beside each other do not meet. Without any server the
// tests say so and are skipped; in CI they fail.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { freePort } from './postgres.ts'

async function answers(url: string): Promise<boolean> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: 1_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.ping()) === 'PONG'
  } catch {
    return false
  } finally {
    client.disconnect()
  }
}

export interface OwnRedis {
  readonly url: string
  readonly port: number
  /** ends it at once, if it runs; what it held is lost */
  kill(): Promise<void>
  /** starts it again, empty, at the same port */
  start(): Promise<void>
}

const program = spawnSync('redis-server', ['--version']).status === 0 ? 'redis-server' : 'valkey-server'

/** a server that one test may kill */
export async function ownRedis(): Promise<OwnRedis> {
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}`
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-redis-'))
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder]
  let server: ReturnType<typeof spawn> | undefined
  const end = () => void server?.kill('SIGKILL')
  process.once('exit', () => {
    end()
    rmSync(folder, { recursive: true, force: true })
  })
  const start = async () => {
    server = spawn(program, options, { stdio: 'ignore' })
    server.on('error', () => undefined)
    server.unref()
    for (let tries = 0; tries < 100; tries++) {
      if (await answers(url)) return
      await pause(50)
    }
    throw new Error('no Redis server could be started: install redis-server')
  }
  await start()
  return {
    ...{ url, port, start },
    async kill() {
      if (server?.exitCode !== null || server.signalCode !== null) return
      const gone = new Promise((ok) => server?.once('exit', ok))
      end()
      await gone
    },
  }
}

async function findServer(): Promise<string | undefined> {
  const given = process.env['TEST_REDIS_URL']
  // a server that was named and does not answer is a failure, and nothing to be skipped
  if (given !== undefined) return given
  const local = 'redis://127.0.0.1:6379'
  if (await answers(local)) return local
  return ownRedis().then(
    ({ url }) => url,
    () => undefined,
  )
}

const server = await findServer()
const missing =
  server === undefined ? 'no Redis: set TEST_REDIS_URL, or install redis-server on this machine' : undefined
if (missing !== undefined && process.env['CI']) throw new Error(missing)
if (missing !== undefined) process.stderr.write(`\n*** THE TESTS OF REDIS ARE SKIPPED: ${missing} ***\n\n`)

/** for the options of a test: `{ skip: noRedis }` */
export const noRedis: string | false = missing ?? false
export const redisUrl: string = server ?? 'redis://127.0.0.1:6379'
