// What a key may do.

export const scopes = [
  'containers:read',
  'containers:write',
  'exec',
  'files',
  'ssh',
  'images:read',
  'images:write',
] as const

export type Scope = (typeof scopes)[number]
