// The request as callers send it: with curl, at the command line, in TypeScript. The key is named, never written.
import { callLine, clientLine, commandLine, curlLine } from '../../../samples.ts'
import { type RequestDraft, targetOf, valuesOf } from './request-draft.ts'
import type { Form } from './operation-form.ts'

export interface RequestSample {
  readonly name: string
  readonly text: string
}

export interface PublicAddress {
  readonly url: string
  /** plain http to another machine: the caller has to allow it */
  readonly insecure: boolean
}

/** undefined: callers would refuse it */
export function addressOf(text: string): PublicAddress | undefined {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.href !== url.origin + url.pathname) return undefined
  const isHere = /^(localhost|127(\.\d+){3}|\[::1\]|.+\.localhost)$/.test(url.hostname)
  return { url: url.href.replace(/\/+$/, ''), insecure: url.protocol === 'http:' && !isHere }
}

const keyed = "key: process.env['VITRINE_KEY'] ?? ''"

export function samplesFor(
  form: Form,
  draft: RequestDraft,
  connection: string,
  { url, insecure }: PublicAddress,
): readonly RequestSample[] {
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
