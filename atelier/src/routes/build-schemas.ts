// What a build takes from its caller, as schemas.
import { labelsSchema, nameSchema } from './schemas.ts'

const specProperties = {
  name: nameSchema,
  dockerfile: { type: 'string', minLength: 1, description: 'One stage, at most 100 steps, 64 KiB.' },
  buildArgs: {
    type: 'object',
    maxProperties: 100,
    additionalProperties: { type: 'string', pattern: '^[^\\0]*$', maxLength: 65_536 },
  },
  labels: labelsSchema,
  timeoutSeconds: { type: 'integer', minimum: 1, maximum: 900, default: 900 },
  noCache: {
    type: 'boolean',
    default: false,
    description:
      'Addition to the contract: perform every step, and keep its result in place of an earlier one. Without it, first steps that are the same as in an earlier build of the account may be taken from the cache.',
  },
} as const

const fileSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['path', 'contentBase64'],
  properties: {
    path: { type: 'string', minLength: 1, maxLength: 4_096 },
    mode: { type: 'string', pattern: '^0?[0-7]{3}$' },
    contentBase64: { type: 'string' },
  },
} as const

/** the part of a form */
export const partSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['name', 'dockerfile'],
  properties: specProperties,
} as const
/** the whole of a JSON body */
export const specSchema = {
  ...partSchema,
  properties: { ...specProperties, files: { type: 'array', maxItems: 20_000, items: fileSchema } },
} as const
