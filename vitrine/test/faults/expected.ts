// What the caller must get for a fault, and what must not happen for any fault.
import assert from 'node:assert/strict'
import type { Answer, Service } from '../support/service.ts'

/** scripts put this into everything that must not reach a caller or a log */
export const canary = 'PLATFORM'

export interface Expected {
  readonly status: number | readonly number[]
  /** `error.type` of a refusal; one of these if there are several */
  readonly type?: string | readonly string[]
  readonly code?: string | readonly string[]
  /** exact, or a range; `null`: the header must be absent */
  readonly retryAfter?: number | readonly [number, number] | null
  /** platform calls: exact, or a range */
  readonly calls: number | readonly [number, number]
  /** the whole answer of a 200 */
  readonly json?: unknown
}

const oneOf = <T>(wanted: T | readonly T[]): readonly T[] => (Array.isArray(wanted) ? wanted : [wanted as T])
export const rangeOf = (wanted: number | readonly [number, number]): readonly [number, number] =>
  typeof wanted === 'number' ? [wanted, wanted] : wanted

export function checkExpected(answer: Answer, { status, type, code, retryAfter, json }: Expected) {
  assert.ok(oneOf(status).includes(answer.status), `${answer.status} ${answer.text.slice(0, 300)}`)
  if (answer.status === 200) {
    if (json !== undefined) assert.deepEqual(answer.json, json)
    return
  }
  const { error } = answer.json
  if (type !== undefined) assert.ok(oneOf(type).includes(error.type), `${error.type} ${error.code}`)
  if (code !== undefined) assert.ok(oneOf(code).includes(error.code), error.code)
  const said = answer.headers['retry-after']
  if (retryAfter === null) assert.equal(said, undefined)
  else if (retryAfter !== undefined) {
    const [least, most] = rangeOf(retryAfter)
    assert.match(String(said), /^[1-9]\d{0,3}$/)
    assert.ok(Number(said) >= least && Number(said) <= most, `Retry-After ${String(said)}`)
  }
}

/** what must not happen for any fault */
export function checkNever(answer: Answer, { service }: { readonly service: Service }) {
  assert.notEqual(answer.status, 500)
  if (answer.status !== 200)
    assert.deepEqual(Object.keys(answer.json), ['error'], 'a failure holds no part of an answer')
  assert.ok(!answer.text.includes(canary), 'words of the platform reach the caller')
  assert.ok(!JSON.stringify(answer.headers).includes(canary), 'fields of the platform reach the caller')
  assert.ok(!JSON.stringify(service.events).includes(canary), 'words of the platform reach the log')
  assert.ok(!/eyJ[\w-]{8,}\.eyJ/.test(JSON.stringify(service.events) + answer.text), 'a token leaks')
  assert.deepEqual(Object.keys(Object.prototype), [])
}
