// The service that is measured: a process of its own with one account, one key and one base image, without rates.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, type IncomingMessage, request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { createEngine } from '../src/engine/create-engine.ts'

export const image = 'busybox'
/** no setting of this shell, nor the tests' variables, which the program would refuse */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ATELIER_')))
const program = join(import.meta.dirname, '../bin/atelier')
const mebibyte = 2 ** 20

async function freePort(): Promise<number> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as { port: number }
  await new Promise((ok) => server.close(ok))
  return port
}

export interface Call {
  readonly method: string
  readonly path: string
  readonly json?: unknown
  readonly body?: Buffer | Readable
  readonly headers?: Readonly<Record<string, string>>
}

const generous = { containers: 1000, memoryMiB: 10_000_000, cpu: 10_000, images: 1000, execs: 100, files: 100 }

const withoutLimits = {
  limits: generous,
  rate: { perSecond: 0, createsPerSecond: 0, failuresPerMinute: 0 },
}

/** `more`: settings; `others`: names of further accounts */
export async function startSubject(socket: string, more: object = withoutLimits, others: readonly string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-bench-'))
  const [port, config] = [await freePort(), join(folder, 'atelier.json')]
  const settings = {
    listen: `127.0.0.1:${port}`,
    instance: `bench-${process.pid}`,
    engine: { socket },
    store: 'sqlite:atelier.db',
    ssh: null,
    ...more,
  }
  writeFileSync(config, JSON.stringify(settings))
  const command = (...words: string[]) =>
    execFileSync(program, [...words, '--config', config], { encoding: 'utf8', stdio: 'pipe', env })
      .trim()
      .split('\n')
      .at(-1)
  const makeKey = (name: string): string => {
    command('accounts', 'create', '--email', `${name}@example.org`)
    return command('keys', 'create', '--account', `${name}@example.org`, '--name', name) ?? ''
  }
  command('images', 'import', '--name', image, '--reference', 'localhost/base-busybox:1')
  const [key, ...keys] = ['bench', ...others].map(makeKey)
  const child = spawn(program, ['serve', '--config', config], { stdio: 'ignore', env })
  process.once('exit', () => child.kill('SIGKILL')).once('SIGINT', () => process.exit(130))
  const subject = createCaller(child, port, key ?? '')
  while ((await subject.call({ method: 'GET', path: '/readyz' }).catch(() => undefined))?.status !== 200)
    await sleep(50)
  const engineOf = () => createEngine({ socket, instance: settings.instance, runtime: null })
  return {
    ...subject,
    port,
    keys,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    /** containers of this service that the engine still has */
    async containersLeft(): Promise<number> {
      const engine = engineOf()
      try {
        return (await engine.list()).length
      } finally {
        engine.close()
      }
    },
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      rmSync(folder, { recursive: true })
      const engine = engineOf()
      for (const { id } of await engine.list()) await engine.remove(id)
      for (const id of (await engine.images()).keys()) await engine.removeImage(id)
      engine.close()
    },
  }
}

function createCaller({ pid }: ChildProcess, port: number, key: string) {
  const agent = new Agent({ keepAlive: true })
  const open = ({ method, path, json, body, headers }: Call): Promise<IncomingMessage> => {
    const data = json === undefined ? body : Buffer.from(JSON.stringify(json))
    const type = json === undefined ? 'application/octet-stream' : 'application/json'
    const length = Buffer.isBuffer(data) ? { 'content-length': String(data.length) } : {}
    const given = data === undefined ? {} : { 'content-type': type, ...length }
    const all = { authorization: `Bearer ${key}`, ...given, ...headers }
    return new Promise((ok, no) => {
      const outgoing = request({ host: '127.0.0.1', port, agent, method, path, headers: all }, ok).once('error', no)
      if (data === undefined || Buffer.isBuffer(data)) outgoing.end(data)
      else data.pipe(outgoing)
    })
  }
  return {
    open,
    async call(wish: Call) {
      const response = await open(wish)
      const pieces: Buffer[] = []
      for await (const piece of response as AsyncIterable<Buffer>) pieces.push(piece)
      return { status: response.statusCode ?? 0, text: Buffer.concat(pieces).toString() }
    },
    /** descriptors that the process has open */
    descriptors: () => readdirSync(`/proc/${pid}/fd`).length,
    /** memory now, in MiB */
    memory: () => statusOf(pid, 'VmRSS'),
    /** the most memory since the last reset, in MiB */
    mostMemory: () => statusOf(pid, 'VmHWM'),
    resetMostMemory: () => writeFileSync(`/proc/${pid}/clear_refs`, '5'),
  }
}

function statusOf(pid: number | undefined, name: string): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  return (Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1]) * 1024) / mebibyte
}

export type Subject = Awaited<ReturnType<typeof startSubject>>

export async function expectStatus(status: number, answering: Promise<{ status: number; text: string }>): Promise<any> {
  const answer = await answering
  if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}: ${answer.text.slice(0, 300)}`)
  return answer.text === '' ? undefined : JSON.parse(answer.text)
}
