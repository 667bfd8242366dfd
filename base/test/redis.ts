// A Redis for the tests: the one in TEST_REDIS_URL, the one on this machine, or one that is started here. Key names begin with
// the installation's own prefix, so parallel runs do not collide. Without a server the tests are skipped with a message; in CI
// they fail.
import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { skipReason } from './required-server.ts'
import { freePort } from './free-port.ts'

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
  /** kills it; its data is lost */
  kill(): Promise<void>
  /** starts it again, empty, at the same port */
  start(): Promise<void>
}

const program = spawnSync('redis-server', ['--version']).status === 0 ? 'redis-server' : 'valkey-server'

/** a server that one test may kill */
export async function ownRedis(): Promise<OwnRedis> {
  const port = await freePort()
  const url = `redis://127.0.0.1:${port}`
  const folder = mkdtempSync(join(tmpdir(), 'test-redis-'))
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
    url,
    port,
    start,
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
  // if a server is named and does not answer, the tests fail instead of being skipped
  if (given !== undefined) return given
  const local = 'redis://127.0.0.1:6379'
  if (await answers(local)) return local
  return ownRedis().then(
    ({ url }) => url,
    () => undefined,
  )
}

const server = await findServer()
/** for the options of a test: `{ skip: noRedis }` */
export const noRedis = skipReason(server, 'Redis', 'set TEST_REDIS_URL, or install redis-server on this machine')
export const redisUrl: string = server ?? 'redis://127.0.0.1:6379'
