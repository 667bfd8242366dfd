// A service over the sandbox behind a proxy that can inject failures, and recipes run as separate processes
// with the key in their environment.
import { spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { readFaultRule } from '../../src/sandbox/sandbox.ts'
import { type Service, startOverSandbox } from '../support/service.ts'

export interface Spoilt {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body: string
}

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface Scene {
  /** of the front */
  readonly url: string
  readonly key: string
  readonly service: Service
  /** path and query of every request at the front */
  readonly asked: string[]
  /** what is answered instead, for the nth request */
  spoil: (nth: number, target: string) => Spoilt | undefined
  readonly trouble: (...rules: string[]) => void
  readonly run: (command: string, args?: readonly string[], more?: Running) => Promise<Ended>
}

export interface Running {
  readonly env?: Record<string, string>
  readonly input?: string
  readonly cwd?: string
}

/** the service's answer when the rate limit of the key is used up */
export const slowDown: Spoilt = {
  status: 429,
  headers: { 'retry-after': '1' },
  body: '{"error":{"type":"rate_limited","code":"key_rate_limited","message":"Slower.","requestId":"req_slow","retryable":true,"docUrl":"/errors/key_rate_limited"}}',
}

/** the answer of a proxy in between */
export const badGateway: Spoilt = { status: 502, body: '<html><body>Bad Gateway</body></html>' }

export async function openScene(t: TestContext): Promise<Scene> {
  const { sandbox, service, close } = await startOverSandbox()
  t.after(close)
  const scene = { asked: [] as string[], spoil: (() => undefined) as Scene['spoil'] }
  const relay = async (req: IncomingMessage, res: ServerResponse) => {
    const target = req.url ?? ''
    const instead = scene.spoil(scene.asked.push(target), target)
    if (instead) {
      res.writeHead(instead.status, instead.headers).end(instead.body)
      return
    }
    const key = String(req.headers.authorization).replace('Bearer ', '')
    const { status, headers, text } = await service.ask(target, { key })
    res.writeHead(status, headers as Record<string, string>).end(text)
  }
  const server = createServer((req, res) => void relay(req, res).catch(() => req.socket.destroy()))
  await new Promise<void>((ok) => server.listen(0, '127.0.0.1', ok))
  t.after(() => {
    server.closeAllConnections()
    return new Promise((ok) => server.close(ok))
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { key } = service
  return Object.assign(scene, {
    url,
    key,
    service,
    trouble: (...rules: string[]) => sandbox.setFaults(rules.map(readFaultRule)),
    run: (command: string, args: readonly string[] = [], { env = {}, input = '', cwd }: Running = {}) =>
      runProcess(command, args, {
        env: {
          PATH: process.env['PATH'] ?? '',
          VITRINE_URL: url,
          VITRINE_KEY: key,
          VITRINE_CONNECTION: 'acme',
          ...env,
        },
        input,
        ...(cwd !== undefined && { cwd }),
      }),
  })
}

export function runProcess(command: string, args: readonly string[], { env, input, cwd }: Running): Promise<Ended> {
  return new Promise((ok, no) => {
    const child = spawn(command, args, { env, cwd, stdio: 'pipe', timeout: 60_000 })
    const said = { out: '', err: '' }
    child.stdout.on('data', (part: Buffer) => (said.out += String(part)))
    child.stderr.on('data', (part: Buffer) => (said.err += String(part)))
    child.stdin.on('error', () => {})
    child.stdin.end(input)
    child.on('error', no)
    child.on('close', (code) => ok({ code, ...said }))
  })
}

/** whether a program is installed; without it a test is skipped, and fails in CI */
export async function isHere(t: TestContext, program: string): Promise<boolean> {
  const { code } = await runProcess('/bin/sh', ['-c', `command -v ${program}`], {
    env: { PATH: process.env['PATH'] ?? '' },
  })
  if (code === 0) return true
  if (process.env['CI'] !== undefined) throw new Error(`${program} is not installed: apt-get install ${program}`)
  t.skip(`${program.toUpperCase()} IS NOT INSTALLED: apt-get install ${program}`)
  return false
}
