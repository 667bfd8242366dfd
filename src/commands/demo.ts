// `vitrine demo`: the service over a sandbox platform and an embedded store, with a key and three lines to paste.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Keys } from '../keys/keys.ts'
import { readTroubleRule, startSandbox } from '../sandbox/sandbox.ts'
import { readSettings, type Settings } from '../settings.ts'
import { type House, openHouse } from '../wire.ts'
import { orComplain } from './complaint.ts'
import { stopOnSignal } from './lifetime.ts'
import { createLog } from './log.ts'
import { openSandboxAccount } from './sandbox-account.ts'

/** the key of the last start while it still opens the door, else a new one */
async function openDemoKey(keys: Keys, file: string): Promise<string> {
  if (existsSync(file)) {
    const key = readFileSync(file, 'utf8').trim()
    const good = await keys.authenticate(`Bearer ${key}`).then(
      () => true,
      () => false,
    )
    if (good) return key
  }
  const { key } = await keys.issue({ name: 'demo', connections: ['demo'] })
  writeFileSync(file, `${key}\n`, { mode: 0o600 })
  return key
}

function welcome(url: string, platform: string, key: string): string {
  const ask = (path: string) =>
    `  curl -s -w '\\n' -H 'Authorization: Bearer ${key}' '${url}/v1/connections/demo${path}'`
  return `
Vitrine is showing a sandbox account. Nothing here needs, or can reach, a real one.

  facade      ${url}
  reference   ${url}/docs
  platform    ${platform}   (the sandbox)
  facade key  ${key}

Apps:
${ask('/apps?limit=3&fields=name,bundleId')}

A custom product page in exactly one locale:
${ask('/custom-product-page-versions/5d1e9a70-2c48-4b6f-a3d2-0c0000000007/localizations/de-DE/placements?limit=2')}

An error that says what to do:
${ask('/apps?nmae=Tidal')}

Ctrl-C stops it.

`
}

/** the demo shows the sandbox whatever the environment says of a real installation */
function ownVariables(): Record<string, string | undefined> {
  const { VITRINE_LISTEN, VITRINE_LOG } = process.env
  return { VITRINE_LISTEN, VITRINE_LOG }
}

type Open = (listen: Settings['listen']) => Promise<House>

/** a taken port is no reason to show nothing, unless somebody asked for that port */
async function listenSomewhere(open: Open, wanted: Settings['listen'], fixed: boolean): Promise<[House, string]> {
  const house = await open(wanted)
  try {
    return [house, await house.listen()]
  } catch (error) {
    await house.close()
    if (fixed || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    return listenSomewhere(open, { ...wanted, port: 0 }, true)
  }
}

interface DemoCommand {
  readonly data: string
  readonly trouble?: readonly string[]
}

export async function demo({ data, trouble = [] }: DemoCommand) {
  const folder = resolve(data)
  const { publicKey, ...account } = await orComplain(() => openSandboxAccount(folder))
  const { keyId, issuerId, privateKeyFile } = account
  const platform = await orComplain(() =>
    startSandbox({ accounts: [{ keyId, issuerId, publicKey }], trouble: trouble.map(readTroubleRule) }),
  )
  const file = {
    store: 'sqlite:vitrine.db',
    upstream: { baseUrl: platform.url },
    connections: { demo: { keyId, issuerId, privateKeyFile } },
  }
  const settings = await orComplain(() => readSettings(file, ownVariables()))
  const observe = createLog(process.stderr.isTTY ? settings.log : 'problems')
  const open: Open = (listen) => openHouse({ ...settings, listen }, { folder, observe })
  const fixed = process.env['VITRINE_LISTEN'] !== undefined
  const [house, url] = await orComplain(() => listenSomewhere(open, settings.listen, fixed))
  stopOnSignal(async () => {
    await house.close()
    await platform.close()
  }, observe)
  process.stdout.write(welcome(url, platform.url, await openDemoKey(house.keys, join(folder, 'key'))))
}
