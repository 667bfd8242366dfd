// A simulated platform on 127.0.0.1 for people without credentials. LIMITS.md lists what it does not simulate.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { createHourlyQuota } from './hourly-quota.ts'
import { answerExchange } from './exchange.ts'
import { createAccountRows } from './account/index.ts'
import { createFaultCounter, type FaultRule } from './fault-rules.ts'
import type { Account } from './token.ts'

export { readFaultRule } from './fault-rules.ts'
export type { Account }

export interface SandboxOptions {
  port?: number
  accounts: Account[]
  faults?: FaultRule[]
  supplyLinkages?: boolean
  now?: () => number
}

export interface Sandbox {
  url: string
  asked: readonly { method: string; url: string; status: number }[]
  setFaults(rules: FaultRule[]): void
  setSupplyLinkages(on: boolean): void
  close(): Promise<void>
}

const longestLog = 1000

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const asked: { method: string; url: string; status: number }[] = []
  const now = options.now ?? Date.now
  let url = ''
  let strike = createFaultCounter(options.faults ?? [])
  let supply = options.supplyLinkages ?? false
  const platform = {
    store: createAccountRows(now()),
    accounts: options.accounts,
    quota: createHourlyQuota(now),
    now,
    origin: () => url,
    supply: () => supply,
    strike: (path: string) => strike(path),
    note: (method: string, target: string, status: number) => {
      if (asked.push({ method, url: target, status }) > longestLog) asked.shift()
    },
  }
  const server = createServer({ maxHeaderSize: 65_536 }, (request, response) => {
    answerExchange(platform, request, response).catch(() => request.socket.destroy())
  })
  // an address in use is an `error` instead, which rejects
  await once(server.listen(options.port ?? 0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    asked,
    setFaults: (rules) => void (strike = createFaultCounter(rules)),
    setSupplyLinkages: (on) => void (supply = on),
    close: () => closeServer(server),
  }
}

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
