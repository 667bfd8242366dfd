// Reads the vendor's OpenAPI document. Nothing in it is trusted, and nothing outside of it is fetched; what cannot be
// compared is refused with the fix.
import { isJsonObject, type JsonObject } from '../../../base/core/json.ts'

export class UnreadableDocument extends Error {
  override readonly name = 'Unreadable'
}

/** Own members only: a document may name something `constructor`. */
export const member = (value: unknown, name: string): unknown =>
  isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

export const arrayOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export interface VendorOperation {
  readonly get: JsonObject
  /** those of the operation, then those of its path */
  readonly parameters: readonly JsonObject[]
}

export interface VendorDocument {
  readonly version: string
  readonly openapi: string
  readonly paths: number
  /** by a path template, whatever its parameters are called */
  readonly operation: (template: string) => VendorOperation | undefined
  /** follows references to a value that is none */
  readonly resolve: (value: unknown) => unknown
  /** default of operations without their own */
  readonly security: unknown
  readonly scheme: (name: string) => unknown
  /** the target of a reference, which may be a reference itself */
  readonly at: (pointer: string) => unknown
}

const deepest = 64

function refuseBytes(bytes: Uint8Array) {
  if (bytes.length === 0) throw new UnreadableDocument('the document is empty; was the download complete?')
  if (bytes[0] === 0x1f && bytes[1] === 0x8b)
    throw new UnreadableDocument('the document is packed with gzip; unpack it first (gunzip)')
  if (bytes[0] === 0x50 && bytes[1] === 0x4b)
    throw new UnreadableDocument('the document is a zip archive; unpack it first, and name the JSON file inside')
}

function parseText(bytes: Uint8Array): unknown {
  refuseBytes(bytes)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new UnreadableDocument('the document is not UTF-8 text; save it as JSON in UTF-8', { cause })
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    if (/^(?:%YAML|---|(?:openapi|swagger|info|paths) *:)/m.test(text.slice(0, 4096)))
      throw new UnreadableDocument('the document is YAML; convert it to JSON first', { cause })
    throw new UnreadableDocument('the document is not JSON, or was cut off; download it again', { cause })
  }
}

const withoutHoles = (path: string): string => path.replaceAll(/\{[^{}]*\}/g, '{}')

/** Follows `#/a/b~1c`. A reference out of the file is refused, never fetched. */
function follow(root: JsonObject, pointer: string): unknown {
  if (!pointer.startsWith('#/'))
    throw new UnreadableDocument(
      `"${pointer.slice(0, 200)}" points out of the file; bundle the document into one file first`,
    )
  let value: unknown = root
  for (const part of pointer.slice(2).split('/')) {
    const name = decodePart(part)
    value = Array.isArray(value) ? (value as unknown[])[Number(name)] : member(value, name)
  }
  if (value === undefined) throw new UnreadableDocument(`"${pointer.slice(0, 200)}" points to nothing in the document`)
  return value
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return part
  }
}

function check(root: unknown): { root: JsonObject; openapi: string; version: string; paths: JsonObject } {
  if (!isJsonObject(root)) throw new UnreadableDocument('the document is JSON, but no OpenAPI document')
  if (member(root, 'swagger') !== undefined)
    throw new UnreadableDocument('the document is Swagger 2; convert it to OpenAPI 3 first')
  const openapi = member(root, 'openapi')
  if (typeof openapi !== 'string' || !/^3\.[01]\./.test(openapi))
    throw new UnreadableDocument('the document does not say that it is OpenAPI 3.0 or 3.1, in "openapi"')
  const version = member(member(root, 'info'), 'version')
  if (typeof version !== 'string' || !/^\d{1,9}(?:\.\d{1,9}){0,3}$/.test(version))
    throw new UnreadableDocument(
      'the document has no version such as 4.4.1 in "info.version"; without it no stamp can be judged',
    )
  const paths = member(root, 'paths')
  if (!isJsonObject(paths) || Object.keys(paths).length === 0)
    throw new UnreadableDocument('the document has no "paths"')
  return { root, openapi, version, paths }
}

export function readDocument(bytes: Uint8Array): VendorDocument {
  const { root, openapi, version, paths } = check(parseText(bytes))
  const byTemplate = new Map(Object.keys(paths).map((path) => [withoutHoles(path), path]))
  const at = (pointer: string) => follow(root, pointer)
  function resolve(value: unknown): unknown {
    let found = value
    for (let hops = 0; ; hops++) {
      const pointer = member(found, '$ref')
      if (typeof pointer !== 'string') return found
      if (hops > deepest) throw new UnreadableDocument(`"${pointer.slice(0, 200)}" refers to itself`)
      found = at(pointer)
    }
  }
  const parametersOf = (item: unknown): JsonObject[] =>
    arrayOf(member(item, 'parameters')).map(resolve).filter(isJsonObject)
  return {
    version,
    openapi,
    paths: byTemplate.size,
    security: member(root, 'security'),
    resolve,
    at,
    scheme: (name) => resolve(member(member(member(root, 'components'), 'securitySchemes'), name)),
    operation(template) {
      const item = resolve(member(paths, byTemplate.get(withoutHoles(template)) ?? ''))
      const get = member(item, 'get')
      return isJsonObject(get) ? { get, parameters: [...parametersOf(get), ...parametersOf(item)] } : undefined
    },
  }
}

export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number))
  for (let i = 0; i < Math.max(left?.length ?? 0, right?.length ?? 0); i++) {
    const difference = (left?.[i] ?? 0) - (right?.[i] ?? 0)
    if (difference !== 0) return Math.sign(difference)
  }
  return 0
}
