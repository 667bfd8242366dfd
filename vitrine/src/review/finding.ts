// The findings of a review: a closed list of classes with severity, meaning and fix.
import type { Group, Route } from '../catalogue/define.ts'

/** `absent` and `note` are reported, and are not drift */
export type Severity = 'break' | 'change' | 'addition' | 'absent' | 'note'

interface Words {
  readonly severity: Severity
  readonly about: string
  readonly cure: string
}

const row = (severity: Severity, about: string, cure: string): Words => ({ severity, about, cure })

const retire = 'Check at the platform whether it is gone. If so, remove it from the route and tell callers.'
const take = 'Document it, or state with `differs` why it is left out.'

export const classes = {
  'endpoint-absent': row('break', 'The document has no GET for an endpoint that is read.', retire),
  'endpoint-deprecated': row('change', 'The endpoint is marked as deprecated.', 'Plan the move to its successor.'),
  'access-changed': row('break', 'A bearer token is not enough for the endpoint.', 'Find out what it requires now.'),
  'part-deprecated': row('change', 'A part of the endpoint that a route uses is marked as deprecated.', 'Plan ahead.'),
  'parameter-absent': row('break', 'A parameter that is sent is not declared.', retire),
  'parameter-required': row(
    'break',
    'A parameter that is not always sent is now required.',
    'Always send it, from the definition.',
  ),
  'parameter-changed': row(
    'break',
    'A parameter takes another form of values than the one sent.',
    'Send what the document says.',
  ),
  'parameter-new': row('addition', 'There is a filter or an order that callers are not offered.', take),
  'value-gone': row('break', 'A value that callers may send, or that is always sent, is not listed.', retire),
  'value-new': row('addition', 'A parameter lists a value that callers are not offered.', take),
  'limit-lowered': row('break', 'Pages hold fewer items than callers may ask for.', 'Lower the page size.'),
  'answer-changed': row('break', 'The answer is not of the documented shape.', 'Check what the platform sends now.'),
  'id-type-changed': row('break', 'What comes back is of another type.', 'Find out what the ids name now.'),
  'attribute-gone': row('break', 'A documented attribute is not in the answer.', retire),
  'attribute-new': row('addition', 'The answer has an attribute that is not documented.', take),
  'type-changed': row(
    'break',
    'An attribute has another JSON type.',
    'Change the definition: values of another type are refused.',
  ),
  'format-changed': row('change', 'An attribute has another format.', 'Document the format that is sent.'),
  'known-value-gone': row('change', 'A known value of an attribute is not listed.', 'Remove it from the known values.'),
  'known-value-new': row('addition', 'An attribute lists a value that is not known.', take),
  'relationship-gone': row('break', 'A documented to-one relationship is not in the answer.', retire),
  'relationship-changed': row('break', 'A relationship is of another type, or names no single resource.', retire),
  'relationship-new': row('addition', 'There is a to-one relationship that is not documented.', take),
  'difference-gone': row('change', 'A known difference no longer exists.', 'Remove its `differs`.'),
  'operation-changed': row(
    'note',
    'Something changed since the review that the route does not use.',
    'None needed; --stamp renews the stamp.',
  ),
} as const satisfies Readonly<Record<string, Words>>

export type FindingClass = keyof typeof classes

/** One difference between document and catalogue. */
export interface Difference {
  readonly class: FindingClass
  /** an endpoint, a parameter, or a field such as `screenshots[].width` */
  readonly at: string
  readonly ours?: string
  readonly theirs?: string
}

interface Judged extends Difference {
  readonly severity: Severity
  readonly about: string
  readonly cure: string
}

export interface RouteFinding extends Judged {
  readonly number: number
  readonly operation: string
  readonly path: string
}

/** concerns the probe of a group, and no route */
export interface ProbeFinding extends Judged {
  readonly group: Group
}

/** `unchanged`: the same hash as reviewed; `absent`: not in this document yet */
export type RouteState = 'unchanged' | 'as-reviewed' | 'drifted' | 'absent'

export interface ReviewedRoute {
  readonly route: Route
  readonly state: RouteState
  /** of the operations in this document; undefined if one of them is missing */
  readonly hash?: string
  /** the document is older than the one that the route was reviewed against */
  readonly isOlder: boolean
  readonly findings: readonly RouteFinding[]
}

/** classes that mean "not there yet" if the document is older than the review */
const lacks: ReadonlySet<FindingClass> = new Set([
  ...(['endpoint-absent', 'parameter-absent', 'value-gone', 'attribute-gone'] as const),
  ...(['known-value-gone', 'relationship-gone', 'difference-gone'] as const),
])

export const severityOf = (name: FindingClass, isOlder: boolean): Severity =>
  isOlder && lacks.has(name) ? 'absent' : classes[name].severity

/** the severities that can fail a run, in ascending order */
export const levels = ['addition', 'change', 'break'] as const
export type Level = (typeof levels)[number]

const isAtLeast = (severity: Severity, level: Level): boolean =>
  (levels as readonly string[]).indexOf(severity) >= levels.indexOf(level)

export const fails = (findings: readonly Pick<Judged, 'severity'>[], level: Level): boolean =>
  findings.some(({ severity }) => isAtLeast(severity, level))
