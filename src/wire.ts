// The only file that knows every part: from settings to a service that can listen at both of its doors.
import { setMaxListeners } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import type { Route } from './catalogue/define.ts'
import { routes as ours } from './catalogue/index.ts'
import examples from './derive/examples.json' with { type: 'json' }
import { describe } from './derive/openapi.ts'
import { createCursors } from './engine/cursor.ts'
import { createPublicDoor } from './http/app.ts'
import type { OpenDoor } from './http/framework.ts'
import { describeOperator } from './http/operator/description.ts'
import { createOperatorDoor } from './http/operator/door.ts'
import { createMatcher } from './http/paths.ts'
import type { Keys } from './keys/keys.ts'
import { createOperatorTokens } from './keys/operator-token.ts'
import { createRates } from './keys/rate.ts'
import type { Observe } from './observe.ts'
import { type Office, openOffice, type Secrets, within } from './office.ts'
import { Problem } from './problem.ts'
import { createReadAudit, noReadAudit } from './read-audit.ts'
import type { Address, Settings } from './settings.ts'

export interface House {
  /** starts to listen, and answers the addresses */
  listen(): Promise<{ url: string; operatorUrl?: string }>
  /**
   * Serves the connections of these settings; where they are wrong, those that were served before. False where it was not
   * the settings' fault, and should be tried again.
   */
  reload(read: () => Settings): Promise<boolean>
  /** readiness goes first, and callers are still served for the grace; then requests under way finish, and nobody new is let in */
  close(how?: { graceMs?: number }): Promise<void>
  readonly keys: Keys
  /** ids of all that are there now */
  connections(): Promise<readonly string[]>
}

export interface Surroundings {
  /** the folder that relative paths of the settings start at */
  readonly folder: string
  readonly observe: Observe
  readonly secrets?: Secrets
  readonly routes?: readonly Route[]
  readonly now?: () => number
}

/** how long the last requests may wait for the platform when the service stops */
const patienceMs = 9_000
/** and how long their answers may then take to leave */
const unsentMs = 2_000

const unaudited = 'the audit of reads cannot be written'

const urlOf = ({ family, address, port }: AddressInfo): string =>
  `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`

async function listenAt({ app }: OpenDoor, { host, port }: Address): Promise<string> {
  await app.listen({ host, port })
  return urlOf(app.server.address() as AddressInfo)
}

const isLoopback = ({ host }: Address): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.')

function openTokens(settings: Settings, { folder, secrets, observe }: Surroundings) {
  const { operatorListen, operatorTokenFile } = settings
  const tokens = createOperatorTokens({
    ...(secrets?.operatorToken !== undefined && { fixed: secrets.operatorToken }),
    ...(operatorTokenFile !== undefined && { file: within(folder, operatorTokenFile) }),
    observe,
  })
  if (operatorListen !== 'off' && !isLoopback(operatorListen) && !tokens.given)
    throw new Error(
      `operatorListen: the operator's door would be open to the network at ${operatorListen.host} without a token. Set VITRINE_OPERATOR_TOKEN or operatorTokenFile, or listen on loopback, or set it to off.`,
    )
  return tokens
}

/** what only a restart brings in */
function fixedPart(settings: Settings): Record<string, string> {
  // the master keys are read again with the connections
  const { connections, masterKeysFile, ...fixed } = settings
  void [connections, masterKeysFile]
  return Object.fromEntries(Object.entries(fixed).map(([name, value]) => [name, JSON.stringify(value) ?? '']))
}

function changedOutside(settings: Settings, fresh: Settings): string[] {
  const [before, after] = [fixedPart(settings), fixedPart(fresh)]
  return Object.keys(before).filter((name) => before[name] !== after[name])
}

/** Opens everything that can fail before a port is bound, so that a wrong setting never half starts. */
export async function openHouse(settings: Settings, surroundings: Surroundings): Promise<House> {
  const { observe, routes = ours, now = Date.now, folder, secrets = {} } = surroundings
  const tokens = openTokens(settings, surroundings)
  const office = await openOffice(settings, { folder, secrets, observe, now })
  try {
    await office.load(settings)
  } catch (error) {
    await office.close()
    throw error
  }
  const { keys, connections, store, platform } = office
  const readAudit = settings['audit.reads'] ? createReadAudit(store.audit, now, observe) : noReadAudit
  let stopping = false
  const stop = new AbortController()
  setMaxListeners(0, stop.signal)
  const standing = {
    stopping: () => stopping,
    ready: async () => {
      if (stopping) throw new Problem('stopping')
      if (!readAudit.accepting()) throw new Problem('store_unavailable', { cause: unaudited })
      await store.check()
    },
    now,
  }
  const publicDoor = createPublicDoor({
    ...standing,
    keys,
    connections,
    rates: createRates(settings['rateLimit.perMinute']),
    match: createMatcher(routes),
    accepting: readAudit.accepting,
    cursors: createCursors(await store.secret('cursor'), now),
    origin: platform.origin,
    timeoutMs: settings['upstream.timeoutMs'],
    description: JSON.stringify(describe(routes, examples)),
    giveUp: stop.signal,
    observe: (event) => {
      observe(event)
      readAudit.note(event)
    },
  })
  const operatorDoor =
    settings.operatorListen === 'off' ? undefined : openOperatorDoor(office, { ...standing, tokens, observe })
  const doors = operatorDoor ? [publicDoor, operatorDoor] : [publicDoor]
  return {
    keys,
    connections: () => connections.ids(),
    async listen() {
      const url = await listenAt(publicDoor, settings.listen)
      const { operatorListen: second } = settings
      const at = operatorDoor && second !== 'off' ? { url, operatorUrl: await listenAt(operatorDoor, second) } : { url }
      const count = (await connections.ids()).length
      observe({ kind: 'started', ...at, connections: count, node: process.version })
      return at
    },
    async reload(read) {
      try {
        const fresh = read()
        await office.load(fresh)
        const count = (await connections.ids()).length
        observe({ kind: 'reloaded', connections: count, needRestart: changedOutside(settings, fresh) })
        return true
      } catch (error) {
        const isOurs = error instanceof Problem
        observe({ kind: 'reload_refused', reason: isOurs ? String(error.cause) : (error as Error).message })
        return !isOurs
      }
    },
    async close({ graceMs = 0 } = {}) {
      stopping = true
      await setTimeout(graceMs)
      const late = globalThis.setTimeout(() => stop.abort(), patienceMs)
      await Promise.all(doors.map(({ drain }) => drain(patienceMs + unsentMs)))
      clearTimeout(late)
      await Promise.all(doors.map(({ app }) => app.close()))
      await readAudit.close()
      await office.close()
    },
  }
}

type Standing = Pick<Parameters<typeof createOperatorDoor>[0], 'stopping' | 'ready' | 'now' | 'tokens' | 'observe'>

const openOperatorDoor = ({ keys, desk, rotation, store, connections }: Office, standing: Standing): OpenDoor =>
  createOperatorDoor({
    ...standing,
    ...{ keys, desk, rotation, audit: store.audit, connections },
    description: JSON.stringify(describeOperator()),
  })
