// The program as a caller starts it: its own process, with the address and the key in its environment.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Place {
  readonly url: string
  readonly key: string
}

export interface StartOptions {
  readonly input?: string | Uint8Array
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

export function start({ url, key }: Place, args: readonly string[], { env = {}, cwd = '.' }: StartOptions = {}) {
  const own = { PATH: process.env['PATH'] ?? '', ATELIER_URL: url, ATELIER_KEY: key, ...env }
  return spawn(resolve('bin/atelier'), args, { env: own, cwd })
}

export async function endOf(child: ChildProcessWithoutNullStreams): Promise<Ran> {
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (part: Buffer) => (stdout += part.toString()))
  child.stderr.on('data', (part: Buffer) => (stderr += part.toString()))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, stderr }
}

export async function atelier(place: Place, args: readonly string[], options: StartOptions = {}): Promise<Ran> {
  const child = start(place, args, options)
  child.stdin.on('error', () => {})
  child.stdin.end(options.input ?? '')
  return endOf(child)
}
