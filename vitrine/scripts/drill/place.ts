// A folder that an installation lives in, as its operator has it: the program, settings, secrets, and a service that can be
// started there and killed.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Outcome {
  readonly code: number
  readonly out: string
  readonly err: string
}

export interface Place {
  readonly folder: string
  /** lines of a shell, the first that fails being the last */
  readonly run: (script: string, environment?: Readonly<Record<string, string>>) => Promise<Outcome>
  /** the service, until this URL says that it is ready */
  start(readyUrl: string): Promise<void>
  kill(): Promise<void>
  /** as if it had never been there */
  destroy(): Promise<void>
}

const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITRINE_|PG)/.test(name)))
const mostMs = 30_000

async function awaitReady(child: ChildProcess, readyUrl: string) {
  let said = ''
  child.stderr?.on('data', (part: Buffer) => (said += part))
  for (const endsAt = performance.now() + mostMs; ; await sleep(20)) {
    const ready = await fetch(readyUrl).then(
      (answer) => answer.arrayBuffer().then(() => answer.ok),
      () => false,
    )
    if (ready) return
    if (child.exitCode !== null || performance.now() > endsAt) throw new Error(`the service does not start: ${said}`)
  }
}

export function makePlace(environment: Readonly<Record<string, string>>): Place {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-drill-'))
  mkdirSync(join(folder, 'bin'))
  symlinkSync(resolve(import.meta.dirname, '../../bin/vitrine'), join(folder, 'bin/vitrine'))
  const env = { ...clean, NODE_OPTIONS: '', ...environment }
  let service: ChildProcess | undefined
  async function kill() {
    if (!service || service.exitCode !== null || service.signalCode !== null) return
    const gone = once(service, 'exit')
    service.kill('SIGKILL')
    await gone
  }
  return {
    folder,
    kill,
    run: (script, more) =>
      new Promise((ok) => {
        const options = { cwd: folder, env: { ...env, ...more }, timeout: 120_000, maxBuffer: 1e9 }
        execFile('/bin/sh', ['-euc', script], options, (error, out, err) =>
          ok({ code: error ? Number(error.code ?? 1) : 0, out, err }),
        )
      }),
    start(readyUrl) {
      const program = join(folder, 'bin/vitrine')
      service = spawn(program, ['serve'], { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] })
      return awaitReady(service, readyUrl)
    },
    async destroy() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
