// What a query string gives, before anyone asks what it means; and how a refusal speaks of it. Both doors read theirs here.
import { Problem, type ProblemCode } from '../problem.ts'
import { didYouMean, nearestOf } from './nearest.ts'
import { quote } from './quote.ts'

/** a name of ours as it is; what a caller has made up, in short */
const named = (param: string): string => (/^[\w.-]{1,64}$/.test(param) ? param : quote(param).slice(1, -1))

export function refuse(
  code: ProblemCode,
  param: string,
  said: string,
  allowed?: readonly string[],
  word = '',
): Problem {
  const nearest = allowed && nearestOf(word, allowed)
  const list = allowed === undefined ? '' : ` Allowed: ${allowed.length > 0 ? allowed.join(', ') : 'none'}.`
  return new Problem(code, {
    message: `${said}${didYouMean(nearest)}${list}`,
    param: named(param),
    ...(allowed && { details: { allowed, ...(nearest !== undefined && { nearest }) } }),
  })
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '))
  } catch {
    throw new Problem('malformed_query')
  }
}

/** Every parameter of the raw query string, each known, given once and not empty; or a Problem that names the nearest one. */
export function readGiven(raw: string, names: readonly string[]): Map<string, string> {
  const given = new Map<string, string>()
  for (const pair of raw === '' ? [] : raw.split('&')) {
    const at = pair.indexOf('=')
    const name = decode(at < 0 ? pair : pair.slice(0, at))
    const value = at < 0 ? '' : decode(pair.slice(at + 1))
    if (!names.includes(name))
      throw refuse('unknown_parameter', name, `${quote(name)} is not a parameter of this route.`, names, name)
    if (given.has(name)) throw refuse('repeated_parameter', name, `${quote(name)} is given more than once.`)
    if (value === '') throw refuse('empty_parameter', name, `${quote(name)} has no value.`)
    given.set(name, value)
  }
  return given
}
