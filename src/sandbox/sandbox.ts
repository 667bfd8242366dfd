// A pretend platform on 127.0.0.1 for people without credentials: starts it, steers it, ends it.
// LIMITS.md beside this file says what it does not simulate.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { KeyObject } from 'node:crypto'

import { createAllowance } from './allowance.ts'
import { exchange } from './exchange.ts'
import { openStudio } from './studio/index.ts'
import { createTroubleCounter, type TroubleRule } from './trouble.ts'

export { readTroubleRule } from './trouble.ts'
export type { TroubleRule } from './trouble.ts'
export type { Account } from './token.ts'

export interface SandboxOptions {
  port?: number
  accounts: { keyId: string; issuerId?: string; publicKey: KeyObject }[]
  trouble?: TroubleRule[]
  supplyLinkages?: boolean
  now?: () => number
}

export interface Sandbox {
  url: string
  asked: readonly { method: string; url: string; status: number }[]
  setTrouble(rules: TroubleRule[]): void
  setSupplyLinkages(on: boolean): void
  close(): Promise<void>
}

const longestLog = 1000

export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const asked: { method: string; url: string; status: number }[] = []
  const now = options.now ?? Date.now
  let url = ''
  let strike = createTroubleCounter(options.trouble ?? [])
  let supply = options.supplyLinkages ?? false
  const platform = {
    store: openStudio(now()),
    accounts: options.accounts,
    allowance: createAllowance(now),
    now,
    origin: () => url,
    supply: () => supply,
    strike: (path: string) => strike(path),
    note: (method: string, target: string, status: number) => {
      if (asked.push({ method, url: target, status }) > longestLog) asked.shift()
    },
  }
  const server = createServer({ maxHeaderSize: 65_536 }, (request, response) => {
    exchange(platform, request, response).catch(() => request.socket.destroy())
  })
  url = `http://127.0.0.1:${await listen(server, options.port ?? 0)}`
  return {
    url,
    asked,
    setTrouble: (rules) => {
      strike = createTroubleCounter(rules)
    },
    setSupplyLinkages: (on) => {
      supply = on
    },
    close: () => closeServer(server),
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

// A second close is a matter of course, not an error.
function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
