// The request as others would send it: with curl, at the command line, in TypeScript. The key is named, and never written.
import { callLine, clientLine, commandLine, curlLine } from '../../../samples.ts'
import { type Draft, targetOf, valuesOf } from './draft.ts'
import type { Form } from './forms.ts'

export interface Line {
  readonly name: string
  readonly text: string
}

export interface Address {
  /** without a slash at the end */
  readonly url: string
  /** everybody on the way could read the key: whoever sends it so has to say so */
  readonly insecure: boolean
}

/** undefined for what callers would refuse */
export function addressOf(text: string): Address | undefined {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== url.origin + url.pathname) return undefined
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\]|.+\.localhost)$/.test(url.hostname)
  return { url: url.href.replace(/\/+$/, ''), insecure: url.protocol === 'http:' && !isHere }
}

const keyed = "key: process.env['VITRINE_KEY'] ?? ''"

export function linesFor(form: Form, draft: Draft, connection: string, { url, insecure }: Address): readonly Line[] {
  const { operation, isList } = form
  const call = { operation, connection, values: valuesOf(form, draft) }
  const way = { origin: url, insecure }
  const program = [
    "import { Vitrine } from './vitrine.ts'",
    '',
    clientLine(connection, keyed, way),
    callLine(call, isList),
    `console.log(${isList ? 'items, nextCursor' : 'answer'})`,
  ]
  return [
    { name: 'curl', text: curlLine(`${url}/v1/connections/${encodeURIComponent(connection)}${targetOf(form, draft)}`) },
    { name: 'Command line', text: commandLine(call, way) },
    { name: 'TypeScript', text: program.join('\n') },
  ]
}
