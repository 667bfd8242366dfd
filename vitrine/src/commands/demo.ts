// `vitrine demo`: a service with a sandbox platform, a SQLite store, a facade key and commands to paste.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Keys } from '../keys/keys.ts'
import { makeMasterKey } from '../connections/master-keys.ts'
import type { Observe } from '../events.ts'
import { readFaultRule, startSandbox } from '../sandbox/sandbox.ts'
import { usualOrigin } from '../samples.ts'
import { readSettings, type Settings } from '../settings.ts'
import { type RunningService, openService } from '../service.ts'
import { asUserError } from '../../../base/cli/user-error.ts'
import { createDoctor } from './service-doctor.ts'
import { exitOnSignal } from '../../../base/cli/exit-on-signal.ts'
import { closeOnSignal } from './signals.ts'
import { createLog } from './log.ts'
import { programName } from './program-name.ts'
import { openSandboxAccount } from './sandbox-account.ts'
import { cliActor } from './with-store.ts'

/** one account under two names; the second has linkage "asked" */
const [plain, linked] = ['demo', 'demo-linked']

/** reuses the key of the last start while it is valid for both connections */
async function openDemoKey(keys: Keys, file: string): Promise<string> {
  if (existsSync(file)) {
    const key = readFileSync(file, 'utf8').trim()
    const granted = await keys.authenticate(`Bearer ${key}`).then(
      ({ connections }) => connections,
      (): readonly string[] => [],
    )
    if (granted.includes(linked)) return key
  }
  const { key } = await keys.issue({ name: 'demo', connections: [plain, linked], personal: true }, cliActor())
  writeFileSync(file, `${key}\n`, { mode: 0o600 })
  return key
}

function readOrCreate(file: string, make: () => string): string {
  if (!existsSync(file)) writeFileSync(file, `${make()}\n`, { mode: 0o600 })
  return readFileSync(file, 'utf8').trim()
}

interface Demo {
  readonly url: string
  readonly operatorUrl?: string
  readonly platform: string
  readonly key: string
  readonly operatorToken: string
}

function readLine(url: string, key: string, words: string): string {
  // a key may go over plain http only to this machine
  const here = url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:')
  const at = here === usualOrigin ? '' : ` VITRINE_URL=${here}`
  return `  VITRINE_KEY=${key}${at} ${programName()} read ${words} --connection ${plain}`
}

function welcome({ url, operatorUrl, platform, key, operatorToken }: Demo): string {
  const ask = (path: string, connection = plain) =>
    `  curl -s -w '\\n' -H 'Authorization: Bearer ${key}' '${url}/v1/connections/${connection}${path}'`
  const operator =
    operatorUrl === undefined
      ? ''
      : `The audit log, at the operator endpoint:
  curl -s -w '\\n' -H 'Authorization: Bearer ${operatorToken}' '${operatorUrl}/operator/v1/audit?limit=3'

`
  return `
Vitrine serves a sandbox account. Nothing here needs or can reach a real one.

  facade      ${url}
  reference   ${url}/docs
  platform    ${platform}   (the sandbox)
  facade key  ${key}
${operatorUrl === undefined ? '' : `  console     ${operatorUrl}   (in a browser: accounts, keys, quota, an explorer)\n  its token   ${operatorToken}\n`}
Apps, as a table in another terminal here:
${readLine(url, key, 'listApps --limit 5 --fields name,bundleId')}

The versions in review, over all apps:
${readLine(url, key, 'listAppVersions --each --state IN_REVIEW --fields platform,versionString,appVersionState')}

Apps, as JSON:
${ask('/apps?limit=3&fields=name,bundleId')}

A custom product page in exactly one locale:
${ask('/custom-product-page-versions/5d1e9a70-2c48-4b6f-a3d2-0c0000000007/localizations/de-DE/placements?limit=2')}

Who created and changed a nomination: relations that need linkage "asked":
${ask('/featuring-nominations/a1d3c5e7-2b4f-4608-8a9c-0e0000000016', linked)}

The state of the connection:
${ask('/status')}

An error:
${ask('/apps?nmae=Tidal')}

${operator}Ctrl-C stops it.\n
`
}

/** ignores the settings of a real installation in the environment */
function ownVariables(): Record<string, string | undefined> {
  const { VITRINE_LISTEN, VITRINE_OPERATOR_LISTEN, VITRINE_LOG } = process.env
  return { VITRINE_LISTEN, VITRINE_OPERATOR_LISTEN, VITRINE_LOG }
}

type Ports = Pick<Settings, 'listen' | 'operatorListen'>
type Open = (ports: Ports) => Promise<RunningService>
type Listening = [RunningService, Awaited<ReturnType<RunningService['listen']>>]

/** tries free ports instead of taken ones, except for ports set in the environment */
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

export async function demo({ data, trouble = [] }: { data: string; trouble?: readonly string[] }) {
  const serves = exitOnSignal()
  const folder = resolve(data)
  const { publicKey, ...account } = await asUserError(() => openSandboxAccount(folder))
  const { keyId, issuerId, privateKeyFile } = account
  const platform = await asUserError(() =>
    startSandbox({ accounts: [{ keyId, issuerId, publicKey }], faults: trouble.map(readFaultRule) }),
  )
  const file = {
    store: 'sqlite:vitrine.db',
    upstream: { baseUrl: platform.url },
    connections: {
      [plain]: { keyId, issuerId, privateKeyFile },
      [linked]: { keyId, issuerId, privateKeyFile, linkage: 'asked' },
    },
  }
  const settings = await asUserError(() => readSettings(file, ownVariables()))
  let note: Observe | undefined
  const choice = process.stderr.isTTY ? settings.log : 'problems'
  const observe = createLog(choice, process.stderr, (event) => note?.(event))
  const operatorToken = readOrCreate(join(folder, 'operator-token'), () => randomBytes(24).toString('hex'))
  const masterKeys = readOrCreate(join(folder, 'master-key'), () => makeMasterKey('demo'))
  const secrets = { operatorToken, masterKeys }
  let listening: readonly string[] = []
  const open: Open = (ports) => {
    const own = { settings: { ...settings, ...ports }, folder, secrets }
    const doctor = createDoctor(() => ({ ...own, file: undefined, listening }))
    return openService(own.settings, { ...own, observe, doctor })
  }
  const [house, at] = await asUserError(() => listenSomewhere(open, settings, otherPorts(settings)))
  listening = [at.url, at.operatorUrl].filter((one) => one !== undefined)
  note = house.note
  closeOnSignal(async () => {
    await house.close()
    await platform.close()
  }, observe)
  serves()
  const key = await openDemoKey(house.keys, join(folder, 'key'))
  process.stdout.write(welcome({ ...at, platform: platform.url, key, operatorToken }))
}
