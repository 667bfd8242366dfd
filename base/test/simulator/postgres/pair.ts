// A primary and its hot standby, and an address for each client that leads to one of them, as a name or a pooler does.
import type { Network } from '../network.ts'
import type { SimulatedNode } from '../node.ts'
import { type PostgresOptions, PostgresServer } from './server.ts'

const hostOf = (client: string): string => `postgres.${client.replaceAll(' ', '-')}`

export class PostgresPair {
  readonly servers: readonly [PostgresServer, PostgresServer]
  readonly #network: Network
  readonly #clients: readonly SimulatedNode[]
  primary: PostgresServer
  /** clients whose address leads to the standby */
  readonly #misled = new Set<SimulatedNode>()

  constructor(network: Network, clients: readonly SimulatedNode[], options: PostgresOptions) {
    const open = (name: string) => new PostgresServer(network, network.simulation.addNode(name), options)
    this.servers = [open('postgres a'), open('postgres b')]
    this.#network = network
    this.#clients = clients
    this.primary = this.servers[0]
    this.standby.follow(this.primary)
    this.#lead()
  }

  get standby(): PostgresServer {
    const [a, b] = this.servers
    return this.primary === a ? b : a
  }

  url = ({ name }: SimulatedNode): string => `postgres://service@${hostOf(name)}/service`

  #lead() {
    for (const client of this.#clients) {
      const server = this.#misled.has(client) ? this.standby : this.primary
      this.#network.redirect(hostOf(client.name), server.node)
    }
  }

  /** the addresses of these clients lead to the standby, or to the primary again; connections to the primary end */
  mislead(clients: readonly SimulatedNode[], isMisled: boolean) {
    for (const client of clients)
      if (isMisled) {
        this.#misled.add(client)
        this.#network.disconnect(client, this.primary.node)
      } else this.#misled.delete(client)
    this.#lead()
  }

  cutReplication() {
    this.#network.cut(this.primary.node, this.standby.node)
  }

  healReplication() {
    const [a, b] = this.servers
    this.#network.heal(a.node, b.node)
  }

  /** a server that ended is there again; a former primary follows the new one */
  restart(server: PostgresServer) {
    if (!server.node.isDown) return
    if (server !== this.primary) server.follow(this.primary)
    server.start()
  }

  /** the standby takes over with what it has; the former primary has ended, or ends now */
  failOver(former: PostgresServer) {
    if (former !== this.primary || this.standby.node.isDown) return this.restart(former)
    // one that came back meanwhile must not be a second primary
    if (!former.node.isDown) former.kill()
    this.primary = this.standby
    this.primary.promote()
    this.#lead()
    this.restart(former)
  }
}
