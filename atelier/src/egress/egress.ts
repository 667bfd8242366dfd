// Egress by name: what containers may reach, the relays in them, and the proxy behind those.
import type { Engine } from '../engine/port.ts'
import type { Observe } from '../events.ts'
import { refuse } from '../problems.ts'
import type { Settings } from '../settings.ts'
import { createAddressRule } from './addresses.ts'
import { createConnect, createResolve } from './destination.ts'
import { proxyEnvironment, proxyPort } from './environment.ts'
import { createConnectionCount } from './connection-count.ts'
import { createProxy } from './proxy.ts'
import { createRelays } from './relays.ts'
import { type EgressWish, settleEgress, type WithEgress } from './wish.ts'

/** of a container */
export interface EgressPlace {
  readonly id: string
  readonly account: string
  readonly spec: { readonly user: string; readonly egress?: EgressWish | null }
}

export interface EgressOptions {
  readonly engine: Engine
  readonly settings: Settings
  readonly observe: Observe
}

export function createEgress({ engine, settings, observe }: EgressOptions) {
  const { 'egressProxy.hosts': operatorHosts, 'egressProxy.ports': ports } = settings
  const connections = createConnectionCount(settings['limits.egressConnections'], settings['egressProxy.connections'])
  const isAllowed = createAddressRule(settings['egressProxy.allowedNetworks'])
  const connect = createConnect(createResolve(settings['egressProxy.resolvers']), isAllowed)
  const proxy = createProxy({ connect, connections, observe })
  const relays = createRelays({ engine, port: proxyPort, observe })

  const placeOf = ({ id: container, spec: { user } }: EgressPlace) => ({ container, user })
  const serveOf =
    ({ account }: EgressPlace, { hosts }: EgressWish) =>
    (program: Parameters<typeof proxy.serve>[0]) =>
      proxy.serve(program, { account, permit: { hosts, operatorHosts, ports } })

  return {
    settle: (wish: WithEgress) => settleEgress(wish, operatorHosts),
    environmentOf: (egress: EgressWish | null | undefined) => (egress ? proxyEnvironment : {}),
    /** of a container that was just started */
    async open(place: EgressPlace) {
      const { egress } = place.spec
      if (!egress) return
      if (!(await engine.resident(place.id))) {
        const message = 'The image does not carry the program that egress needs: import or build it again.'
        throw refuse('start_failed', { reason: 'other' }, { message })
      }
      await relays.open(placeOf(place), serveOf(place, egress))
    },
    /** of a container that runs since an earlier start of the service */
    reopen(place: EgressPlace) {
      if (place.spec.egress) relays.reopen(placeOf(place), serveOf(place, place.spec.egress))
    },
    close: (container: string) => relays.close(container),
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
