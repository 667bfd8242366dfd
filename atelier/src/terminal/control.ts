// What a client of a terminal says in text: the size of its window, and how much of the output it has taken.
import { findFault } from '../../../base/core/schema.ts'
import { parseStrictJson } from '../api/strict-json.ts'

export const mostTextBytes = 1_024
export const mostColumns = 1_000
/** larger than what JSON counts exactly is no number of bytes */
const mostTaken = 2 ** 31

const size = { type: 'integer', minimum: 1, maximum: mostColumns } as const

const schemas = {
  resize: {
    type: 'object',
    additionalProperties: false,
    required: ['type', 'columns', 'rows'],
    properties: { type: { type: 'string' }, columns: size, rows: size },
  },
  taken: {
    type: 'object',
    additionalProperties: false,
    required: ['type', 'bytes'],
    properties: { type: { type: 'string' }, bytes: { type: 'integer', minimum: 1, maximum: mostTaken } },
  },
} as const

export type ControlMessage =
  | { readonly type: 'resize'; readonly columns: number; readonly rows: number }
  | { readonly type: 'taken'; readonly bytes: number }

export function readControl(text: Uint8Array): ControlMessage | undefined {
  try {
    const read = parseStrictJson(text)
    const schema = read['type'] === 'resize' || read['type'] === 'taken' ? schemas[read['type']] : undefined
    return schema && !findFault(schema, read) ? (read as unknown as ControlMessage) : undefined
  } catch {
    return undefined
  }
}
