// One request from socket to socket: trouble, credentials, rate, the read itself, compression, sending.
// What is answered belongs to read.ts, how the server lives and dies to sandbox.ts.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'

import { type Allowance, rateHeader } from './allowance.ts'
import type { Answer } from './answer.ts'
import { cutShort, disturb, type Disturbance } from './disturbance.ts'
import { answerRead } from './read.ts'
import { limitReached, methodNotAllowed, Refusal, unexpectedError } from './refusal.ts'
import { requireScope } from './scope.ts'
import type { Store } from './store.ts'
import { type Account, identifyCaller } from './token.ts'
import type { TroubleRule } from './trouble.ts'

// Longer addresses are answered with 500, not 414: the platform's own slip.
const longestUrlBytes = 4096
const smallestZippedBytes = 1024

export interface Platform {
  readonly store: Store
  readonly accounts: readonly Account[]
  readonly allowance: Allowance
  readonly now: () => number
  readonly origin: () => string
  readonly supply: () => boolean
  readonly strike: (path: string) => TroubleRule[]
  readonly note: (method: string, url: string, status: number) => void
}

export async function exchange(platform: Platform, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const method = request.method ?? ''
  const target = request.url ?? ''
  const trouble = disturb(platform.strike(target))
  if (trouble.delayMs > 0) await sleep(trouble.delayMs, undefined, { ref: false })
  if (trouble.silence !== null) {
    platform.note(method, target, 0)
    if (trouble.silence === 'drop') request.socket.destroy()
    return
  }
  const answer = dated(trouble.instead ?? answerRequest(platform, request, trouble), platform.now() + trouble.aheadMs)
  const spoilt = trouble.spoil === 'malformed' ? cutShort(answer) : answer
  platform.note(method, target, spoilt.status)
  send(request, response, spoilt, trouble.spoil === 'torn')
}

// The date of the platform's clock, which need not be that of this machine.
function dated(answer: Answer, nowMs: number): Answer {
  return { ...answer, headers: { ...answer.headers, date: new Date(nowMs).toUTCString() } }
}

function answerRequest(platform: Platform, request: IncomingMessage, trouble: Disturbance): Answer {
  const rate: Record<string, string> = {}
  try {
    const answer = answerCaller(platform, request, { rate, trouble })
    return { ...answer, headers: { ...answer.headers, ...rate } }
  } catch (error) {
    const { answer } = error instanceof Refusal ? error : unexpectedError()
    return { ...answer, headers: { ...answer.headers, ...rate } }
  }
}

interface Circumstances {
  readonly rate: Record<string, string>
  readonly trouble: Disturbance
}

function answerCaller(platform: Platform, request: IncomingMessage, { rate, trouble }: Circumstances): Answer {
  const method = request.method ?? ''
  const target = request.url ?? ''
  const origin = platform.origin()
  if (Buffer.byteLength(origin + target) > longestUrlBytes) throw unexpectedError()
  const caller = identifyCaller(platform.accounts, request.headers.authorization, platform.now() + trouble.aheadMs)
  const isAllowed = platform.allowance.take(caller.keyId)
  rate['x-rate-limit'] =
    trouble.remaining === null ? platform.allowance.header(caller.keyId) : rateHeader(trouble.remaining)
  if (!isAllowed) throw limitReached()
  // what the token is not for is forbidden, also where nobody could do it
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

function send(request: IncomingMessage, response: ServerResponse, answer: Answer, isTorn: boolean): void {
  const plain = Buffer.from(answer.body)
  const isZipped = plain.length > smallestZippedBytes && /\bgzip\b/.test(String(request.headers['accept-encoding']))
  const bytes = isZipped ? gzipSync(plain, { level: 1 }) : plain
  const encoding = isZipped && { 'content-encoding': 'gzip' }
  response.writeHead(answer.status, { ...answer.headers, ...encoding, 'content-length': bytes.length })
  if (!isTorn) {
    response.end(bytes)
    return
  }
  response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => request.socket.destroy())
}
