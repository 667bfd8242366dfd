// Rows of the fault catalogue about the content of documents: a wrong one is 502 after one call, for each kind of read.
import type { Answer } from '../support/service.ts'
import {
  guard,
  id,
  ids,
  type Json,
  listing,
  answerRead,
  page,
  type ExampleRoute,
  single,
} from '../support/example-routes.ts'
import { type Expected, type ScriptedFault } from './fault.ts'

export const malformed: Expected = {
  status: 502,
  type: 'upstream_error',
  code: 'upstream_malformed',
  calls: 1,
  retryAfter: null,
}

/** a single read, a read for a lookup, and one that is no list */
export const some = [page, listing, single]
export const lists = [page, ids, listing, guard]
export const typed = [...lists, single, id]

export interface Broken {
  readonly id: string
  readonly fault: string
  readonly body: (place: ExampleRoute, text: string) => unknown
  readonly headers?: Record<string, string>
  readonly at?: readonly ExampleRoute[]
  readonly query?: string
  readonly more?: ScriptedFault['more']
}

export const broken = ({ id, fault, body, headers, at = some, query = '', more }: Broken): ScriptedFault[] =>
  at.map((place) => ({
    id,
    fault: `${fault}, on ${place.name}`,
    at: place,
    path: place.path + query,
    expect: malformed,
    ...(more && { more }),
    script: answerRead(place, body(place, JSON.stringify(place.healthy)), headers),
  }))

export const first = ({ healthy }: ExampleRoute): Json =>
  Array.isArray(healthy['data']) ? healthy['data'][0] : healthy['data']
/** the healthy document with another `data` */
export const data = (make: (member: Json) => unknown) => (place: ExampleRoute) => ({
  ...place.healthy,
  data: make(first(place)),
})
/** the same for one member; in a list, for the second one */
export const member = (make: (member: Json) => unknown) => (place: ExampleRoute) =>
  data((one) => (Array.isArray(place.healthy['data']) ? [one, make({ ...one, id: 'x2' })] : make(one)))(place)

/** a background asset in the platform's format, its parts as JSON text */
export const asset = (attributes: string, more = '') =>
  `{"data":{"type":"backgroundAssets","id":"b1","attributes":${attributes}${more}},"links":{}}`

/** this text from the platform gives exactly this answer */
export const through = (id: string, fault: string, sent: string | Buffer, answer: string | Json): ScriptedFault => ({
  id,
  fault,
  at: single,
  script: answerRead(single, sent),
  expect: { status: 200, calls: 1, ...(typeof answer !== 'string' && { json: answer }) },
  more: ({ text }: Answer) => {
    if (typeof answer === 'string' && text !== answer) throw new Error(`${text} is not ${answer}`)
  },
})
