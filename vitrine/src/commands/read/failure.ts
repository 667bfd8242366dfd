// Reports a failed read: in words to a person, as the service's error body to a program.
import type { VitrineError, Walked } from '../../../client/vitrine.ts'
import { counted } from '../../../../base/core/plural.ts'
import { printable } from '../../../../base/core/printable.ts'
import { shellOption } from '../../../../base/core/source-text.ts'
import type { Paint } from '../../../../base/cli/terminal.ts'
import { exitFor } from './exits.ts'
import type { Ids } from './options.ts'

/** what is reported of an error of the client, or of our own */
export type ReadFailure = Pick<VitrineError, 'type' | 'code' | 'message' | 'requestId' | 'retryable' | 'docUrl'> &
  Partial<Pick<VitrineError, 'param' | 'details' | 'retryAfterSec'>>

const isText = (value: unknown): value is string => typeof value === 'string'

/** undefined for a defect */
export function failureOf(error: unknown): ReadFailure | undefined {
  const { type, code, message, requestId, retryable, docUrl, param, details, retryAfterSec } = (error ??
    {}) as Partial<ReadFailure>
  if (!isText(type) || !isText(code) || !isText(message)) return undefined
  return {
    type,
    code,
    message,
    requestId: requestId ?? '',
    retryable: retryable === true,
    docUrl: docUrl ?? '',
    ...(param !== undefined && { param }),
    ...(details !== undefined && { details }),
    ...(retryAfterSec !== undefined && { retryAfterSec }),
  }
}

export const interrupted = (signal: NodeJS.Signals): ReadFailure => ({
  type: 'interrupted',
  code: 'interrupted',
  message: `Ended by ${signal}.`,
  requestId: '',
  retryable: true,
  docUrl: '',
})

/** the service's errors name their fix; these never reached it */
const fixes: Readonly<Record<string, string>> = {
  unreachable: 'Is the service running, and is this its address? VITRINE_URL or --url names another one.',
  unexpected_answer: 'Is this the address of a Vitrine? VITRINE_URL or --url names another one.',
  deadline: 'Give it more time with --timeout, or ask for less with --limit.',
}

function resumeWords({ items, cursor }: Walked, isPrinted: boolean): string[] {
  if (items === 0) return []
  const read = counted(items, 'item')
  if (!isPrinted)
    return [`  so far      ${read} read, nothing printed. --output ndjson prints as it reads, and can be continued.`]
  return [
    `  so far      ${read} printed, which is not all`,
    ...(cursor === null ? [] : [`  continue    --cursor ${cursor}`]),
  ]
}

/** such as `--appId 6446998003` */
const optionsOf = (ids: Ids): string =>
  Object.entries(ids)
    .map(([name, id]) => shellOption(name, id))
    .join(' ')

/** a row that was left, and why */
export const skippedText = ({ at, error }: { readonly at: Ids; readonly error: ReadFailure }): string =>
  `${printable(`Not read: ${optionsOf(at)}: ${error.message} (${error.code}, ${error.requestId})`)}\n`

export interface FailureContext {
  readonly walked: Walked
  /** with --each: the row that was being read */
  readonly at?: Ids | undefined
  /** whether the items read so far are printed */
  readonly isPrinted: boolean
  /** a more specific fix */
  readonly hint?: string | undefined
  readonly paint: Paint
}

export function failureText(failure: ReadFailure, { walked, at, isPrinted, hint, paint }: FailureContext): string {
  const { type, code, message, requestId, docUrl, retryAfterSec } = failure
  const fix = hint ?? fixes[type]
  const lines = [
    `${paint('red', 'vitrine:')} ${printable(message)}`,
    ...(fix === undefined ? [] : [`  ${printable(fix)}`]),
    ...(at === undefined ? [] : [`  while read  ${optionsOf(at)}`]),
    ...(type === 'interrupted' ? [] : [`  code        ${code === type ? code : `${code} (${type})`}`]),
    ...(requestId === '' ? [] : [`  request id  ${requestId}`]),
    ...(docUrl === '' || type === 'interrupted' ? [] : [`  about it    ${docUrl}`]),
    ...(retryAfterSec === undefined ? [] : [`  retry       in ${retryAfterSec} s`]),
    ...resumeWords(walked, isPrinted),
  ]
  return `${lines.map((line, i) => (i === 0 ? line : printable(line))).join('\n')}\n`
}

/** the last line of incomplete NDJSON; no item has a member `error` */
export const ndjsonErrorLine = (error: ReadFailure, { items, cursor }: Walked) => ({ error, cursor, items })

/** an id that was never sent is a usage error */
export const exitOf = ({ type, requestId }: ReadFailure): number =>
  exitFor(type === 'resource_not_found' && requestId === '' ? 'invalid_query' : type)
