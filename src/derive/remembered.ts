// How remembered answers look in the description: the headers that they carry, and the answer to whoever has them already.
import type { Schema } from './schema.ts'

const where = 'Only where the operator lets answers be remembered'

export const rememberedHeaders: Schema = {
  ETag: { $ref: '#/components/headers/ETag' },
  Age: { $ref: '#/components/headers/Age' },
  'Cache-Status': { $ref: '#/components/headers/CacheStatus' },
}

/** components, by name */
export const rememberedHeaderSchemas: Schema = {
  ETag: { description: `Changes with the answer, for \`If-None-Match\`. ${where}.`, schema: { type: 'string' } },
  Age: {
    description: `Seconds since it was read. ${where}.`,
    schema: { type: 'integer', minimum: 0 },
  },
  CacheStatus: { description: `Whether the answer was remembered, by RFC 9211. ${where}.`, schema: { type: 'string' } },
}

export const unchanged = (headers: Schema): Schema => ({
  description: `The answer is still the one that \`If-None-Match\` names. ${where}.`,
  headers: { ...headers, ...rememberedHeaders },
})
