// The schemas of the explorer's answers: forms of the routes, plans, and reads with their cost.
import {
  about,
  anyObject,
  type AnswerOf,
  type AnswerSchema,
  flag,
  integer,
  listOf,
  mapOf,
  object,
  oneOf,
  oneOfOrNull,
  partly,
  ref,
  text,
  textOrNull,
  whole,
  yes,
} from '../../../base/operations/schema.ts'

const number: AnswerSchema<number> = { type: 'number', minimum: 0 }
const wholeOrNull: AnswerSchema<number | null> = { type: ['integer', 'null'], minimum: 0 }
const pattern = about(text, 'What each value looks like, as a regular expression with the flag `u`.')

const idForm = partly(
  { name: text, description: text, pattern },
  { from: about(text, 'The operation that lists such ids; absent: none does.') },
)

const kinds = oneOf(['choice', 'choices', 'text', 'texts', 'integer', 'fields', 'cursor'])

const parameterForm = partly(
  {
    name: text,
    description: text,
    kind: about(kinds, '`choices`, `texts` and `fields` take several values, separated by commas.'),
    required: flag,
  },
  {
    values: about(listOf(text), 'The known values.'),
    open: about(yes, 'Other values are taken too.'),
    unique: about(yes, 'No value twice, with or without a leading `-`.'),
    minimum: integer,
    maximum: integer,
    standard: about(text, 'The default.'),
    most: about(whole, 'How many values at most.'),
    pattern,
  },
)

const fieldForm = partly(
  {
    name: text,
    description: text,
    type: about(text, 'What it holds, in words.'),
    kind: about(oneOf(['attribute', 'linkage']), 'A linkage is the id of something else.'),
  },
  {
    image: about(
      oneOf(['url', 'template', 'list']),
      'It holds addresses of images. `url`: an object whose `url` is the address. `template`: an object whose `templateUrl` has `{w}`, `{h}` and `{f}` in it, for width, height and format. `list`: a list of such objects.',
    ),
  },
)

const step = partly(
  {
    purpose: text,
    get: about(text, 'Path at the platform; a name in braces is what the step before looks up.'),
    query: about(mapOf(text), 'Parameters by name.'),
    accept: text,
  },
  { looksFor: about(text, 'What a lookup compares, byte for byte.') },
)

const cost = object({
  calls: about(whole, 'Platform calls.'),
  retries: about(whole, 'Of these, retries.'),
  shared: about(whole, 'Reads that shared the call of another request.'),
  waitedMs: about(number, 'Waiting in the queue for the platform.'),
  platformMs: about(number, 'Waiting for the platform.'),
  cache: about(oneOfOrNull(['hit', 'miss']), 'null: such an answer is not cached.'),
})

const asked = object({
  purpose: text,
  get: about(text, 'Path and query, as they went to the platform.'),
  accept: text,
  tookMs: number,
  status: about(wholeOrNull, "The platform's status; null where it gave none, or another request got it."),
  code: about(textOrNull, 'null for a document, and while under way.'),
})

const form = object({
  operation: text,
  group: text,
  summary: text,
  description: about(text, 'Empty where the summary is all.'),
  path: about(text, 'Below the connection, with names in braces.'),
  isList: flag,
  ids: about(listOf(idForm), 'The ids of the path, by name.'),
  parameters: about(listOf(parameterForm), 'What the query takes.'),
  fields: about(listOf(fieldForm), 'What an item holds beside its id.'),
  example: object({
    ids: about(mapOf(text), 'Ids that the sandbox knows.'),
    query: about(mapOf(text), 'Parameters as they stand in the query.'),
  }),
})

export const readingSchemas = {
  Forms: object({ items: listOf(ref<AnswerOf<typeof form>>('Form')) }),
  Form: form,
  Plan: object({ operation: text, group: text, steps: listOf(step) }),
  Reading: object({
    operation: about(textOrNull, 'null where the target is no route.'),
    status: about(integer, 'The status that the public endpoint would answer with.'),
    reason: about(textOrNull, 'Why it failed, in the words of the log.'),
    retryAfterSec: about(wholeOrNull, 'When to retry; null: not known.'),
    requestId: about(text, 'Of this request, also in the log.'),
    bytes: about(whole, 'Of `body`.'),
    tookMs: number,
    cost,
    asked: about(listOf(asked), 'The platform calls that it made, in order; empty if it shared those of others.'),
    body: about(anyObject, 'Byte for byte what the public endpoint would send: the answer, or a refusal.'),
  }),
}
