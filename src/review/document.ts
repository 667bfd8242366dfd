// The vendor's file, from bytes to a document that can be asked. It is somebody else's: nothing in it is trusted, nothing
// outside of it is fetched, and what cannot be judged is refused with the cure.

/** The document, or the part of it that was reached, cannot be judged. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

export type Json = Readonly<Record<string, unknown>>

export const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** own members alone: a document may call something `constructor` */
export const member = (value: unknown, name: string): unknown =>
  isJson(value) && Object.hasOwn(value, name) ? value[name] : undefined

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

export interface Operation {
  readonly get: Json
  /** those of the path and of the operation, which comes first */
  readonly parameters: readonly Json[]
}

export interface VendorDocument {
  readonly version: string
  readonly openapi: string
  /** endpoints in all */
  readonly paths: number
  /** by our template: the names of the holes do not matter */
  readonly operation: (template: string) => Operation | undefined
  /** follows references until there is none; where nothing is to follow, the value itself */
  readonly resolve: (value: unknown) => unknown
  /** how the document says that its operations are opened, where they do not say it themselves */
  readonly security: unknown
  /** a security scheme, by its name */
  readonly scheme: (name: string) => unknown
  /** what a reference points to, which may be a reference again */
  readonly at: (pointer: string) => unknown
}

const deepest = 64

function refuseBytes(bytes: Uint8Array) {
  if (bytes.length === 0) throw new Unreadable('the document is empty; was the download complete?')
  if (bytes[0] === 0x1f && bytes[1] === 0x8b)
    throw new Unreadable('the document is packed with gzip; unpack it first (gunzip)')
  if (bytes[0] === 0x50 && bytes[1] === 0x4b)
    throw new Unreadable('the document is a zip archive; unpack it first, and name the JSON file inside')
}

function parseText(bytes: Uint8Array): unknown {
  refuseBytes(bytes)
  let text: string
  try {
    // removes a byte order mark
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new Unreadable('the document is not UTF-8 text; save it as JSON in UTF-8', { cause })
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    if (/^(?:%YAML|---|(?:openapi|swagger|info|paths) *:)/m.test(text.slice(0, 4096)))
      throw new Unreadable('the document is YAML; convert it to JSON first', { cause })
    throw new Unreadable('the document is not JSON, or was cut off; download it again', { cause })
  }
}

const withoutNames = (path: string): string => path.replaceAll(/\{[^{}]*\}/g, '{}')

/** `#/a/b~1c` -> what is there; anything that leads out of the file is refused, never fetched */
function follow(root: Json, pointer: string): unknown {
  if (!pointer.startsWith('#/'))
    throw new Unreadable(`"${pointer.slice(0, 200)}" points out of the file; bundle the document into one file first`)
  let value: unknown = root
  for (const part of pointer.slice(2).split('/')) {
    const name = decodePart(part)
    value = Array.isArray(value) ? (value as unknown[])[Number(name)] : member(value, name)
  }
  if (value === undefined) throw new Unreadable(`"${pointer.slice(0, 200)}" points to nothing in the document`)
  return value
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return part
  }
}

function check(root: unknown): { root: Json; openapi: string; version: string; paths: Json } {
  if (!isJson(root)) throw new Unreadable('the document is JSON, but no OpenAPI document')
  if (member(root, 'swagger') !== undefined)
    throw new Unreadable('the document is Swagger 2; convert it to OpenAPI 3 first')
  const openapi = member(root, 'openapi')
  if (typeof openapi !== 'string' || !/^3\.[01]\./.test(openapi))
    throw new Unreadable('the document does not say that it is OpenAPI 3.0 or 3.1, in "openapi"')
  const version = member(member(root, 'info'), 'version')
  if (typeof version !== 'string' || !/^\d{1,9}(?:\.\d{1,9}){0,3}$/.test(version))
    throw new Unreadable(
      'the document has no version such as 4.4.1 in "info.version"; without it no stamp can be judged',
    )
  const paths = member(root, 'paths')
  if (!isJson(paths) || Object.keys(paths).length === 0) throw new Unreadable('the document has no "paths"')
  return { root, openapi, version, paths }
}

export function readDocument(bytes: Uint8Array): VendorDocument {
  const { root, openapi, version, paths } = check(parseText(bytes))
  const byTemplate = new Map(Object.keys(paths).map((path) => [withoutNames(path), path]))
  const at = (pointer: string) => follow(root, pointer)
  function resolve(value: unknown): unknown {
    let found = value
    for (let hops = 0; ; hops++) {
      const pointer = member(found, '$ref')
      if (typeof pointer !== 'string') return found
      if (hops > deepest) throw new Unreadable(`"${pointer.slice(0, 200)}" refers to itself`)
      found = at(pointer)
    }
  }
  const parametersOf = (item: unknown): Json[] => listOf(member(item, 'parameters')).map(resolve).filter(isJson)
  return {
    ...{ version, openapi, paths: byTemplate.size, security: member(root, 'security'), resolve, at },
    scheme: (name) => resolve(member(member(member(root, 'components'), 'securitySchemes'), name)),
    operation(template) {
      const item = resolve(member(paths, byTemplate.get(withoutNames(template)) ?? ''))
      const get = member(item, 'get')
      return isJson(get) ? { get, parameters: [...parametersOf(get), ...parametersOf(item)] } : undefined
    },
  }
}

/** -1, 0 or 1, number by number */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number))
  for (let i = 0; i < Math.max(left?.length ?? 0, right?.length ?? 0); i++) {
    const difference = (left?.[i] ?? 0) - (right?.[i] ?? 0)
    if (difference !== 0) return Math.sign(difference)
  }
  return 0
}
