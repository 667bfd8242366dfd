// Runs all checks in order: first the installation, then each connection. It changes nothing.
import { counted } from '../../../base/core/plural.ts'
import { reachOf, within } from '../core/located.ts'
import { checkCacheGroups } from '../reads/caches.ts'
import { createSemaphore } from '../../../base/core/semaphore.ts'
import { createProber, type Probed, type Prober } from '../platform/call/probe.ts'
import { type AccountCheckOptions, checkAccount, checkedGroups } from './account-check.ts'
import { type CheckId, checks } from './checks.ts'
import { judgeOutgoing } from './outgoing-check.ts'
import { judgeListening, judgeOperatorToken } from './listen-check.ts'
import { fail, type DoctorFinding, ok, skip, type Verdict, warn } from './finding.ts'
import { judgeHosted, judgeKeyFile, type KeyFileResult } from './key-file-check.ts'
import type { DoctorInput, Installation } from './installation.ts'
import { judgeClock, judgePlatform, askWithoutToken } from './platform-checks.ts'
import { judgeSignIn } from './sign-in-check.ts'
import { judgeProxies } from './proxies-check.ts'
import { judgeRedis, judgeReplicas } from './redis-check.ts'
import { createRunner, type CheckRunner, type RunnerOptions } from './runner.ts'
import { judgeVersion, judgeReadSettings, judgeWrongSettings } from './settings-check.ts'
import { judgeSchema, judgeStore } from './store-checks.ts'
import { judgeCredentials, judgeMasterKeys } from './vault-checks.ts'

export interface InstallationCheckOptions extends Pick<RunnerOptions, 'report' | 'started' | 'signal'> {
  /** empty: all connections */
  readonly ids: readonly string[]
  /** report findings of connections as they come, not in the order of connections */
  readonly asItComes?: boolean
  /** takes the connections that will be checked */
  readonly chosen?: (ids: readonly string[]) => void
  /** no groups of routes: one call for a connection that is well, three at most */
  readonly brief?: true
  /** only what a start needs, without the platform */
  readonly starting?: true
  readonly read: () => DoctorInput
  /** takes an id without a connection; throws */
  readonly unknown: (id: string, known: readonly string[]) => never
}

const mostNamed = 10
const checkMs = 15_000
const [atOnce, atOnceBrief] = [4, 8]

async function checkStore(runner: CheckRunner, installation: Installation) {
  await runner.run('store', (signal) => judgeStore(installation, signal))
  await runner.run('schema', () => judgeSchema(installation))
  await runner.run('master-keys', () => judgeMasterKeys(installation))
  await runner.run('credentials', (signal) => judgeCredentials(installation, signal))
  await runner.run('replicas', () => judgeReplicas(installation))
  await runner.run('redis', (signal) => judgeRedis(installation, signal))
}

function chooseIds(
  { ids, unknown }: InstallationCheckOptions,
  { settings, hosted, isStoreRead }: Installation,
): readonly string[] {
  const there = [...new Set([...Object.keys(settings.connections), ...hosted.keys()])]
  // an unreadable store may hold the connection
  for (const id of ids) if (isStoreRead && !there.includes(id)) unknown(id, there)
  return ids.length > 0 ? [...new Set(ids)] : there
}

function judgeConnections(ids: readonly string[], { isStoreRead, settings }: Installation): Verdict {
  const unknownIds = isStoreRead ? [] : ids.filter((id) => !Object.hasOwn(settings.connections, id))
  if (unknownIds.length > 0)
    return fail(`${unknownIds.join(', ')}: unknown.`, {
      cause: 'the settings do not name it, and the store could not be read',
      cure: 'Fix the problem of the store, then try again.',
    })
  const rest = isStoreRead ? '' : ' The connections in the store are not known.'
  if (ids.length > 0)
    return ok(
      `${counted(ids.length, 'connection')} to check: ${ids.slice(0, mostNamed).join(', ')}${ids.length > mostNamed ? ' …' : '.'}${rest}`,
    )
  return warn('There is no connection.', {
    cause: 'neither the settings nor the store name one',
    cure: 'Add one: vitrine connections add <id>, or `connections` in the settings file.',
  })
}

function judgeKey(installation: Installation, id: string): KeyFileResult {
  const { connections } = installation.settings
  const own = Object.hasOwn(connections, id) ? connections[id] : undefined
  if (!own) return judgeHosted(installation, id)
  const written = own.privateKeyFile
  return judgeKeyFile({ ...own, privateKeyFile: within(installation.folder, written) }, written)
}

async function checkKey(
  runner: CheckRunner,
  installation: Installation,
  id: string,
): Promise<KeyFileResult | undefined> {
  let check: KeyFileResult | undefined
  await runner.run('key-file', () => (check = judgeKey(installation, id)).verdict)
  return check
}

interface ConnectionParts extends AccountCheckOptions {
  readonly installation: Installation
  readonly prober: Prober
}

async function checkConnection(runner: CheckRunner, id: string, parts: ConnectionParts) {
  const { installation, prober } = parts
  const check = await checkKey(runner, installation, id)
  const credential = check?.credential
  const account = credential && { credential, named: check?.named, prober }
  await checkAccount(runner, account, parts)
}

type ConnectionCheck = (id: string, report: InstallationCheckOptions['report']) => Promise<unknown>

async function checkConnections(
  { report, signal, brief, asItComes = false }: InstallationCheckOptions,
  ids: readonly string[],
  check: ConnectionCheck,
) {
  const limited = createSemaphore(brief ? atOnceBrief : atOnce)
  const running = ids.map((id) =>
    limited(async () => {
      signal?.throwIfAborted()
      // checks that never wait would otherwise block the process for ten thousand connections
      await new Promise((ok) => setImmediate(ok))
      const waiting: DoctorFinding[] = []
      await check(id, asItComes ? report : (finding) => waiting.push(finding))
      return waiting
    }),
  )
  for (const one of running) one.catch(() => {})
  // reported findings are released
  for (let next = running.shift(); next; next = running.shift()) for (const finding of await next) report(finding)
}

async function checkPlatform(runner: CheckRunner, installation: Installation, prober: Prober) {
  let probed: Probed | undefined
  await runner.run('platform', async (signal) => {
    probed = await askWithoutToken(prober, signal)
    return judgePlatform(probed, installation.settings)
  })
  await runner.run('clock', () =>
    probed ? judgeClock(probed, (ms) => prober.setClock(ms)) : skip('there was no answer'),
  )
}

const alwaysRun: ReadonlySet<CheckId> = new Set(['settings', 'version'])
const onlyOfPlatform: ReadonlySet<CheckId> = new Set(['platform', 'clock', 'token', 'agreements', 'quota', 'group'])

/** Without settings no other check can run: each is reported as skipped. */
async function skipAll(runner: CheckRunner, { starting }: InstallationCheckOptions) {
  const skipped = () => skip(checks.settings.problem)
  for (const id of Object.keys(checks) as CheckId[]) {
    if (alwaysRun.has(id) || (starting && onlyOfPlatform.has(id))) continue
    for (const group of id === 'group' ? checkedGroups : [undefined]) await runner.run(id, skipped, group)
  }
}

function proberOf({ settings, outbound }: Installation): Prober {
  const reach = reachOf(settings)
  return createProber({ ...reach, outbound, totalMs: Math.min(reach.totalMs, checkMs), now: Date.now })
}

export async function checkInstallation(options: InstallationCheckOptions): Promise<void> {
  const runner = createRunner({ ...options, timeoutMs: checkMs })
  let own: DoctorInput | undefined
  await runner.run('settings', () => {
    try {
      const given = { ...options.read(), starting: options.starting }
      checkCacheGroups(given.settings)
      return judgeReadSettings((own = given))
    } catch (error) {
      return judgeWrongSettings(error as Error)
    }
  })
  await runner.run('version', () => judgeVersion(process.version))
  if (!own) return skipAll(runner, options)
  const installation: Installation = {
    ...own,
    outbound: undefined,
    openStore: undefined,
    isSchemaCurrent: false,
    vault: undefined,
    hosted: new Map(),
    unreadable: new Map(),
    isStoreRead: false,
  }
  await runner.run('outgoing', () => judgeOutgoing(installation))
  const prober = proberOf(installation)
  try {
    await runner.run('doors', (signal) => judgeListening(installation, signal))
    await runner.run('operator-token', () => judgeOperatorToken(installation))
    await runner.run('sign-in', () => judgeSignIn(installation))
    await runner.run('proxies', () => judgeProxies(installation))
    await checkStore(runner, installation)
    const ids = chooseIds(options, installation)
    options.chosen?.(ids)
    await runner.run('connections', () => judgeConnections(ids, installation))
    if (options.starting)
      return await checkConnections(options, ids, (id, report) =>
        checkKey(runner.forConnection(id, report), installation, id),
      )
    await checkPlatform(runner, installation, prober)
    const parts = { installation, prober, groups: options.brief ? [] : checkedGroups, spent: new Set<string>() }
    await checkConnections(options, ids, (id, report) => checkConnection(runner.forConnection(id, report), id, parts))
  } finally {
    await prober.close()
    await installation.openStore?.store.close()
  }
}
