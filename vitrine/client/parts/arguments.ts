// Reads the arguments of an operation, in the same way for the typed client, the command line and agents. Imports nothing.

/** what can be wrong before a request is sent, by the service's codes */
export type ArgumentCode =
  | 'value_not_allowed'
  | 'empty_parameter'
  | 'unknown_parameter'
  | 'cursor_invalid'
  | 'resource_not_found'
  | 'connection_not_found'
  | 'route_not_found'
  | 'request_too_long'

/** Makes the caller's error. `said` follows the name of the parameter, if there is one. */
export type RefuseArgument = (code: ArgumentCode, param: string | undefined, said: string) => Error

const isOneValue = (value: unknown): value is string | number | bigint | boolean =>
  /^(string|number|bigint|boolean)$/.test(typeof value)

/** A lone surrogate cannot be encoded. */
const isWellFormed = (text: string): boolean => !/\p{Cs}/u.test(text)

/** dot segments, encoded or not */
const isStep = (text: string): boolean => /^\.\.?$/.test(text)

const noValue = 'has no value. Give it one, or leave it out.'
const oneValue = 'stands in the path: give one value, as text.'
const noStep = 'cannot be a step of the path.'

/** Text, a number or a boolean as text. Refuses numbers that have lost digits. */
function readText(name: string, value: unknown, refuse: RefuseArgument): string {
  if (value === null && name === 'cursor')
    throw refuse('cursor_invalid', name, 'is null: the list has ended. Leave it out to start again.')
  if (value === null || value === '') throw refuse('empty_parameter', name, noValue)
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw refuse('value_not_allowed', name, 'holds a number that is not whole, or beyond 2^53: give it as text.')
  if (!isOneValue(value))
    throw name === 'cursor'
      ? refuse('cursor_invalid', name, 'was not issued by this service.')
      : refuse('value_not_allowed', name, 'takes text, a whole number, true, false, or a list of them.')
  const text = String(value)
  if (!isWellFormed(text)) throw refuse('value_not_allowed', name, 'holds half of a character.')
  return text
}

function readSegment(name: string, value: unknown, refuse: RefuseArgument): string {
  if (Array.isArray(value)) throw refuse('value_not_allowed', name, oneValue)
  const text = readText(name, value, refuse)
  if (isStep(text)) throw refuse('resource_not_found', name, noStep)
  return text
}

/** Joins a list with commas. */
function readList(name: string, value: unknown, refuse: RefuseArgument): string {
  if (!Array.isArray(value) || name === 'cursor') return readText(name, value, refuse)
  if (value.length === 0) throw refuse('empty_parameter', name, noValue)
  return Array.from(value, (member: unknown) => {
    const text = readText(name, member, refuse)
    // it would be read as two values
    if (text.includes(',')) throw refuse('value_not_allowed', name, 'has a comma inside of a value of its list.')
    return text
  }).join()
}

/** The parameters as texts by name. The service checks the names of the query. */
export function readArguments(given: unknown, inPath: readonly string[], refuse: RefuseArgument): Map<string, string> {
  // a list or a Map has no members of its own, and would be read as empty
  if (typeof given !== 'object' || given === null || Symbol.iterator in given)
    throw refuse('value_not_allowed', 'params', 'is an object of parameters by name.')
  const values = new Map<string, unknown>(Object.entries(given))
  for (const name of inPath) if (values.get(name) === undefined) throw refuse('value_not_allowed', name, oneValue)
  const texts = new Map<string, string>()
  for (const [name, value] of values) {
    if (value === undefined) continue
    if (name === 'connectionId')
      throw refuse('unknown_parameter', name, 'is no parameter: the connection is given apart, as `connection`.')
    if (!isWellFormed(name)) throw refuse('unknown_parameter', name, 'is not a parameter of this operation.')
    texts.set(name, inPath.includes(name) ? readSegment(name, value, refuse) : readList(name, value, refuse))
  }
  return texts
}

export function readConnection(value: unknown, refuse: RefuseArgument): string {
  if (typeof value !== 'string')
    throw refuse('value_not_allowed', 'connection', 'is the name of one, as text. No connection is chosen.')
  const text = readText('connection', value, refuse)
  if (isStep(text)) throw refuse('connection_not_found', 'connection', noStep)
  return text
}

/** An unknown member is refused: ignoring it could read another account or drop a filter. */
export function checkMembers(given: object, known: readonly string[], refuse: RefuseArgument) {
  const other = Object.keys(given).find((name) => !known.includes(name))
  if (other !== undefined) throw refuse('unknown_parameter', other, `is none of: ${known.join(', ')}.`)
}

/** the service takes 8,192 bytes, including a path prefix of the address */
const longestTarget = 8_000

/** Values are escaped, so none can become another part of the target. */
export function writeTarget(
  pattern: string,
  connection: string,
  texts: ReadonlyMap<string, string>,
  refuse: RefuseArgument,
): { readonly path: string; readonly query: string } {
  const left = new Map(texts)
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    left.delete(name)
    return encodeURIComponent(name === 'connectionId' ? connection : (texts.get(name) ?? ''))
  })
  const query = [...left]
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .join('&')
    .replaceAll('%2C', ',')
  if (path.length + query.length > longestTarget)
    throw refuse('request_too_long', undefined, 'The request is too long: ask in several.')
  return { path, query }
}
