// How Vitrine is started and what it is asked: the real command over a fresh store, with all its checks, and no limit
// that would end the bench early.
import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { answers, environment, freePort, start } from '../child.mjs'
import { temporaryFolder } from '../leftovers.mjs'

const command = join(import.meta.dirname, '../../bin/vitrine')

function writeSettings(folder, platform, port, more) {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' })
  writeFileSync(join(folder, 'key.p8'), pem, { mode: 0o600 })
  const settings = {
    listen: `127.0.0.1:${port}`,
    operatorListen: 'off',
    store: 'sqlite:vitrine.db',
    upstream: { baseUrl: platform },
    rateLimit: { perMinute: 0 },
    log: 'off',
    connections: { a: { keyId: 'BENCH00001', issuerId: crypto.randomUUID(), privateKeyFile: 'key.p8' } },
    ...more,
  }
  const file = join(folder, 'vitrine.json')
  writeFileSync(file, JSON.stringify(settings))
  return file
}

function makeKey(config) {
  const given = ['keys', 'create', '--name', 'bench', '--connections', 'a', '--config', config]
  const told = execFileSync(command, given, { encoding: 'utf8', env: environment(), stdio: 'pipe' })
  return told.trim().split('\n').at(-1)
}

export const vitrine = {
  name: 'vitrine',
  about: 'Vitrine',

  async start({ platform, core, settings = {} }) {
    const port = await freePort()
    const config = writeSettings(temporaryFolder(), platform, port, settings)
    const authorization = `Bearer ${makeKey(config)}`
    const child = await start([command, 'serve', '--config', config], { core })
    const origin = `http://127.0.0.1:${port}`
    await answers(`${origin}/healthz`, child)
    return { child, origin, headers: { authorization } }
  },

  pathOf: {
    one: (id) => `/v1/connections/a/customer-review-responses/${id}`,
    page: () => '/v1/connections/a/apps',
  },
  countIn: { one: ({ id }) => (id ? 1 : 0), page: ({ items }) => items.length },
}
