// What each kind of fault does: another answer, a broken answer, or a cut connection.
import { type SandboxAnswer, jsonAnswer, textAnswer } from './answer.ts'
import { rateHeader } from './hourly-quota.ts'
import {
  agreementMissing,
  forbidden,
  limitReached,
  notAuthorized,
  resourceMissing,
  unexpectedError,
} from './refusal.ts'
import type { FaultKind, FaultRule } from './fault-rules.ts'

const page = (title: string): string =>
  `<!DOCTYPE html>\n<html><head><title>${title}</title></head><body><h1>${title}</h1>` +
  `<p>Apple Correlation Key: NORTHLIGHT7SANDBOX</p></body></html>\n`

const instead: Partial<Record<FaultKind, (rule: FaultRule) => SandboxAnswer>> = {
  '401': () => notAuthorized().answer,
  '403': () => forbidden().answer,
  agreement: () => agreementMissing().answer,
  '404': () => resourceMissing('apps', '0000000000').answer,
  '429': (rule) => slowDown(rule.value),
  '500': () => unexpectedError().answer,
  '502-html': () => textAnswer(502, page('Bad Gateway'), 'text/html'),
  '503': () => unavailable(),
  html: () => textAnswer(200, page('Apple'), 'text/html'),
}

function slowDown(retryAfter: number | undefined): SandboxAnswer {
  const { status, headers, body } = limitReached().answer
  const wait = retryAfter !== undefined && { 'retry-after': String(retryAfter) }
  return { status, headers: { ...headers, 'x-rate-limit': rateHeader(0), ...wait }, body }
}

function unavailable(): SandboxAnswer {
  const detail = 'The service is temporarily unavailable. Please try again later.'
  return jsonAnswer(503, {
    errors: [{ status: '503', code: 'SERVICE_UNAVAILABLE', title: 'The service is unavailable.', detail }],
  })
}

export interface Fault {
  readonly delayMs: number
  // Never answer, or close the connection without a word.
  readonly silence: 'hang' | 'drop' | null
  readonly instead: SandboxAnswer | null
  // Cut the JSON short, or the connection in the middle of it.
  readonly spoil: 'malformed' | 'torn' | null
  // How far the platform's clock is ahead.
  readonly aheadMs: number
  // What the rate header says is left, instead of what is.
  readonly remaining: number | null
}

export function faultOf(rules: readonly FaultRule[]): Fault {
  const kinds = new Set(rules.map((rule) => rule.kind))
  const striking = rules.find((rule) => instead[rule.kind] !== undefined)
  return {
    delayMs: rules.reduce((sum, rule) => sum + (rule.kind === 'latency' ? (rule.value ?? 0) : 0), 0),
    silence: kinds.has('hang') ? 'hang' : kinds.has('drop') ? 'drop' : null,
    instead: (striking && instead[striking.kind]?.(striking)) ?? null,
    spoil: kinds.has('torn') ? 'torn' : kinds.has('malformed') ? 'malformed' : null,
    aheadMs: 1_000 * (rules.find((rule) => rule.kind === 'clock')?.value ?? 0),
    remaining: rules.find((rule) => rule.kind === 'quota')?.value ?? null,
  }
}

export const cutShort = (answer: SandboxAnswer): SandboxAnswer => ({
  ...answer,
  status: 200,
  body: answer.body.slice(0, Math.ceil(answer.body.length / 2)),
})
