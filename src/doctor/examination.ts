// The whole round, in its order: what is true of the installation, then of each connection. Nothing is changed by it.
import { groups as all } from '../catalogue/define.ts'
import { routes } from '../catalogue/index.ts'
import { probes } from '../catalogue/probes.ts'
import { counted } from '../counted.ts'
import { reachOf, within } from '../office.ts'
import { createGate } from '../platform/gate.ts'
import { createProber, type Probed, type Prober } from '../platform/probe.ts'
import { lookAtAccount } from './account.ts'
import { judgeDoors, judgeOperatorToken } from './doors.ts'
import { fail, type Finding, ok, skip, type Verdict, warn } from './finding.ts'
import { judgeHosted, judgeKeyFile, type Keyed } from './key-file-check.ts'
import type { Own, Patient } from './patient.ts'
import { judgeClock, judgePlatform, knockAt } from './platform-checks.ts'
import { judgeProxies } from './proxies-check.ts'
import { judgeRedis, judgeReplicas } from './redis-check.ts'
import { createRound, type Round, type RoundOptions } from './round.ts'
import { judgeVersion, readable, unreadable } from './settings-check.ts'
import { judgeSchema, judgeStore } from './store-checks.ts'
import { judgeCredentials, judgeMasterKeys } from './vault-checks.ts'

export interface Wish extends Pick<RoundOptions, 'tell' | 'begin' | 'signal'> {
  /** only these connections; empty: all */
  readonly ids: readonly string[]
  /** several connections are looked at at once: true where a finding is told as it comes, and not in their order */
  readonly asItComes?: boolean
  /** only what a start needs: the platform is not asked */
  readonly starting?: true
  /** throws an Error that says what is wrong with the settings */
  readonly read: () => Own
  /** told of names that there are no connections of; throws */
  readonly unknown: (id: string, known: readonly string[]) => never
}

/** so many are named */
const mostNamed = 10
/** what one check may take */
const patienceMs = 15_000
/** connections that are looked at at once */
const atOnce = 4

/** those that a route has, in their own order */
const groups = all.filter((group) => routes.some((route) => route.group === group))

async function lookAtStore(round: Round, patient: Patient) {
  await round.look('store', (signal) => judgeStore(patient, signal))
  await round.look('schema', () => judgeSchema(patient))
  await round.look('master-keys', () => judgeMasterKeys(patient))
  await round.look('credentials', (signal) => judgeCredentials(patient, signal))
  await round.look('replicas', () => judgeReplicas(patient))
  await round.look('redis', (signal) => judgeRedis(patient, signal))
}

function chosen({ ids, unknown }: Wish, { settings, hosted, isCounted }: Patient): readonly string[] {
  const there = [...new Set([...Object.keys(settings.connections), ...hosted.keys()])]
  // what the store holds is not known where it cannot be read: then the name may well be right
  for (const id of ids) if (isCounted && !there.includes(id)) unknown(id, there)
  return ids.length > 0 ? [...new Set(ids)] : there
}

function judgeConnections(ids: readonly string[], { isCounted, settings }: Patient): Verdict {
  const strange = isCounted ? [] : ids.filter((id) => !Object.hasOwn(settings.connections, id))
  if (strange.length > 0)
    return fail(`Nothing is known of ${strange.join(', ')}.`, {
      cause: 'the settings do not name it, and the store could not be looked through',
      cure: 'Mend what is said of the store, then try it again.',
    })
  const rest = isCounted ? '' : ' What the store holds is not known.'
  if (ids.length > 0)
    return ok(
      `${counted(ids.length, 'connection')} to look at: ${ids.slice(0, mostNamed).join(', ')}${ids.length > mostNamed ? ' …' : '.'}${rest}`,
    )
  return warn('There is no connection.', {
    cause: 'neither the settings nor the store name one',
    cure: 'Add one: vitrine connections add <id>, or `connections` in the settings file.',
  })
}

function judgeKey(patient: Patient, id: string): Keyed {
  const { connections } = patient.settings
  const own = Object.hasOwn(connections, id) ? connections[id] : undefined
  if (!own) return judgeHosted(patient, id)
  const written = own.privateKeyFile
  return judgeKeyFile({ ...own, privateKeyFile: within(patient.folder, written) }, written)
}

async function lookAtKey(own: Round, patient: Patient, id: string): Promise<Keyed | undefined> {
  let keyed: Keyed | undefined
  await own.look('key-file', () => (keyed = judgeKey(patient, id)).verdict)
  return keyed
}

async function lookAtConnection(own: Round, patient: Patient, prober: Prober, id: string) {
  const keyed = await lookAtKey(own, patient, id)
  const credential = keyed?.credential
  const account = credential && { credential, named: keyed?.named, prober }
  await lookAtAccount({ round: own, account, probes, groups })
}

type LookAt = (id: string, tell: Wish['tell']) => Promise<unknown>

async function lookAtConnections({ tell, signal, asItComes = false }: Wish, ids: readonly string[], look: LookAt) {
  const oneOfFew = createGate(atOnce)
  const looks = ids.map((id) =>
    oneOfFew(async () => {
      signal?.throwIfAborted()
      // where nothing has to be waited for, ten thousand of them would keep all others of this process waiting
      await new Promise((ok) => setImmediate(ok))
      const held: Finding[] = []
      await look(id, asItComes ? tell : (finding) => held.push(finding))
      return held
    }),
  )
  // the first that fails is heard below; nobody hears of those after it
  for (const one of looks) one.catch(() => {})
  // what is told is let go of
  for (let next = looks.shift(); next; next = looks.shift()) for (const finding of await next) tell(finding)
}

async function lookAtPlatform(round: Round, patient: Patient, prober: Prober) {
  let heard: Probed | undefined
  await round.look('platform', async (signal) => {
    heard = await knockAt(prober, signal)
    return judgePlatform(heard, patient.settings)
  })
  await round.look('clock', () =>
    heard ? judgeClock(heard, (ms) => prober.setClock(ms)) : skip('there was no answer'),
  )
}

/** without settings nothing else can be looked at, and all of it is said to be so */
async function lookAtNothing(round: Round, { starting }: Wish) {
  const nothing = () => skip('the settings cannot be used')
  const ids = [
    'doors',
    'operator-token',
    'proxies',
    'store',
    'schema',
    'master-keys',
    'credentials',
    'replicas',
    'redis',
  ] as const
  const here = [...ids, 'connections', 'key-file'] as const
  if (starting) {
    for (const id of here) await round.look(id, nothing)
    return
  }
  for (const id of [...ids, 'connections', 'platform', 'clock', 'key-file', 'token', 'agreements', 'quota'] as const)
    await round.look(id, nothing)
  for (const group of groups) await round.look('group', nothing, group)
}

function proberOf(settings: Own['settings']): Prober {
  const reach = reachOf(settings)
  return createProber({ ...reach, totalMs: Math.min(reach.totalMs, patienceMs), now: Date.now })
}

export async function examine(wish: Wish): Promise<void> {
  const round = createRound({ ...wish, patienceMs })
  let own: Own | undefined
  await round.look('settings', () => {
    try {
      return readable((own = { ...wish.read(), starting: wish.starting }))
    } catch (error) {
      return unreadable((error as Error).message)
    }
  })
  await round.look('version', () => judgeVersion(process.version))
  if (!own) return lookAtNothing(round, wish)
  const patient: Patient = {
    ...own,
    look: undefined,
    sound: false,
    vault: undefined,
    hosted: new Map(),
    closed: new Map(),
    isCounted: false,
  }
  const prober = proberOf(patient.settings)
  try {
    await round.look('doors', (signal) => judgeDoors(patient, signal))
    await round.look('operator-token', () => judgeOperatorToken(patient))
    await round.look('proxies', () => judgeProxies(patient))
    await lookAtStore(round, patient)
    const ids = chosen(wish, patient)
    await round.look('connections', () => judgeConnections(ids, patient))
    if (wish.starting)
      return await lookAtConnections(wish, ids, (id, tell) => lookAtKey(round.of(id, tell), patient, id))
    await lookAtPlatform(round, patient, prober)
    await lookAtConnections(wish, ids, (id, tell) => lookAtConnection(round.of(id, tell), patient, prober, id))
  } finally {
    await prober.close()
    await patient.look?.store.close()
  }
}
