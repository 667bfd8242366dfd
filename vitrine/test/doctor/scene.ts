// Runs `vitrine sandbox --disorder NAME` and `vitrine doctor` in two processes, and reads the output of the second.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { TestContext } from 'node:test'

export interface Check {
  readonly id: string
  readonly connection?: string
  readonly state: 'ok' | 'warn' | 'fail' | 'skip'
  readonly says: string
  readonly cause?: string
  readonly cure?: string
  readonly tookMs?: number
}

export interface Told {
  readonly code: number
  readonly out: string
  readonly err: string
  readonly json: { readonly ok: boolean; readonly checks: readonly Check[] }
}

type Env = Record<string, string>

export const clean = (): Env =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('VITRINE_') && name !== 'NODE_OPTIONS'),
  ) as Env

export function run(args: readonly string[], env: Env = {}): Promise<Omit<Told, 'json'>> {
  return new Promise((ok) => {
    const options = { env: { ...clean(), ...env }, timeout: 60_000 }
    execFile(resolve('bin/vitrine'), args, options, (error, out, err) =>
      ok({ code: error ? Number(error.code ?? 1) : 0, out, err }),
    )
  })
}

export async function examine(config: string, args: readonly string[] = [], env: Env = {}): Promise<Told> {
  const told = await run(['doctor', ...args, '--config', config], env)
  return { ...told, json: told.out === '' ? { ok: false, checks: [] } : JSON.parse(told.out) }
}

export const makeFolder = (t: TestContext): string => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-doctor-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** returns the settings file that the sandbox prepared */
export async function prepare(t: TestContext, disorder: string): Promise<{ config: string; folder: string }> {
  const data = makeFolder(t)
  const args = ['sandbox', '--port', '0', '--data', data, '--disorder', disorder]
  const child = spawn(resolve('bin/vitrine'), args, { env: clean(), stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(child, 'exit')
  t.after(async () => {
    child.kill('SIGTERM')
    await ended
  })
  let line = ''
  child.stdout.setEncoding('utf8')
  for await (const part of child.stdout.iterator({ destroyOnReturn: false })) {
    line += part
    if (line.includes('\n')) break
  }
  const config = /^bin\/vitrine doctor --config (\S+)\n$/.exec(line)?.[1]
  if (config === undefined) throw new Error(`the sandbox says ${JSON.stringify(line)}`)
  return { config, folder: join(config, '..') }
}

/** the bytes and times of every file in a folder, for comparison */
export const stateOf = (folder: string): readonly string[] =>
  readdirSync(folder)
    .toSorted()
    .map((name) => {
      const file = join(folder, name)
      return `${name} ${statSync(file).mtimeMs} ${statSync(file).mode} ${readFileSync(file).toString('base64')}`
    })

/** `connection id=state` of all that is neither ok nor skipped */
export const problemsIn = ({ json }: Told): string[] =>
  json.checks
    .filter(({ state }) => state === 'warn' || state === 'fail')
    .map(({ id, connection, state }) => `${connection === undefined ? '' : `${connection} `}${id}=${state}`)

export const findCheck = ({ json }: Told, id: string, connection?: string): Check => {
  const found = json.checks.find((one) => one.id === id && (connection === undefined || one.connection === connection))
  if (!found) throw new Error(`there is no check ${id}`)
  return found
}

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** an installation over a scripted platform, with connections that share one key file */
export function install(t: TestContext, platform: string, settings: Record<string, unknown> = {}) {
  const folder = makeFolder(t)
  const keyFile = join(folder, 'key.p8')
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  const issuerId = '57246542-96fe-1a63-e053-0824d0110001'
  const file = {
    listen: '127.0.0.1:0',
    operatorListen: 'off',
    store: 'sqlite:v.db',
    upstream: { baseUrl: platform },
    connections: { acme: { keyId: 'ACMEKEY001', issuerId, privateKeyFile: 'key.p8' } },
    ...settings,
  }
  const config = join(folder, 'vitrine.json')
  writeFileSync(config, JSON.stringify(file))
  return { config, folder, keyFile }
}
