// From an operation and its parameters to the address that is asked. What would be read otherwise than it was meant is
// refused before it leaves; names of query parameters are judged by the service, which knows the nearest one.
import { notSent } from './errors.ts'

/** one segment of a path: a value can neither add segments nor leave the place where it stands */
function segmentOf(name: string, value: unknown): string {
  if (typeof value !== 'string' || value === '')
    throw notSent(name, `"${name}" is needed, as a text that is not empty.`)
  // encoded or not, these are taken for steps of the path
  if (value === '.' || value === '..') throw notSent(name, `"${name}" cannot be "${value}".`)
  return encoded(name, value)
}

function encoded(name: string, value: string): string {
  try {
    return encodeURIComponent(value)
  } catch {
    throw notSent(name, `"${name}" holds half of a character.`)
  }
}

function memberOf(name: string, value: unknown): string {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string' || value === '')
    throw notSent(name, `"${name}" takes texts that are not empty. To leave a parameter out, leave it undefined.`)
  if (value.includes(','))
    throw notSent(
      name,
      `"${name}" holds a comma, which separates values and cannot be escaped. Give several as a list.`,
    )
  return encoded(name, value)
}

function membersOf(name: string, value: unknown): string {
  const members: readonly unknown[] = Array.isArray(value) ? value : [value]
  // left out, an empty list of ids would ask for everything
  if (members.length === 0) throw notSent(name, `"${name}" is an empty list. To ask without it, leave it undefined.`)
  return members.map((member) => memberOf(name, member)).join()
}

export function addressOf(pattern: string, inPath: readonly string[], params: object): string {
  const given = new Map(Object.entries(params))
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => segmentOf(name, given.get(name)))
  const parts = [...given].filter(([name, value]) => value !== undefined && !inPath.includes(name))
  const asked = parts.map(([name, value]) => `${encoded(name, name)}=${membersOf(name, value)}`)
  return asked.length === 0 ? path : `${path}?${asked.join('&')}`
}
