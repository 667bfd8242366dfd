// Schemas of what is answered about reads: the forms of what can be asked, plans, and reads with what they cost.
import { about, flag, listOf, object, ref, type Schema, text, textOrNull, whole } from './schema.ts'

/** members that are there only where they say something */
const partly = (always: Readonly<Record<string, Schema>>, sometimes: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  required: Object.keys(always),
  properties: { ...always, ...sometimes },
})

const oneOf = (values: readonly string[], description: string): Schema => ({ ...text, enum: values, description })
const mapOf = (values: Schema, description: string): Schema => ({
  type: 'object',
  additionalProperties: values,
  description,
})
const number: Schema = { type: 'number', minimum: 0 }
const wholeOrNull: Schema = { type: ['integer', 'null'], minimum: 0 }
const pattern = about(text, 'What each value looks like, as a regular expression with the flag `u`.')

const idForm = partly(
  { name: text, description: text, pattern },
  { from: about(text, 'The operation that lists such ids; absent: none does.') },
)

const kinds = ['choice', 'choices', 'text', 'texts', 'integer', 'fields', 'cursor']

const parameterForm = partly(
  {
    name: text,
    description: text,
    kind: oneOf(kinds, '`choices`, `texts` and `fields` take several values, separated by commas.'),
    required: flag,
  },
  {
    values: about(listOf(text), 'The known values.'),
    open: about({ type: 'boolean', const: true }, 'Other values are taken too.'),
    unique: about({ type: 'boolean', const: true }, 'No value twice, whether or not a `-` stands before it.'),
    minimum: { type: 'integer' },
    maximum: { type: 'integer' },
    standard: about(text, 'What holds where it is left out.'),
    most: about(whole, 'How many values at most.'),
    pattern,
  },
)

const fieldForm = partly(
  {
    name: text,
    description: text,
    type: about(text, 'What it holds, in words.'),
    kind: oneOf(['attribute', 'linkage'], 'A linkage is the id of something else.'),
  },
  {
    image: oneOf(
      ['url', 'template', 'list'],
      'It tells where pictures are. `url`: an object whose `url` is the address. `template`: an object whose `templateUrl` has `{w}`, `{h}` and `{f}` in it, for width, height and format. `list`: a list of such objects.',
    ),
  },
)

const step = partly(
  {
    purpose: text,
    get: about(text, 'Path at the platform; a name in braces is what the step before finds out.'),
    query: mapOf(text, 'Parameters by name.'),
    accept: text,
  },
  { looksFor: about(text, 'What a lookup compares, byte for byte.') },
)

const cost = object({
  calls: about(whole, 'Calls of the platform.'),
  retries: about(whole, 'Of these, those that repeat an earlier one.'),
  shared: about(whole, "Reads that another request's call answered."),
  waitedMs: about(number, 'Waiting for a turn at the platform.'),
  platformMs: about(number, 'Waiting for the platform.'),
  cache: { ...textOrNull, enum: ['hit', 'miss', null], description: 'null: such an answer is not remembered.' },
})

const asked = object({
  purpose: text,
  get: about(text, 'Path and query, as they went to the platform.'),
  accept: text,
  tookMs: number,
  status: about(wholeOrNull, "The platform's; null where it gave none, or another request heard it."),
  code: about(textOrNull, 'null for a document, and for what had not ended yet.'),
})

export const readingSchemas = {
  Forms: object({ items: listOf(ref('Form')) }),
  Form: object({
    operation: text,
    group: text,
    summary: text,
    description: about(text, 'Empty where the summary is all.'),
    path: about(text, 'Below the connection, with names in braces.'),
    isList: flag,
    ids: about(listOf(idForm), 'What stands for the names in the path.'),
    parameters: about(listOf(parameterForm), 'What the query takes.'),
    fields: about(listOf(fieldForm), 'What an item holds beside its id.'),
    example: object({
      ids: mapOf(text, 'Ids that the sandbox knows.'),
      query: mapOf(text, 'Parameters as they stand in the query.'),
    }),
  }),
  Plan: object({ operation: text, group: text, steps: listOf(step) }),
  Reading: object({
    operation: about(textOrNull, 'null where the target is no route.'),
    status: about({ type: 'integer' }, 'What the public door would answer.'),
    reason: about(textOrNull, 'Why it failed, in the words of the log.'),
    retryAfterSec: about(wholeOrNull, 'When it may be asked again; null: not said.'),
    requestId: about(text, 'Of this request, also in the log.'),
    bytes: about(whole, 'Of `body`.'),
    tookMs: number,
    cost,
    asked: about(listOf(asked), 'Reads of the platform that were made for it, in order; none where others made them.'),
    body: about({ type: 'object' }, 'Byte for byte what the public door would send: the answer, or a refusal.'),
  }),
} as const
