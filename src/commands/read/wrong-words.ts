// A command line with a wrong argument, for programs that asked for JSON: the error body that the service has.
import { standardUrl } from './caller.ts'
import { WrongArgument } from './exits.ts'
import { failureOf } from './failure.ts'

/** what was said of an option, in either form; the words may be wrong in any other way */
function valueOf(words: readonly string[], names: readonly string[]): string | undefined {
  const at = words.findIndex((word) => names.includes(word))
  const joined = words.find((word) => names.some((name) => word.startsWith(`${name}=`)))
  return at < 0 ? joined?.slice(joined.indexOf('=') + 1) : words[at + 1]
}

/** whether it was told; else the words of the error are for a person */
export function toldAsJson(error: unknown, words: readonly string[]): error is WrongArgument {
  const format = valueOf(words, ['--output', '-o'])
  if (!(error instanceof WrongArgument) || process.stderr.isTTY || !format?.endsWith('json')) return false
  const url = valueOf(words, ['--url']) ?? (process.env['VITRINE_URL'] || standardUrl)
  // a wrong address may hold a password
  const base = /^https?:\/\/[^@?#]+$/.test(url) ? url.replace(/\/+$/, '') : ''
  const told = { ...failureOf(error), message: error.said, docUrl: `${base}/errors/${error.code}` }
  process.stderr.write(`${JSON.stringify({ error: told })}\n`)
  return true
}
