// Runs the program in its own processes, and keeps everything it puts out for a search at the end.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { resolve } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

export interface Heard {
  readonly what: string
  readonly text: string
  /** names of secrets that belong in here */
  readonly meant: readonly string[]
}

export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface Running {
  readonly url: string
  readonly operatorUrl: string
  readonly child: ChildProcess
  /** what it has logged so far */
  readonly log: () => string
  /** waits until the log says it, from a place on */
  until(pattern: RegExp, from?: number): Promise<void>
  ended: Promise<number | null>
}

export interface Manner {
  readonly env?: Record<string, string>
  readonly input?: string
  readonly meant?: readonly string[]
}

export interface Sending {
  readonly method?: string
  readonly headers?: Record<string, string | string[]>
  readonly body?: string
  readonly meant?: readonly string[]
}

export interface Stage {
  readonly folder: string
  readonly heard: Heard[]
  run(args: readonly string[], manner?: Manner): Promise<Ran>
  serve(manner?: Manner): Promise<Running>
  ask(url: string, sending?: Sending): Promise<{ status: number; text: string }>
}

/** nothing of the surroundings, so that nothing of them is heard */
const clean = (env: Record<string, string> = {}): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  HOME: '/nonexistent',
  ...env,
})

const patienceMs = 20_000

export function setStage(t: TestContext, folder: string): Stage {
  const heard: Heard[] = []
  const start = (args: readonly string[], { env, input = '' }: Manner) => {
    const child = spawn(resolve('bin/vitrine'), args, { cwd: folder, env: clean(env) })
    t.after(() => child.exitCode === null && child.signalCode === null && child.kill('SIGKILL'))
    const told = { out: '', err: '' }
    child.stdout.on('data', (part: Buffer) => (told.out += part))
    child.stderr.on('data', (part: Buffer) => (told.err += part))
    child.stdin.on('error', () => {}).end(input)
    return { child, told }
  }
  const keep = (what: string, text: string, meant: readonly string[] = []) => heard.push({ what, text, meant })

  return {
    folder,
    heard,
    async run(args, manner = {}) {
      const { child, told } = start(args, manner)
      const [code] = (await once(child, 'close')) as [number | null]
      const name = args.map((arg) => arg.slice(0, 12)).join(' ')
      keep(`the output of ${name}`, told.out, manner.meant)
      keep(`the errors of ${name}`, told.err)
      return { code, ...told }
    },
    async serve(manner = {}) {
      const { child, told } = start(['serve'], manner)
      const ended = once(child, 'close').then(([code]) => {
        keep('the output of serve', told.out)
        keep('the log', told.err)
        return code as number | null
      })
      const until = async (pattern: RegExp, from = 0) => {
        const endsAt = performance.now() + patienceMs
        while (!pattern.test(told.err.slice(from))) {
          assert.ok(child.exitCode === null && performance.now() < endsAt, `no ${pattern} in: ${told.err.slice(from)}`)
          await pause(10)
        }
      }
      await until(/"kind":"started"/)
      const { url, operatorUrl } = JSON.parse(/^.*"kind":"started".*$/m.exec(told.err)?.[0] ?? '{}')
      return { url, operatorUrl, child, log: () => told.err, until, ended }
    },
    ask(url, { method = 'GET', headers = {}, body, meant = [] } = {}) {
      return new Promise((ok, no) => {
        const req = request(url, { method, headers, agent: false }, (res) => {
          let text = ''
          res.setEncoding('utf8')
          res.on('data', (part: string) => (text += part))
          res.on('error', no)
          res.on('end', () => {
            keep(`the answer to ${method} ${url.slice(0, 90)}`, `${res.rawHeaders.join('\n')}\n${text}`, meant)
            ok({ status: res.statusCode ?? 0, text })
          })
        })
        req.on('error', no)
        req.end(body)
      })
    },
  }
}
