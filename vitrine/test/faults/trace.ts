// Makes system calls on given files fail, or kills the process at one of them, with `strace`.
import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import type { TestContext } from 'node:test'

/** for the options of a test */
export const noTrace: string | false = whyNot() ?? false
if (noTrace !== false) process.stderr.write(`\n*** THE TESTS OF FAILING SYSTEM CALLS ARE SKIPPED: ${noTrace} ***\n\n`)

/** attaches to a process for a moment: strace may be installed and not permitted */
function whyNot(): string | undefined {
  const victim = spawn('sleep', ['10'], { stdio: 'ignore' })
  victim.on('error', () => {})
  const { error, stderr } = spawnSync('strace', ['-o', '/dev/null', '-p', String(victim.pid)], { timeout: 300 })
  victim.kill('SIGKILL')
  if (error && 'code' in error && error.code === 'ENOENT') return 'strace is not installed'
  return String(stderr).includes('attached') ? undefined : `strace may not attach: ${String(stderr).trim()}`
}

export interface Injection {
  readonly calls: readonly string[]
  /** an error's name, or a signal's */
  readonly error: string
  /** the paths of the calls; none: any path */
  readonly files: readonly string[]
}

const filesOf = (files: readonly string[]): string[] => files.flatMap((file) => ['-P', file])

/** these calls of the process fail until the returned function is called */
export async function failCalls(
  t: TestContext,
  pid: number,
  { calls, error, files }: Injection,
): Promise<() => Promise<void>> {
  const names = calls.join()
  const what = ['-e', `trace=${names}`, '-e', `inject=${names}:error=${error}`]
  const tracer = spawn('strace', ['-f', '-o', '/dev/null', ...filesOf(files), ...what, '-p', String(pid)])
  const gone = once(tracer, 'exit')
  const stop = async () => {
    tracer.kill('SIGINT')
    await gone
  }
  t.after(stop)
  let said = ''
  tracer.stderr.on('data', (part: Buffer) => (said += part))
  while (!said.includes('attached')) {
    const ended = await Promise.race([once(tracer.stderr, 'data').then(() => false), gone.then(() => true)])
    if (ended && !said.includes('attached')) throw new Error(`strace: ${said}`)
  }
  return stop
}

const clean = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITRINE_')))

export interface Death {
  /** the number of the call on the files at which it is killed, from 1 */
  readonly call: string
  readonly at: number
  readonly files: readonly string[]
}

/** runs the program in this folder until it is killed at that call, or ends */
export function runUntil(
  folder: string,
  args: readonly string[],
  { call, at, files }: Death,
): Promise<{ killed: boolean; out: string; err: string }> {
  const what = ['-e', `trace=${call}`, '-e', `inject=${call}:signal=SIGKILL:when=${at}`]
  const traced = ['-f', '-o', '/dev/null', ...filesOf(files), ...what, resolve('bin/vitrine'), ...args]
  const env = { ...clean, NODE_OPTIONS: '' }
  return new Promise((ok) => {
    execFile('strace', traced, { cwd: folder, env, timeout: 30_000 }, (error, out, err) =>
      ok({ killed: error?.signal === 'SIGKILL', out, err }),
    )
  })
}
