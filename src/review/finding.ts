// What a review can find: a closed list of classes, each with how much it weighs, what it means and what to do.
import type { Group } from '../catalogue/define.ts'

/** `absent` and `note` are told, and are never drift */
export type Severity = 'break' | 'change' | 'addition' | 'absent' | 'note'

interface Words {
  readonly severity: Severity
  readonly about: string
  readonly cure: string
}

const row = (severity: Severity, about: string, cure: string): Words => ({ severity, about, cure })

const retire = 'Ask the platform whether it is gone; if it is, take it out of the route and say so to callers.'
const take = 'Document it, or write down with `differs` why it is left out.'

export const classes = {
  'endpoint-absent': row('break', 'The document has no GET at an endpoint that is read.', retire),
  'endpoint-deprecated': row('change', 'The endpoint is marked as deprecated.', 'Plan the move to its successor.'),
  'access-changed': row('break', 'A token alone does not open the endpoint.', 'Look how it is opened now.'),
  'part-deprecated': row('change', 'Something that is used of the endpoint is marked as deprecated.', 'Plan ahead.'),
  'parameter-absent': row('break', 'A parameter that is sent is not declared.', retire),
  'parameter-required': row(
    'break',
    'A parameter that is not always sent is required.',
    'Send it from the definition.',
  ),
  'parameter-changed': row('break', 'A parameter takes other values than are sent.', 'Send what the document says.'),
  'parameter-new': row('addition', 'There is a filter or an ordering that callers are not offered.', take),
  'value-gone': row('break', 'A value that callers may send, or that is always sent, is not listed.', retire),
  'value-new': row('addition', 'A parameter lists a value that callers are not offered.', take),
  'limit-lowered': row('break', 'Pages hold fewer items than callers may ask for.', 'Lower the page size.'),
  'answer-changed': row('break', 'The answer is not of the documented shape.', 'Look at what the platform sends now.'),
  'id-type-changed': row('break', 'What comes back is of another type.', 'Look whose ids they are now.'),
  'attribute-gone': row('break', 'A documented attribute is not in the answer.', retire),
  'attribute-new': row('addition', 'The answer has an attribute that is not documented.', take),
  'type-changed': row('break', 'An attribute has another JSON type.', 'Values of another type are refused: mend it.'),
  'format-changed': row('change', 'An attribute has another format.', 'Document the format that is sent.'),
  'known-value-gone': row('change', 'A known value of an attribute is not listed.', 'Take it from the known values.'),
  'known-value-new': row('addition', 'An attribute lists a value that is not known.', take),
  'relationship-gone': row('break', 'A documented to-one relationship is not in the answer.', retire),
  'relationship-changed': row('break', 'A relationship is of another type, or names no single resource.', retire),
  'relationship-new': row('addition', 'There is a to-one relationship that is not documented.', take),
  'difference-gone': row('change', 'A difference that was written down is none any more.', 'Take its `differs` away.'),
  'operation-changed': row(
    'note',
    'Something changed since the review, in nothing that the route uses.',
    'Nothing; --stamp renews it.',
  ),
} as const satisfies Readonly<Record<string, Words>>

export type FindingClass = keyof typeof classes

/** One thing in which the document and the catalogue do not say the same. */
export interface Difference {
  readonly class: FindingClass
  /** the endpoint, the parameter, or the field with what it is nested in, such as `screenshots[].width` */
  readonly at: string
  readonly ours?: string
  readonly theirs?: string
}

interface Judged extends Difference {
  readonly severity: Severity
  readonly about: string
  readonly cure: string
}

/** with the route that it touches */
export interface Finding extends Judged {
  readonly number: number
  readonly operation: string
  readonly path: string
}

/** No route is touched: it is the read by which `vitrine doctor` tries a group. */
export interface ProbeFinding extends Judged {
  readonly group: Group
}

/** what a document lacks that is older than the review of the route, it does not have yet */
const lacks: ReadonlySet<FindingClass> = new Set([
  ...(['endpoint-absent', 'parameter-absent', 'value-gone', 'attribute-gone'] as const),
  ...(['known-value-gone', 'relationship-gone', 'difference-gone'] as const),
])

export const severityOf = (name: FindingClass, isOlder: boolean): Severity =>
  isOlder && lacks.has(name) ? 'absent' : classes[name].severity

/** from the lightest to the heaviest that can fail a run */
export const levels = ['addition', 'change', 'break'] as const
export type Level = (typeof levels)[number]

const isAtLeast = (severity: Severity, level: Level): boolean =>
  (levels as readonly string[]).indexOf(severity) >= levels.indexOf(level)

/** whether a run ends with exit code 1 */
export const fails = (findings: readonly Pick<Judged, 'severity'>[], level: Level): boolean =>
  findings.some(({ severity }) => isAtLeast(severity, level))
