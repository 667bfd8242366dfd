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
    // as many connections to the platform as the peers keep
    upstream: { baseUrl: platform, concurrency: 64 },
    rateLimit: { perMinute: 0 },
    log: 'off',
    connections: { a: { keyId: 'BENCH00001', issuerId: crypto.randomUUID(), privateKeyFile: 'key.p8' } },
    ...more,
  }
  const file = join(folder, 'vitrine.json')
  writeFileSync(file, JSON.stringify(settings))
  return file
}

/** a command that ends by itself; what it prints */
export const ask = (given) => execFileSync(command, given, { encoding: 'utf8', env: environment(), stdio: 'pipe' })

/** what is there before the service starts: settings, a store, and a key in it */
export async function makeHome({ platform, settings = {} }) {
  const folder = temporaryFolder()
  const port = await freePort()
  const config = writeSettings(folder, platform, port, settings)
  const told = ask(['keys', 'create', '--name', 'bench', '--connections', '*', '--config', config])
  const headers = { authorization: `Bearer ${told.trim().split('\n').at(-1)}` }
  return { folder, port, config, headers, origin: `http://127.0.0.1:${port}` }
}

export const serveCommand = ({ config }) => [command, 'serve', '--config', config]

export async function serve(home, { core }) {
  const child = await start(serveCommand(home), { core })
  await answers(`${home.origin}/healthz`, child)
  return { child, ...home }
}

export const vitrine = {
  name: 'vitrine',
  about: 'Vitrine',
  start: async ({ platform, core, settings }) => serve(await makeHome({ platform, settings }), { core }),

  pathOf: {
    one: (id) => `/v1/connections/a/customer-review-responses/${id}`,
    page: (sku) => `/v1/connections/a/apps?sku=${sku}`,
    locale: (version) => `/v1/connections/a/custom-product-page-versions/${version}/localizations/en-US/placements`,
  },
}
