// One `bin/vitrine serve` as a process, with a proxy to each service it uses and a clock of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTcpProxy, type TcpProxy } from '../../../base/test/tcp-proxy.ts'
import { ask } from './request.ts'
import { freePort } from '../../../base/test/free-port.ts'

export const wireNames = ['store', 'redis', 'platform', 'endpoint'] as const
export type WireName = (typeof wireNames)[number]

export interface Replica {
  readonly name: string
  /** its own address */
  readonly folder: string
  /** its address without the proxy */
  readonly url: string
  readonly operatorUrl: string
  readonly wires: Readonly<Partial<Record<WireName, TcpProxy>> & { endpoint: TcpProxy }>
  readonly pid: () => number
  /** starts it and waits until it is ready */
  start(): Promise<void>
  kill(signal?: NodeJS.Signals): Promise<void>
  signal(signal: NodeJS.Signals): void
  isRunning(): boolean
  stepClock(aheadMs: number): void
  /** everything that it wrote so far, in all its runs */
  log(): string
  close(): Promise<void>
}

export interface ReplicaOptions {
  readonly name: string
  readonly folder: string
  readonly platform: { readonly url: string; readonly port: number }
  readonly store: string
  readonly redis: string | undefined
  /** shared by all replicas */
  readonly settings: object
  readonly environment: Readonly<Record<string, string>>
  /** further modules to preload */
  readonly preloads?: readonly string[]
}

const bin = resolve('bin/vitrine')
const preload = join(import.meta.dirname, 'preload.mjs')

async function wireTo(url: string): Promise<{ wire: TcpProxy; over: string }> {
  const over = new URL(url)
  const wire = await startTcpProxy({ port: Number(over.port || 5_432), host: over.hostname })
  over.host = `127.0.0.1:${wire.port}`
  return { wire, over: over.href }
}

async function layWires({ store, redis, platform }: ReplicaOptions, port: number) {
  const toStore = await wireTo(store)
  const toRedis = redis === undefined ? undefined : await wireTo(redis)
  return {
    wires: {
      store: toStore.wire,
      ...(toRedis && { redis: toRedis.wire }),
      platform: await startTcpProxy({ port: platform.port }),
      endpoint: await startTcpProxy({ port }),
    },
    settings: { store: toStore.over, ...(toRedis && { redis: toRedis.over }) },
  }
}

const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITRINE_')))

export async function makeReplica(options: ReplicaOptions): Promise<Replica> {
  const { name, platform } = options
  const folder = join(options.folder, name)
  mkdirSync(folder)
  const [port, operatorPort] = [await freePort(), await freePort()]
  const [url, operatorUrl] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${operatorPort}`]
  const { wires, settings } = await layWires(options, port)
  const endpoints = { listen: `127.0.0.1:${port}`, operatorListen: `127.0.0.1:${operatorPort}` }
  writeFileSync(join(folder, 'vitrine.json'), JSON.stringify({ ...endpoints, ...settings, ...options.settings }))
  const [logFile, clockFile] = [join(folder, 'log'), join(folder, 'clock')]
  writeFileSync(clockFile, '0')
  const preloads = [preload, ...(options.preloads ?? [])].map((file) => `--import=${file}`).join(' ')
  const env = {
    ...clean,
    NODE_OPTIONS: preloads,
    CLUSTER_CLOCK: clockFile,
    CLUSTER_PLATFORM: `${platform.port}:${wires.platform.port}`,
    ...options.environment,
  }
  let child: ChildProcess | undefined
  const isRunning = () => child !== undefined && child.exitCode === null && child.signalCode === null
  const reap = () => child?.kill('SIGKILL')
  process.once('exit', reap)

  async function kill(signal: NodeJS.Signals = 'SIGKILL') {
    if (!child || !isRunning()) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }

  return {
    name,
    folder,
    url,
    operatorUrl,
    wires,
    kill,
    isRunning,
    pid: () => child?.pid ?? 0,
    async start() {
      const log = openSync(logFile, 'a')
      child = spawn(bin, ['serve'], { cwd: folder, env, stdio: ['ignore', log, log] })
      closeSync(log)
      for (const endsAt = performance.now() + 20_000; ; await sleep(30)) {
        if ((await ask(`${url}/readyz`, '', { mostMs: 1_000 })).status === 200) return
        if (!isRunning() || performance.now() > endsAt)
          throw new Error(`${name} does not start: ${readFileSync(logFile, 'utf8').slice(-2_000)}`)
      }
    },
    signal: (signal) => void child?.kill(signal),
    stepClock: (aheadMs) => writeFileSync(clockFile, String(aheadMs)),
    log: () => readFileSync(logFile, 'utf8'),
    async close() {
      await kill()
      process.off('exit', reap)
      for (const wire of Object.values(wires)) await wire.close()
    },
  }
}
