// `vitrine demo`: the service over a sandbox platform and an embedded store, with a key and some lines to paste.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Keys } from '../keys/keys.ts'
import { makeMasterKey } from '../connections/master-keys.ts'
import type { Observe } from '../observe.ts'
import { readTroubleRule, startSandbox } from '../sandbox/sandbox.ts'
import { readSettings, type Settings } from '../settings.ts'
import { type House, openHouse } from '../wire.ts'
import { orComplain } from './complaint.ts'
import { createDoctor } from './doctor-of-service.ts'
import { endOnSignal, stopOnSignal } from './lifetime.ts'
import { createLog } from './log.ts'
import { programName } from './program-name.ts'
import { standardUrl } from './read/caller.ts'
import { openSandboxAccount } from './sandbox-account.ts'
import { cliActor } from './session.ts'

/** one account, twice: as the platform answers by itself, and with the relations that it supplies when it is asked */
const [plain, linked] = ['demo', 'demo-linked']

/** the key of the last start while it still opens both doors, else a new one */
async function openDemoKey(keys: Keys, file: string): Promise<string> {
  if (existsSync(file)) {
    const key = readFileSync(file, 'utf8').trim()
    const granted = await keys.authenticate(`Bearer ${key}`).then(
      ({ connections }) => connections,
      (): readonly string[] => [],
    )
    if (granted.includes(linked)) return key
  }
  const { key } = await keys.issue({ name: 'demo', connections: [plain, linked] }, cliActor())
  writeFileSync(file, `${key}\n`, { mode: 0o600 })
  return key
}

/** what the file holds, or what it gets now */
function keepSecret(file: string, make: () => string): string {
  if (!existsSync(file)) writeFileSync(file, `${make()}\n`, { mode: 0o600 })
  return readFileSync(file, 'utf8').trim()
}

interface Places {
  readonly url: string
  readonly operatorUrl?: string
  readonly platform: string
}

interface DemoSecrets {
  readonly key: string
  readonly operatorToken: string
}

/** a line that shows a table, right for where the reader stands */
function read(url: string, key: string): string {
  // a listener on all addresses is reached on this machine, and a key may go there over plain http
  const here = url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
  const at = here === standardUrl ? '' : ` VITRINE_URL=${here}`
  return `  VITRINE_KEY=${key}${at} ${programName()} read listApps --connection ${plain} --limit 5 --fields name,bundleId`
}

function welcome({ url, operatorUrl, platform }: Places, { key, operatorToken }: DemoSecrets): string {
  const ask = (path: string, connection = plain) =>
    `  curl -s -w '\\n' -H 'Authorization: Bearer ${key}' '${url}/v1/connections/${connection}${path}'`
  const operator =
    operatorUrl === undefined
      ? ''
      : `Who did what, at the operator's door:
  curl -s -w '\\n' -H 'Authorization: Bearer ${operatorToken}' '${operatorUrl}/operator/v1/audit?limit=3'

`
  return `
Vitrine is showing a sandbox account. Nothing here needs, or can reach, a real one.

  facade      ${url}
  reference   ${url}/docs
  platform    ${platform}   (the sandbox)
  facade key  ${key}
${operatorUrl === undefined ? '' : `  console     ${operatorUrl}   (in a browser: accounts, keys, quota, an explorer)\n  its token   ${operatorToken}\n`}
Apps, as a table in another terminal here:
${read(url, key)}

Apps, as the service answers them:
${ask('/apps?limit=3&fields=name,bundleId')}

A custom product page in exactly one locale:
${ask('/custom-product-page-versions/5d1e9a70-2c48-4b6f-a3d2-0c0000000007/localizations/de-DE/placements?limit=2')}

Who wrote a nomination, and who changed it: relations that the platform supplies only when it is asked, as
linkage "asked" does:
${ask('/featuring-nominations/a1d3c5e7-2b4f-4608-8a9c-0e0000000016', linked)}

How the connection stands with the platform:
${ask('/status')}

An error that says what to do:
${ask('/apps?nmae=Tidal')}

${operator}Ctrl-C stops it.\n
`
}

/** the demo shows the sandbox whatever the environment says of a real installation */
function ownVariables(): Record<string, string | undefined> {
  const { VITRINE_LISTEN, VITRINE_OPERATOR_LISTEN, VITRINE_LOG } = process.env
  return { VITRINE_LISTEN, VITRINE_OPERATOR_LISTEN, VITRINE_LOG }
}

type Ports = Pick<Settings, 'listen' | 'operatorListen'>
type Open = (ports: Ports) => Promise<House>
type Listening = [House, Awaited<ReturnType<House['listen']>>]

/** a taken port is no reason to show nothing, unless somebody asked for that port */
function otherPorts({ listen, operatorListen }: Ports): Ports | undefined {
  const asked = process.env
  const listenFree = asked['VITRINE_LISTEN'] === undefined && { listen: { ...listen, port: 0 } }
  const operatorFree = asked['VITRINE_OPERATOR_LISTEN'] === undefined &&
    operatorListen !== 'off' && { operatorListen: { ...operatorListen, port: 0 } }
  return listenFree || operatorFree ? { listen, operatorListen, ...listenFree, ...operatorFree } : undefined
}

async function listenSomewhere(open: Open, wanted: Ports, otherwise: Ports | undefined): Promise<Listening> {
  const house = await open(wanted)
  try {
    return [house, await house.listen()]
  } catch (error) {
    await house.close()
    if (!otherwise || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    return listenSomewhere(open, otherwise, undefined)
  }
}

interface DemoCommand {
  readonly data: string
  readonly trouble?: readonly string[]
}

export async function demo({ data, trouble = [] }: DemoCommand) {
  const serves = endOnSignal()
  const folder = resolve(data)
  const { publicKey, ...account } = await orComplain(() => openSandboxAccount(folder))
  const { keyId, issuerId, privateKeyFile } = account
  const platform = await orComplain(() =>
    startSandbox({ accounts: [{ keyId, issuerId, publicKey }], trouble: trouble.map(readTroubleRule) }),
  )
  const file = {
    store: 'sqlite:vitrine.db',
    upstream: { baseUrl: platform.url },
    connections: {
      [plain]: { keyId, issuerId, privateKeyFile },
      [linked]: { keyId, issuerId, privateKeyFile, linkage: 'asked' },
    },
  }
  const settings = await orComplain(() => readSettings(file, ownVariables()))
  let note: Observe | undefined
  const choice = process.stderr.isTTY ? settings.log : 'problems'
  const observe = createLog(choice, process.stderr, (event) => note?.(event))
  const operatorToken = keepSecret(join(folder, 'operator-token'), () => randomBytes(24).toString('hex'))
  const masterKeys = keepSecret(join(folder, 'master-key'), () => makeMasterKey('demo'))
  const secrets = { operatorToken, masterKeys }
  let listening: readonly string[] = []
  const open: Open = (ports) => {
    const own = { settings: { ...settings, ...ports }, folder, secrets }
    const doctor = createDoctor(() => ({ ...own, file: undefined, listening }))
    return openHouse(own.settings, { ...own, observe, doctor })
  }
  const [house, at] = await orComplain(() => listenSomewhere(open, settings, otherPorts(settings)))
  listening = [at.url, at.operatorUrl].filter((one) => one !== undefined)
  note = house.note
  stopOnSignal(async () => {
    await house.close()
    await platform.close()
  }, observe)
  serves()
  const key = await openDemoKey(house.keys, join(folder, 'key'))
  process.stdout.write(welcome({ ...at, platform: platform.url }, { key, operatorToken }))
}
