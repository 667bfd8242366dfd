// Reads a query strictly against one endpoint: names, values, ranges.
import type { Endpoint, EndpointParameter } from './endpoints/endpoint.ts'
import { isParameterSomewhere } from './endpoints/index.ts'
import { parameterIllegal, parameterInvalid, parameterMissing } from './refusal.ts'

export interface AskedQuery {
  // The text of each parameter, decoded, in the order it came.
  readonly text: ReadonlyMap<string, string>
  // The same split at commas.
  readonly lists: ReadonlyMap<string, readonly string[]>
}

export function readSandboxQuery(endpoint: Endpoint, raw: string): AskedQuery {
  const text = new Map<string, string>()
  const lists = new Map<string, readonly string[]>()
  for (const [name, value] of decodePairs(raw)) {
    const parameter = endpoint.parameters.get(name)
    if (parameter === undefined) throw refuseUnknown(name)
    if (text.has(name)) throw parameterInvalid(name, `The parameter '${name}' can only be given once`)
    text.set(name, value)
    lists.set(name, readValue(name, parameter, value))
  }
  for (const [name, { isRequired }] of endpoint.parameters)
    if (isRequired && !text.has(name)) throw parameterMissing(name)
  return { text, lists }
}

function decodePairs(raw: string): [string, string][] {
  const pairs = raw.split('&').filter((pair) => pair !== '')
  return pairs.map((pair) => {
    const cut = pair.indexOf('=')
    return cut < 0 ? [decode(pair), ''] : [decode(pair.slice(0, cut)), decode(pair.slice(cut + 1))]
  })
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw parameterInvalid(text, `'${text}' is not properly encoded`)
  }
}

function refuseUnknown(name: string): Error {
  if (isParameterSomewhere(name)) return parameterIllegal(name)
  const inner = /^(?<group>\w+)\[(?<word>.*)\]$/.exec(name)?.groups
  const what = inner?.['group'] === 'filter' ? 'filter type' : 'parameter'
  return parameterInvalid(name, `'${inner?.['group'] === 'filter' ? inner['word'] : name}' is not a valid ${what}`)
}

function readValue(name: string, parameter: EndpointParameter, value: string): readonly string[] {
  if (parameter.kind === 'list') return readList(name, parameter.allowed, value)
  if (parameter.kind === 'count') return [readCount(name, parameter.max, value)]
  if (parameter.kind === 'flag' && value !== 'true' && value !== 'false') {
    throw parameterInvalid(name, `'${value}' is not a valid boolean value`)
  }
  if (parameter.kind === 'date' && Number.isNaN(Date.parse(value))) {
    throw parameterInvalid(name, `'${value}' is not a valid date-time`)
  }
  return [value]
}

function readList(name: string, allowed: ReadonlySet<string> | null, value: string): readonly string[] {
  const mayBeEmpty = name.startsWith('fields[') || name === 'include'
  if (value === '' && mayBeEmpty) return []
  const items = value.split(',')
  for (const item of items) {
    if (item === '') throw parameterInvalid(name, 'A value of this parameter is empty')
    if (allowed !== null && !allowed.has(item)) throw parameterInvalid(name, explain(name, item))
  }
  return items
}

function explain(name: string, item: string): string {
  if (name.startsWith('fields[')) return `'${item}' is not a valid field name`
  if (name === 'include') return `'${item}' is not a valid relationship name`
  if (name === 'sort') return `'${item}' is not a valid sort value`
  return `'${item}' is not a valid value for '${name}'`
}

function readCount(name: string, max: number, value: string): string {
  if (!/^\d{1,9}$/.test(value) || Number(value) < 1) throw parameterInvalid(name, `'${value}' is not a valid limit`)
  if (Number(value) > max) throw parameterInvalid(name, `The maximum allowable limit is '${max}'`)
  return value
}
