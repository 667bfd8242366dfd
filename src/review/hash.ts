// What the stamp of a review remembers: a hash over the operations of a route and all schemas that they reach. Words for
// people and the order of lists are left out, so that only what can matter to a program changes it.
import { createHash } from 'node:crypto'
import { isJson, type Json, member, Unreadable, type VendorDocument } from './document.ts'

/** enough against drift, and short enough to stand in a definition */
const digits = 16

/** for people alone, or of the document rather than of the operation */
const words = new Set(['description', 'summary', 'title', 'example', 'examples', 'externalDocs', 'tags', 'operationId'])
const isLeftOut = (name: string): boolean => words.has(name) || name === 'servers' || name.startsWith('x-')

/** what these hold is called by names that the vendor chose: an attribute may well be called `description` */
const named = new Set([
  ...['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'],
  ...['responses', 'content', 'headers', 'mapping', 'callbacks', 'links', 'encoding'],
])

const deepest = 200

interface Canonical {
  readonly text: string
  /** the references in it, which are not followed here: a schema may hold itself */
  readonly pointers: readonly string[]
}

function canonicalOf(value: unknown): Canonical {
  const pointers: string[] = []
  const write = (value: unknown, areNames: boolean, depth: number): string => {
    if (depth > deepest) throw new Unreadable('a schema is nested too deep to be judged')
    if (Array.isArray(value))
      return `[${value
        .map((one) => write(one, false, depth + 1))
        .sort()
        .join()}]`
    if (!isJson(value)) return JSON.stringify(value) ?? 'null'
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

/** the operation with the parameters of its path */
const operationOf = (document: VendorDocument, endpoint: string): Json | undefined => {
  const found = document.operation(endpoint)
  return found && { ...found.get, parameters: found.parameters }
}

/** undefined where an endpoint is not in the document */
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
