// Puts the value of a secret in place of its placeholder, in its own header of a request alone.
import { EgressRefusal } from './refusal.ts'
import type { Secret } from './vault.ts'

const basicForm = /^(Basic +)([A-Za-z0-9+/]+=*) *$/i
/** of all headers with values: one header may hold a placeholder hundreds of times */
const mostReplaced = 16_384

const replaceAll = (text: string, secrets: readonly Secret[]): string =>
  secrets.reduce((all, { placeholder, value }) => all.replaceAll(placeholder, () => value), text)

interface Replaced {
  readonly text: string
  /** the form in which the host receives the value, if it is not the value itself */
  readonly coded?: string
}

function replaceIn(header: string, text: string, secrets: readonly Secret[]): Replaced {
  const plain = replaceAll(text, secrets)
  const [, scheme, given = ''] = (plain === text && header === 'authorization' && basicForm.exec(text)) || []
  if (scheme === undefined) return { text: plain }
  const pair = Buffer.from(given, 'base64').toString('latin1')
  const replaced = replaceAll(pair, secrets)
  if (replaced === pair) return { text }
  const coded = Buffer.from(replaced, 'latin1').toString('base64')
  return { text: scheme + coded, coded }
}

/** names and values in turns, as Node gives them */
export function replaceSecrets(raw: readonly string[], secrets: readonly Secret[]) {
  const codedForms: string[] = []
  let replaced = 0
  const headers = raw.map((given, i) => {
    if (i % 2 === 0) return given
    const name = raw[i - 1]?.toLowerCase() ?? ''
    const own = secrets.filter(({ header }) => header === name)
    const { text, coded } = own.length > 0 ? replaceIn(name, given, own) : { text: given }
    if (coded !== undefined) codedForms.push(coded)
    if (text !== given) replaced += text.length
    if (replaced > mostReplaced) throw new EgressRefusal('bad_request')
    return text
  })
  return { headers, isUsed: replaced > 0, codedForms }
}
