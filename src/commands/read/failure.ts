// How a failed question is told: in words to a person, as the service's own error body to a program.
import type { VitrineError, Walked } from '../../../client/vitrine.ts'
import { counted } from '../../counted.ts'
import { printable } from '../printable.ts'
import type { Paint } from '../terminal.ts'
import { exitFor } from './exits.ts'

/** as much of an error of the client, or of our own, as is told */
export type Failure = Pick<VitrineError, 'type' | 'code' | 'message' | 'requestId' | 'retryable' | 'docUrl'> &
  Partial<Pick<VitrineError, 'param' | 'details' | 'retryAfterSec'>>

const isText = (value: unknown): value is string => typeof value === 'string'

/** undefined for what is a defect of ours */
export function failureOf(error: unknown): Failure | undefined {
  const { type, code, message, requestId, retryable, docUrl, param, details, retryAfterSec } = (error ??
    {}) as Partial<Failure>
  if (!isText(type) || !isText(code) || !isText(message)) return undefined
  return {
    ...{ type, code, message, requestId: requestId ?? '', retryable: retryable === true, docUrl: docUrl ?? '' },
    ...(param !== undefined && { param }),
    ...(details !== undefined && { details }),
    ...(retryAfterSec !== undefined && { retryAfterSec }),
  }
}

export const interrupted = (signal: NodeJS.Signals): Failure => ({
  ...{ type: 'interrupted', code: 'interrupted', message: `Ended by ${signal}.`, requestId: '', retryable: true },
  docUrl: '',
})

/** the service says its own cure; what never reached it has none yet */
const cures: Readonly<Record<string, string>> = {
  unreachable: 'Does the service run, and is this its address? VITRINE_URL or --url names another one.',
  unexpected_answer: 'Is this the address of a Vitrine? VITRINE_URL or --url names another one.',
  deadline: 'Give it more time with --timeout, or ask for less with --limit.',
}

function resumeWords({ items, cursor }: Walked, isPrinted: boolean): string[] {
  if (items === 0) return []
  const read = counted(items, 'item')
  if (!isPrinted)
    return [`  so far      ${read} read, nothing printed. --output ndjson prints as it reads, and can go on.`]
  return [
    `  so far      ${read} printed, which is not all`,
    ...(cursor === null ? [] : [`  go on with  --cursor ${cursor}`]),
  ]
}

export interface Telling {
  readonly walked: Walked
  /** the items of `walked` have left */
  readonly isPrinted: boolean
  /** one more line, of whoever knows the cure better */
  readonly hint?: string | undefined
  readonly paint: Paint
}

export function wordsOf(failure: Failure, { walked, isPrinted, hint, paint }: Telling): string {
  const { type, code, message, requestId, docUrl, retryAfterSec } = failure
  const cure = hint ?? cures[type]
  const lines = [
    `${paint('red', 'vitrine:')} ${printable(message)}`,
    ...(cure === undefined ? [] : [`  ${printable(cure)}`]),
    ...(type === 'interrupted' ? [] : [`  code        ${code === type ? code : `${code} (${type})`}`]),
    ...(requestId === '' ? [] : [`  request id  ${requestId}`]),
    ...(docUrl === '' || type === 'interrupted' ? [] : [`  about it    ${docUrl}`]),
    ...(retryAfterSec === undefined ? [] : [`  ask again   in ${retryAfterSec} s`]),
    ...resumeWords(walked, isPrinted),
  ]
  return `${lines.map((line, i) => (i === 0 ? line : printable(line))).join('\n')}\n`
}

/** the last line of NDJSON that breaks off; no row has a member `error` */
export const lastLineOf = (error: Failure, { items, cursor }: Walked) => ({ error, cursor, items })

/** what was never sent is a wrong question, also where its id cannot be one */
export const exitOf = ({ type, requestId }: Failure): number =>
  exitFor(type === 'resource_not_found' && requestId === '' ? 'invalid_query' : type)
