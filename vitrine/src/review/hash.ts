// The hash in a review stamp: over the operations of a route and all schemas that they reach, without descriptions and
// without the order of lists, which do not matter to programs.
import { createHash } from 'node:crypto'
import { isJsonObject, type JsonObject } from '../../../base/core/json.ts'
import { member, UnreadableDocument, type VendorDocument } from './document.ts'

const digits = 16

const words = new Set(['description', 'summary', 'title', 'example', 'examples', 'externalDocs', 'tags', 'operationId'])
const isLeftOut = (name: string): boolean => words.has(name) || name === 'servers' || name.startsWith('x-')

/** the members of these have the vendor's own names: an attribute may be called `description` */
const named = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
  'responses',
  'content',
  'headers',
  'mapping',
  'callbacks',
  'links',
  'encoding',
])

const deepest = 200

interface Canonical {
  readonly text: string
  /** references are followed by the caller: a schema may contain itself */
  readonly pointers: readonly string[]
}

function canonicalOf(value: unknown): Canonical {
  const pointers: string[] = []
  const write = (value: unknown, areNames: boolean, depth: number): string => {
    if (depth > deepest) throw new UnreadableDocument('a schema is nested too deep to be judged')
    if (Array.isArray(value))
      return `[${value
        .map((one) => write(one, false, depth + 1))
        .sort()
        .join()}]`
    if (!isJsonObject(value)) return JSON.stringify(value) ?? 'null'
    const pointer = areNames ? undefined : member(value, '$ref')
    if (typeof pointer === 'string') pointers.push(pointer)
    const names = Object.keys(value).filter((name) => areNames || !isLeftOut(name))
    const parts = names
      .sort()
      .map((name) => `${JSON.stringify(name)}:${write(member(value, name), !areNames && named.has(name), depth + 1)}`)
    return `{${parts.join()}}`
  }
  return { text: write(value, false, 0), pointers }
}

const operationOf = (document: VendorDocument, endpoint: string): JsonObject | undefined => {
  const found = document.operation(endpoint)
  return found && { ...found.get, parameters: found.parameters }
}

/** The returned function gives undefined if an endpoint is missing. */
export function hasherOf(document: VendorDocument): (endpoints: readonly string[]) => string | undefined {
  const known = new Map<string, Canonical>()
  function schemaAt(pointer: string): Canonical {
    const schema = known.get(pointer) ?? canonicalOf(document.at(pointer))
    known.set(pointer, schema)
    return schema
  }
  return (endpoints) => {
    const operations = endpoints.map((endpoint) => operationOf(document, endpoint))
    if (operations.includes(undefined)) return undefined
    const canonical = operations.map(canonicalOf)
    const reached = new Map<string, string>()
    const waiting = canonical.flatMap(({ pointers }) => pointers)
    for (let pointer = waiting.pop(); pointer !== undefined; pointer = waiting.pop()) {
      if (reached.has(pointer)) continue
      const { text, pointers } = schemaAt(pointer)
      reached.set(pointer, text)
      waiting.push(...pointers)
    }
    const hash = createHash('sha256')
    const parts = [...canonical.map(({ text }) => text), ...[...reached].sort(([a], [b]) => (a < b ? -1 : 1)).flat()]
    for (const part of parts) hash.update(`${part}\n`)
    return hash.digest('hex').slice(0, digits)
  }
}
