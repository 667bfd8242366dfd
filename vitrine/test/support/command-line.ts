// Runs `vitrine read` as a process, behind pipes or at a terminal, over a real service whose platform has lists of
// any length.
import { execFile, execFileSync } from 'node:child_process'
import type { ServerResponse } from 'node:http'
import { resolve } from 'node:path'
import type { TestContext } from 'node:test'
import { type Call, refuse, send } from './scripted-platform.ts'
import { type Service, type ServiceOptions, startScripted } from './service.ts'

export interface RunResult {
  readonly code: number
  readonly out: string
  readonly err: string
}

export const bin = resolve('bin/vitrine')

/** without the settings of this machine's own installation, and without colours */
export function environment(env: Record<string, string> = {}): Record<string, string> {
  const foreign = /^VITRINE_|^NO_COLOR$|^FORCE_COLOR$|^NODE_OPTIONS$/
  const clean = Object.entries(process.env).filter(([name]) => !foreign.test(name)) as [string, string][]
  return { ...Object.fromEntries(clean), TERM: 'xterm', ...env }
}

export const callerOf = ({ url, key }: Pick<Service, 'url' | 'key'>): Record<string, string> => ({
  VITRINE_URL: url,
  VITRINE_KEY: key,
  VITRINE_CONNECTION: 'acme',
})

export function run(
  file: string,
  args: readonly string[],
  env: Record<string, string>,
  input = '',
): Promise<RunResult> {
  return new Promise((ok) => {
    const options = { env: environment(env), timeout: 60_000, maxBuffer: 64 * 1024 * 1024 }
    const child = execFile(file, [...args], options, (error, out, err) => {
      const code = error ? Number(error.code ?? 1) : 0
      ok({ code, out, err })
    })
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}

export const vitrine = (args: readonly string[], env: Record<string, string> = {}, input = ''): Promise<RunResult> =>
  run(bin, args, env, input)

/** a shell command line in which `$0` is the program */
export const runInShell = (line: string, env: Record<string, string> = {}): Promise<RunResult> =>
  run('/bin/bash', ['-c', line, bin], env)

export const hasTerminal = ((): boolean => {
  try {
    execFileSync('script', ['-qec', 'true', '/dev/null'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

/** at a terminal with this many columns: what it shows, both streams together */
export async function runAtTerminal(line: string, env: Record<string, string> = {}, columns = 80): Promise<RunResult> {
  const ran = await run('script', ['-qec', `stty cols ${columns}; ${line}`, '/dev/null'], env)
  return { ...ran, out: ran.out.replaceAll('\r\n', '\n') }
}

/** what a slow read shows while it waits, and erases again */
export const withoutProgress = (out: string): string => out.replaceAll(/\r[^\r\n\u001b]*\u001b\[K/g, '')

export interface LongList {
  /** rows of the platform's list of apps */
  readonly size: number
  attributes?(number: number): Record<string, unknown>
  /** from this row on, the platform answers with failures */
  failsAt?: number
  /** called before each answer */
  pause?(offset: number): Promise<void>
}

const nameOf = (number: number): Record<string, unknown> => ({ name: `app ${number}` })

async function answer({ size, attributes = nameOf, failsAt, pause }: LongList, call: Call, res: ServerResponse) {
  const { query, headers, path } = call
  const offset = Number(query.get('cursor') ?? 0)
  await pause?.(offset)
  if (path !== '/v1/apps') return refuse(res, 404, 'NOT_FOUND')
  if (failsAt !== undefined && offset >= failsAt) return refuse(res, 500, 'UNEXPECTED_ERROR')
  const count = Math.min(Number(query.get('limit') ?? 50), size - offset)
  const data = Array.from({ length: count }, (_, i) => ({
    type: 'apps',
    id: String(offset + i + 1),
    attributes: attributes(offset + i + 1),
  }))
  const next = new URLSearchParams(query)
  next.set('cursor', String(offset + count))
  const origin = `http://${headers.host}`
  const self = `${origin}${call.url}`
  send(res, { data, links: { self, ...(offset + count < size && { next: `${origin}${path}?${String(next)}` }) } })
}

/** a service whose platform lists this many apps; `list` may be changed while it runs */
export async function startLongList(t: TestContext, list: LongList, options: ServiceOptions = {}) {
  const { service, platform, close } = await startScripted((call, res) => answer(list, call, res), options)
  t.after(close)
  return { service, platform, list, env: callerOf(service) }
}
