// The whole service over the sandbox, set up as an example needs it.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSandboxAccount } from '../../src/commands/sandbox-account.ts'
import { cliActor } from '../../src/commands/with-store.ts'
import type { Doctor } from '../../src/management/examination.ts'
import type { Group } from '../../src/catalogue/define.ts'
import { readFaultRule, startSandbox } from '../../src/sandbox/sandbox.ts'
import { readSettings } from '../../src/settings.ts'
import { openService } from '../../src/service.ts'

export interface Circumstances {
  /** the faults of the sandbox at every call */
  readonly trouble?: readonly string[]
  /** further settings of the example */
  readonly settings?: Readonly<Record<string, unknown>>
  readonly groups?: readonly Group[]
  readonly perMinute?: number
  readonly platformCallsPerHour?: number
  readonly apps?: readonly string[]
  /** whether its key is shown personal data; absent: yes */
  readonly personal?: boolean
  /** the share of the heap that is in use */
  readonly heapInUse?: number
  readonly masterKeys?: true
}

/** runs until it is stopped */
const patient: Doctor = {
  ids: () => [],
  examine: ({ signal }) =>
    new Promise((_, no) => signal.addEventListener('abort', () => no(new Error('it was stopped')), { once: true })),
}

export const operatorToken = 'the-token-of-the-Operator-q8Zr2Vx5'

const masterKeys = `first:${randomBytes(32).toString('base64')}`

function settingsOf(demo: object, baseUrl: string, given: { readonly upstream?: object }) {
  const { upstream, ...others } = given
  return {
    listen: '127.0.0.1:0',
    operatorListen: '127.0.0.1:0',
    store: 'sqlite:v.db',
    connections: { demo },
    ...others,
    upstream: { baseUrl, ...upstream },
  }
}

export async function openExampleService(circumstances: Circumstances = {}) {
  const { trouble = [], settings: given = {}, groups, perMinute, personal = true, heapInUse } = circumstances
  const { platformCallsPerHour, apps } = circumstances
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-derive-'))
  const account = openSandboxAccount(folder)
  const { publicKey, keyId, issuerId, privateKeyFile } = account
  const platform = await startSandbox({
    accounts: [{ keyId, issuerId, publicKey }],
    faults: trouble.map(readFaultRule),
  })
  const file = settingsOf({ keyId, issuerId, privateKeyFile }, platform.url, given)
  let ahead = 0
  const service = await openService(readSettings(file, {}), {
    folder,
    observe: () => {},
    now: () => Date.now() + ahead,
    secrets: { operatorToken, ...(circumstances.masterKeys && { masterKeys }) },
    ...(heapInUse !== undefined && { heapInUse: () => heapInUse }),
    doctor: patient,
  })
  const limits = { platformCallsPerHour, apps, ...(groups && { groups }), ...(perMinute && { perMinute }) }
  const wish = { name: 'derive', connections: ['demo'], personal, ...limits }
  const { key } = await service.keys.issue(wish, cliActor())
  const { url, operatorUrl = '' } = await service.listen()
  return {
    url,
    operatorUrl,
    key,
    account,
    /** calls that reached the platform */
    calls: () => platform.asked.length,
    /** the wall clock of the service goes on at once */
    leap: (hours: number) => {
      ahead += hours * 3_600_000
    },
    async close() {
      await service.close()
      await platform.close()
      rmSync(folder, { recursive: true })
    },
  }
}

export type ExampleService = Awaited<ReturnType<typeof openExampleService>>
