// The program as a process with an empty store: its output, and how it ends.
import { type ChildProcess, spawn, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../../base/test/free-port.ts'

export interface Program {
  readonly folder: string
  readonly port: number
  readonly url: string
  readonly child: ChildProcess
  /** ends the process and returns its exit status */
  readonly stop: () => Promise<number | null>
}

export interface Start {
  readonly env?: Record<string, string>
  readonly stdio?: StdioOptions
  /** a shell command that executes the program, `$0`, in the program's folder */
  readonly shell?: string
}

export async function startProgram(t: TestContext, { env = {}, stdio = 'pipe', shell }: Start = {}): Promise<Program> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-program-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const surroundings = {
    PATH: process.env['PATH'],
    HOME: folder,
    VITRINE_STORE: 'sqlite:v.db',
    VITRINE_LISTEN: `127.0.0.1:${port}`,
    VITRINE_OPERATOR_LISTEN: 'off',
    VITRINE_RATE_LIMIT_FAILURES_PER_MINUTE: '0',
    VITRINE_DRAIN_SECONDS: '0',
    ...env,
  }
  const child = spawn('/bin/sh', ['-c', shell ?? 'exec "$0" serve', resolve('bin/vitrine')], {
    cwd: folder,
    env: surroundings,
    stdio,
  })
  const ended = once(child, 'exit')
  t.after(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await ended
  })
  for (const endsAt = Date.now() + 20_000; ; await sleep(20)) {
    const ready = await fetch(`${url}/readyz`).catch(() => undefined)
    await ready?.arrayBuffer()
    if (ready?.status === 200) break
    if (child.exitCode !== null || Date.now() > endsAt) throw new Error('the program does not start')
  }
  return {
    folder,
    port,
    url,
    child,
    async stop() {
      child.kill('SIGTERM')
      const [code] = await ended
      return code as number | null
    },
  }
}
