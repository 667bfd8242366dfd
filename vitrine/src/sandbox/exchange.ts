// One request from socket to socket: faults, credentials, quota, the read itself, compression, sending.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'

import { type HourlyQuota, rateHeader } from './hourly-quota.ts'
import type { SandboxAnswer } from './answer.ts'
import { cutShort, faultOf, type Fault } from './faults.ts'
import { answerRead } from './read.ts'
import { limitReached, methodNotAllowed, SandboxRefusal, unexpectedError } from './refusal.ts'
import { requireScope } from './scope.ts'
import type { RowStore } from './store.ts'
import { type Account, identifyCaller } from './token.ts'
import type { FaultRule } from './fault-rules.ts'

// The platform answers longer addresses with 500, not 414.
const longestUrlBytes = 4096
const smallestZippedBytes = 1024

interface SimulatedPlatform {
  readonly store: RowStore
  readonly accounts: readonly Account[]
  readonly quota: HourlyQuota
  readonly now: () => number
  readonly origin: () => string
  readonly supply: () => boolean
  readonly strike: (path: string) => FaultRule[]
  readonly note: (method: string, url: string, status: number) => void
}

export async function answerExchange(
  platform: SimulatedPlatform,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const method = request.method ?? ''
  const target = request.url ?? ''
  const fault = faultOf(platform.strike(target))
  if (fault.delayMs > 0) await sleep(fault.delayMs, undefined, { ref: false })
  if (fault.silence !== null) {
    platform.note(method, target, 0)
    if (fault.silence === 'drop') request.socket.destroy()
    return
  }
  const answer = dated(fault.instead ?? answerRequest(platform, request, fault), platform.now() + fault.aheadMs)
  const spoilt = fault.spoil === 'malformed' ? cutShort(answer) : answer
  platform.note(method, target, spoilt.status)
  send(request, response, spoilt, fault.spoil === 'torn')
}

// The date of the platform's clock, which may differ from this machine's.
const dated = (answer: SandboxAnswer, nowMs: number): SandboxAnswer => ({
  ...answer,
  headers: { ...answer.headers, date: new Date(nowMs).toUTCString() },
})

function answerRequest(platform: SimulatedPlatform, request: IncomingMessage, fault: Fault): SandboxAnswer {
  const rate: Record<string, string> = {}
  let answer: SandboxAnswer
  try {
    answer = answerCaller(platform, request, fault, rate)
  } catch (error) {
    answer = (error instanceof SandboxRefusal ? error : unexpectedError()).answer
  }
  return { ...answer, headers: { ...answer.headers, ...rate } }
}

function answerCaller(
  platform: SimulatedPlatform,
  request: IncomingMessage,
  fault: Fault,
  rate: Record<string, string>,
): SandboxAnswer {
  const method = request.method ?? ''
  const target = request.url ?? ''
  const origin = platform.origin()
  if (Buffer.byteLength(origin + target) > longestUrlBytes) throw unexpectedError()
  const caller = identifyCaller(platform.accounts, request.headers.authorization, platform.now() + fault.aheadMs)
  const isAllowed = platform.quota.take(caller.keyId)
  rate['x-rate-limit'] = fault.remaining === null ? platform.quota.header(caller.keyId) : rateHeader(fault.remaining)
  if (!isAllowed) throw limitReached()
  // a request outside the scope is 403, even with a method that no token allows
  requireScope(caller.scope, method, target)
  if (method !== 'GET') throw methodNotAllowed(method)
  const cut = target.indexOf('?')
  return answerRead(platform.store, {
    origin,
    path: cut < 0 ? target : target.slice(0, cut),
    query: cut < 0 ? '' : target.slice(cut + 1),
    accept: request.headers.accept,
    supply: platform.supply(),
  })
}

function send(request: IncomingMessage, response: ServerResponse, answer: SandboxAnswer, isTorn: boolean): void {
  const plain = Buffer.from(answer.body)
  const isZipped = plain.length > smallestZippedBytes && /\bgzip\b/.test(String(request.headers['accept-encoding']))
  const bytes = isZipped ? gzipSync(plain, { level: 1 }) : plain
  const encoding = isZipped && { 'content-encoding': 'gzip' }
  response.writeHead(answer.status, { ...answer.headers, ...encoding, 'content-length': bytes.length })
  if (isTorn) response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => request.socket.destroy())
  else response.end(bytes)
}
