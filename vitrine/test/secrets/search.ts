// An installation with secrets in it, and the search for them in all output and all files.
import assert from 'node:assert/strict'
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type Canary, findCanaries } from '../support/canaries.ts'
import { askPostgres } from '../../../base/test/postgres.ts'
import { startScriptedPlatform } from '../support/scripted-platform.ts'
import { plant, type Planted, platformOf } from './planted.ts'
import { setStage, type Stage } from './program.ts'

export async function prepare(t: TestContext): Promise<{ stage: Stage; planted: Planted }> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-canaries-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const planted = plant(folder)
  const platform = await startScriptedPlatform(platformOf(planted))
  t.after(platform.close)
  const settings = {
    listen: '127.0.0.1:0',
    operatorListen: '127.0.0.1:0',
    store: 'sqlite:data/v.db',
    rateLimit: { perMinute: 0 },
    masterKeysFile: 'given/master-keys.txt',
    operatorTokenFile: 'given/token.txt',
    audit: { reads: true },
    upstream: { baseUrl: platform.url, timeoutMs: 2_000 },
    connections: { acme: { keyId: 'MANAGED', privateKeyFile: 'given/managed.p8' } },
  }
  writeFileSync(join(folder, 'vitrine.json'), JSON.stringify(settings))
  return { stage: setStage(t, folder), planted }
}

/** every file but those that secrets were given in */
export function searchFiles({ folder }: Stage, canaries: readonly Canary[]): string[] {
  const files = globSync('**/*', { cwd: folder }).filter((name) => !name.startsWith('given') && name !== 'vitrine.json')
  const plain = files.filter((name) => statSync(join(folder, name)).isFile())
  assert.ok(plain.some((name) => name.endsWith('v.db')))
  return plain.flatMap((name) =>
    findCanaries(readFileSync(join(folder, name)), canaries).map((find) => `${name}: ${find}`),
  )
}

export function searchHeard({ heard }: Stage, canaries: readonly Canary[]): string[] {
  return heard.flatMap(({ what, text, meant }) =>
    findCanaries(text, canaries)
      .filter((find) => !meant.some((name) => find.startsWith(name)))
      .map((find) => `${what}: ${find}`),
  )
}

/** every row of a database, as it writes them itself */
export const dump = async (url: string): Promise<string> => {
  const names = ['secrets', 'keys', 'connections', 'audit']
  const rows = await Promise.all(names.map((name) => askPostgres(url, `SELECT t::text AS row FROM ${name} t`)))
  return rows
    .flat()
    .map(({ row }) => String(row))
    .join('\n')
}
