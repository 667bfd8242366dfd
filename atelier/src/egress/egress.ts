// Egress by name: what containers may reach and with which secrets, the relays in them, and the proxy behind those.
import { type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { rootCertificates } from 'node:tls'
import type { Engine } from '../engine/port.ts'
import type { Observe } from '../events.ts'
import { refuse } from '../problems.ts'
import type { Settings } from '../settings.ts'
import type { SecretRows } from '../store/secret-rows.ts'
import { createAddressRule } from './addresses.ts'
import { createConnectionCount } from './connection-count.ts'
import { createConnect, createResolve } from './destination.ts'
import { environmentOf, proxyPort } from './environment.ts'
import { createProxy } from './proxy.ts'
import { createRelays } from './relays.ts'
import { openSealKey } from './seal-key.ts'
import { makeVault, openVault, type SecretPlace, type Vault } from './vault.ts'
import { settleEgress, type SettledEgress, type WithEgress } from './wish.ts'

/** of a container */
export interface EgressPlace {
  readonly id: string
  readonly account: string
  readonly spec: {
    readonly user: string
    readonly egress?: { readonly hosts: readonly string[] } | null
    readonly secrets?: Readonly<Record<string, SecretPlace>> | null
  }
}

export interface EgressOptions {
  readonly engine: Engine
  readonly settings: Settings
  readonly rows: SecretRows
  /** relative paths of the settings start here */
  readonly folder: string
  readonly observe: Observe
}

/** of the service's own, and those that the operator adds */
function readRoots(file: string | undefined, folder: string): readonly string[] {
  if (file === undefined) return rootCertificates
  const text = readFileSync(resolve(folder, file), 'utf8')
  const own = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  if (own.length === 0) throw new Error(`egressProxy.caFile: ${file} holds no certificate in PEM.`)
  return [...rootCertificates, ...own.map((one) => new X509Certificate(one).toString())]
}

/** undefined: no caller may ask for a host, and nothing is made */
function sealKeyOf(settings: Settings, folder: string): KeyObject | undefined {
  return settings['egressProxy.hosts'].length > 0
    ? openSealKey(resolve(folder, settings['egressProxy.keyFile']))
    : undefined
}

/** as it is stored and shown: without values */
export const shownEgress = (settled: SettledEgress | null) => {
  if (!settled) return { egress: null }
  const { hosts, secrets } = settled
  const places = Object.entries(secrets).map(
    ([name, { hosts: its, header }]) => [name, { hosts: its, header }] as const,
  )
  return { egress: { hosts }, ...(places.length > 0 && { secrets: Object.fromEntries(places) }) }
}

function createVaults(rows: SecretRows, key: KeyObject | undefined) {
  const open = new Map<string, Vault>()
  return {
    async keep(container: string, { secrets }: SettledEgress) {
      if (!key || Object.keys(secrets).length === 0) return
      const vault = makeVault(secrets, container)
      open.set(container, vault)
      await rows.add(container, vault.sealedWith(key, container))
    },
    /** undefined: the container has none, or they were lost */
    async of(container: string): Promise<Vault | undefined> {
      const known = open.get(container)
      if (known || !key) return known
      const sealed = await rows.find(container)
      const vault = sealed && openVault(key, container, sealed)
      if (vault) open.set(container, vault)
      return vault
    },
    async forget(container: string) {
      open.delete(container)
      await rows.removeOf(container)
    },
  }
}

export function createEgress({ engine, settings, rows, folder, observe }: EgressOptions) {
  const { 'egressProxy.hosts': operatorHosts, 'egressProxy.ports': ports } = settings
  const connections = createConnectionCount(settings['limits.egressConnections'], settings['egressProxy.connections'])
  const isAllowed = createAddressRule(settings['egressProxy.allowedNetworks'])
  const connect = createConnect(createResolve(settings['egressProxy.resolvers']), isAllowed)
  const roots = readRoots(settings['egressProxy.caFile'], folder)
  const hasOwnRoots = settings['egressProxy.caFile'] !== undefined
  const proxy = createProxy({ connect, connections, roots, observe })
  const relays = createRelays({ engine, port: proxyPort, observe })
  const sealKey = sealKeyOf(settings, folder)
  const vaults = createVaults(rows, sealKey)

  async function openingOf({ id: container, account, spec }: EgressPlace) {
    const { user, egress, secrets } = spec
    const vault = secrets ? await vaults.of(container) : undefined
    const secretHosts = Object.values(secrets ?? {}).flatMap(({ hosts }) => hosts)
    const permit = { hosts: egress?.hosts ?? [], operatorHosts, ports }
    const client = { account, permit, secretHosts, vault }
    return {
      place: { container, user },
      serve: (program: Parameters<typeof proxy.serve>[0]) => proxy.serve(program, client),
      certificates: vault || hasOwnRoots ? [...roots, ...(vault ? [vault.certificate] : [])].join('\n') : undefined,
    }
  }

  return {
    digestKey: sealKey,
    settle: (wish: WithEgress) => settleEgress(wish, operatorHosts),
    environmentOf: (settled: SettledEgress | null) => (settled ? environmentOf(settled.secrets, hasOwnRoots) : {}),
    /** before anything of the container is made */
    keep: async (container: string, settled: SettledEgress | null) => settled && vaults.keep(container, settled),
    /** of a container that was just started */
    async open(place: EgressPlace) {
      if (!place.spec.egress) return
      if (!(await engine.resident(place.id))) {
        const message = 'The image does not carry the program that egress needs: import or build it again.'
        throw refuse('start_failed', { reason: 'other' }, { message })
      }
      await relays.open(await openingOf(place))
    },
    /** of a container that runs since an earlier start of the service */
    async reopen(place: EgressPlace) {
      if (place.spec.egress && !relays.has(place.id)) relays.reopen(await openingOf(place))
    },
    async forget(container: string) {
      relays.close(container)
      await vaults.forget(container)
    },
    closeAll() {
      relays.closeAll()
      proxy.close()
    },
    /** to the outside */
    get connections() {
      return connections.taken
    },
  }
}

export type Egress = ReturnType<typeof createEgress>
