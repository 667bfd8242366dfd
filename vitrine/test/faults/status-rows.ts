// Rows of the fault catalogue about statuses: the outcome of each, and its number of calls.
import assert from 'node:assert/strict'
import { guard, id, ids, listing, answerRead, page, type ExampleRoute, single } from '../support/example-routes.ts'
import type { Script } from '../support/scripted-platform.ts'
import { canary, type Expected, type Scene, type ScriptedFault } from './fault.ts'

export const everywhere = [page, single, ids, id, listing, guard]
export const lookups = [listing, guard]

/** an error of the platform, whose text must not reach a caller */
export const refusal = (code = 'CODE', source?: unknown) => ({
  errors: [{ code, title: canary, detail: `${canary} says /v1/apps/1`, ...(source !== undefined && { source }) }],
})

/** the answer to the route's read */
export const answering = (
  at: ExampleRoute,
  status: number,
  headers: Record<string, string> = {},
  body: unknown = refusal(),
): Script => answerRead(at, body, headers, status)

const upstream = (status: number, code: string, calls: number): Expected => ({
  status,
  type: 'upstream_error',
  code,
  calls,
  retryAfter: null,
})
export const failed = upstream(502, 'upstream_failed', 1)
export const rejected = upstream(502, 'upstream_key_rejected', 2)
export const unavailable = upstream(503, 'upstream_unavailable', 3)
export const timedOut = upstream(504, 'upstream_timeout', 3)
export const gone: Expected = {
  status: 404,
  type: 'resource_not_found',
  code: 'resource_not_found',
  calls: 1,
  retryAfter: null,
}
export const forbidden: Expected = {
  status: 403,
  type: 'upstream_forbidden',
  code: 'upstream_forbidden',
  calls: 1,
  retryAfter: null,
}
export const limited: Expected = { status: 429, type: 'rate_limited', code: 'upstream_rate_limited', calls: 1 }

interface Wish {
  readonly id: string
  readonly fault: string
  readonly status: number
  readonly expect: Expected
  readonly at?: readonly ExampleRoute[]
  readonly headers?: Record<string, string>
  readonly body?: unknown
  readonly row?: Partial<ScriptedFault>
}

/** only the refused read was requested */
export function onlyAsked({ platform }: Scene, { read }: ExampleRoute) {
  assert.ok('calls' in platform)
  for (const { path } of platform.calls) assert.equal(path, read)
}

export const always = ({ id, fault, status, expect, at = [page], headers, body, row }: Wish): ScriptedFault[] =>
  at.map((place) => ({
    id,
    fault: `${fault}, on ${place.name}`,
    at: place,
    expect,
    script: answering(place, status, headers, body),
    more: (_, scene) => onlyAsked(scene, place),
    ...row,
  }))
