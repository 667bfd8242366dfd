// The schemas of requests that several routes share.
import type { DescribedSchema } from '../api/route.ts'

export const nameSchema = {
  type: 'string',
  pattern: '^[a-z0-9][a-z0-9._-]{0,62}$',
  description: 'Small letters, digits, `.`, `_` and `-`; at most 63 characters, the first a letter or digit.',
} as const

export const orNull = (schema: DescribedSchema): DescribedSchema => ({ ...schema, type: [schema.type, 'null'] })

export const commandSchema = {
  type: 'array',
  description: 'The argv, exactly: 1 to 256 texts without NUL, the first not empty, 128 KiB in all. No shell is added.',
  minItems: 1,
  maxItems: 256,
  items: { type: 'string', pattern: '^[^\\0]*$' },
} as const

/** the service's own variables begin with ATELIER_ */
export const envSchema = {
  type: 'object',
  description:
    'Environment: at most 128 variables, values without NUL, 128 KiB in all. Names beginning with ATELIER_ are reserved.',
  maxProperties: 128,
  propertyNames: { type: 'string', pattern: '^(?!ATELIER_)[A-Za-z_][A-Za-z0-9_]*$', maxLength: 256 },
  additionalProperties: { type: 'string', pattern: '^[^\\0]*$' },
} as const

export const directorySchema = {
  type: 'string',
  pattern: '^/[^\\0]*$',
  description: 'An absolute path without empty, `.` or `..` segments.',
} as const

const id = '(0|[1-9]\\d{0,2}|10[01]\\d|102[0-3])'
export const userSchema = {
  type: 'string',
  pattern: `^${id}(:${id})?$`,
  description: '`uid` or `uid:gid`, each from 0 to 1023.',
} as const

export const labelsSchema = {
  type: 'object',
  description:
    'At most 32 labels; names of small letters, digits, `.`, `_`, `/` and `-`, none beginning with `atelier.`; values of at most 256 characters.',
  maxProperties: 32,
  propertyNames: { type: 'string', pattern: '^(?!atelier\\.)[a-z0-9][a-z0-9._/-]{0,62}$' },
  additionalProperties: { type: 'string', maxLength: 256 },
} as const

export const idSchema = { type: 'string', minLength: 1, maxLength: 200 } as const
