// Reads the arguments of an operation, the same way for agents (src/agents/), the typed client and the command line, which asks
// through the client. It imports nothing.

/** what can be wrong before anything is sent, by the service's own codes (src/problem.ts) */
export type ArgumentCode =
  | 'value_not_allowed'
  | 'empty_parameter'
  | 'unknown_parameter'
  | 'cursor_invalid'
  | 'resource_not_found'
  | 'connection_not_found'
  | 'route_not_found'
  | 'request_too_long'

/** makes the error that this caller understands; `said` goes on behind the name of the parameter, where there is one */
export type RefuseArgument = (code: ArgumentCode, param: string | undefined, said: string) => Error

const isOneValue = (value: unknown): value is string | number | bigint | boolean =>
  /^(string|number|bigint|boolean)$/.test(typeof value)

/** half of a character has no form in a request */
const isWellFormed = (text: string): boolean => !/\p{Cs}/u.test(text)

/** in a path these are steps, encoded or not */
const isStep = (text: string): boolean => /^\.\.?$/.test(text)

const noValue = 'has no value. Give it one, or leave it out.'
const oneValue = 'stands in the path: give one value, as text.'
const noStep = 'cannot be a step of the path.'

/** Text, a number or a boolean as the text that stands in a request. Numbers that have lost digits are refused. */
function readText(name: string, value: unknown, refuse: RefuseArgument): string {
  if (value === null && name === 'cursor')
    throw refuse('cursor_invalid', name, 'is null: the list has ended. Leave it out to start again.')
  if (value === null || value === '') throw refuse('empty_parameter', name, noValue)
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw refuse('value_not_allowed', name, 'holds a number that is not whole, or beyond 2^53: give it as text.')
  if (!isOneValue(value))
    throw name === 'cursor'
      ? refuse('cursor_invalid', name, 'is not one that this service gave out.')
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

/** a list becomes the text with commas that it may also be given as */
function readList(name: string, value: unknown, refuse: RefuseArgument): string {
  if (!Array.isArray(value) || name === 'cursor') return readText(name, value, refuse)
  if (value.length === 0) throw refuse('empty_parameter', name, noValue)
  return Array.from(value, (member: unknown) => {
    const text = readText(name, member, refuse)
    // joined, it would be read as two values
    if (text.includes(',')) throw refuse('value_not_allowed', name, 'has a comma inside of a value of its list.')
    return text
  }).join()
}

/** The given parameters as texts by name. Whether the operation has a parameter of the query, the service says. */
export function readArguments(given: unknown, inPath: readonly string[], refuse: RefuseArgument): Map<string, string> {
  // what can be iterated, such as a list or a Map, has its values elsewhere: it would be read as nothing
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

/** the name of a connection */
export function readConnection(value: unknown, refuse: RefuseArgument): string {
  if (typeof value !== 'string')
    throw refuse('value_not_allowed', 'connection', 'is the name of one, as text. No connection is chosen.')
  const text = readText('connection', value, refuse)
  if (isStep(text)) throw refuse('connection_not_found', 'connection', noStep)
  return text
}

/** a member that nobody reads may have meant another account, or a filter */
export function checkMembers(given: object, known: readonly string[], refuse: RefuseArgument) {
  const other = Object.keys(given).find((name) => !known.includes(name))
  if (other !== undefined) throw refuse('unknown_parameter', other, `is none of: ${known.join(', ')}.`)
}

/** the service takes 8,192 bytes, and another path may stand before it */
const longestTarget = 8_000

/** the path and the query of the read; no value can become another part of them */
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
