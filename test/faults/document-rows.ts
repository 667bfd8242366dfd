// Rows of the fault catalogue about what a document holds: a broken one is 502 in one call, whichever read it answers.
import type { Answer } from '../ground/service.ts'
import { guard, id, ids, type Json, listing, over, page, type Place, single } from '../ground/places.ts'
import { type Expected, type ScriptedFault } from './fault.ts'

export const malformed: Expected = {
  ...{ status: 502, type: 'upstream_error', code: 'upstream_malformed' },
  ...{ calls: 1, retryAfter: null },
}

/** one that is read for itself, one that a lookup needs, and one that is no list */
export const some = [page, listing, single]
export const lists = [page, ids, listing, guard]
export const typed = [...lists, single, id]

export interface Broken {
  readonly id: string
  readonly fault: string
  readonly body: (place: Place, text: string) => unknown
  readonly headers?: Record<string, string>
  readonly at?: readonly Place[]
  readonly query?: string
  readonly more?: ScriptedFault['more']
}

export const broken = ({ id, fault, body, headers, at = some, query = '', more }: Broken): ScriptedFault[] =>
  at.map((place) => ({
    ...{ id, fault: `${fault}, on ${place.name}`, at: place, path: place.path + query, expect: malformed },
    ...(more && { more }),
    script: over(place, body(place, JSON.stringify(place.healthy)), headers),
  }))

export const first = ({ healthy }: Place): Json =>
  Array.isArray(healthy['data']) ? healthy['data'][0] : healthy['data']
/** `data` of the healthy document, remade */
export const data = (make: (member: Json) => unknown) => (place: Place) => ({
  ...place.healthy,
  data: make(first(place)),
})
/** the same for one member: of a list, a second one */
export const member = (make: (member: Json) => unknown) => (place: Place) =>
  data((one) => (Array.isArray(place.healthy['data']) ? [one, make({ ...one, id: 'x2' })] : make(one)))(place)

/** a background asset in the platform's words, its parts written as JSON text */
export const asset = (attributes: string, more = '') =>
  `{"data":{"type":"backgroundAssets","id":"b1","attributes":${attributes}${more}},"links":{}}`

/** this text of the platform is this answer, to the letter */
export const through = (id: string, fault: string, sent: string | Buffer, answer: string | Json): ScriptedFault => ({
  ...{ id, fault, at: single, script: over(single, sent) },
  expect: { status: 200, calls: 1, ...(typeof answer !== 'string' && { json: answer }) },
  more: ({ text }: Answer) => {
    if (typeof answer === 'string' && text !== answer) throw new Error(`${text} is not ${answer}`)
  },
})
