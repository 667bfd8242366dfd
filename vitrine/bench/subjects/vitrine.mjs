// How Vitrine is started and what it is asked: the real command over a fresh store, with all its checks, and no limit
// that would end the bench early.
import { execFile, execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
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

const keyCommand = (config) => ['keys', 'create', '--name', 'bench', '--connections', '*', '--config', config]
const authorizationOf = (told) => ({ authorization: `Bearer ${told.trim().split('\n').at(-1)}` })

/** what is there before the service starts: settings, a store, and a key in it */
export async function makeHome({ platform, settings = {} }) {
  const folder = temporaryFolder()
  const port = await freePort()
  const config = writeSettings(folder, platform, port, settings)
  const headers = authorizationOf(ask(keyCommand(config)))
  return { folder, port, config, headers, origin: `http://127.0.0.1:${port}` }
}

/** more keys, as the headers of those that have them */
export const makeKeys = ({ config }, count) =>
  Promise.all(
    Array.from({ length: count }, async () => {
      const { stdout } = await promisify(execFile)(command, keyCommand(config), { env: environment() })
      return authorizationOf(stdout)
    }),
  )

/** the same settings at another address */
export async function another({ folder, config, ...home }) {
  const port = await freePort()
  const file = join(folder, `vitrine-${port}.json`)
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(config, 'utf8')), listen: `127.0.0.1:${port}` }))
  return { ...home, folder, port, config: file, origin: `http://127.0.0.1:${port}` }
}

/** `program`: the launcher of an installed package instead of the checkout's */
export const serveCommand = ({ config, program = command }) => [program, 'serve', '--config', config]

export async function serve(home, where = {}) {
  const child = await start(serveCommand(home), where)
  await answers(`${home.origin}/readyz`, child)
  return { child, ...home }
}

export const vitrine = {
  name: 'vitrine',
  about: 'Vitrine',
  start: async ({ platform, settings, ...where }) => serve(await makeHome({ platform, settings }), where),

  pathOf: {
    one: (id) => `/v1/connections/a/customer-review-responses/${id}`,
    page: (sku) => `/v1/connections/a/apps?sku=${sku}`,
    locale: (version) => `/v1/connections/a/custom-product-page-versions/${version}/localizations/en-US/placements`,
  },
}
