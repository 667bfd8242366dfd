// Who may do what: a role of an operator whom a provider names. The holder of an operator token may do everything.

/** each may do what those before it may */
export const roles = ['viewer', 'keyManager', 'administrator'] as const
export type Role = (typeof roles)[number]

interface Ruled {
  readonly method: string
  readonly tag: string
}

const ofViewers: ReadonlySet<string> = new Set(['session', 'reads'])

export function neededRole({ method, tag }: Ruled): Role {
  if (method === 'GET' || ofViewers.has(tag)) return 'viewer'
  return tag === 'keys' ? 'keyManager' : 'administrator'
}

const isRole = (text: string): text is Role => roles.includes(text as Role)

export function roleOf(session: { readonly role: string | undefined } | undefined): Role {
  const { role = 'administrator' } = session ?? {}
  // of a newer version: the least
  return isRole(role) ? role : 'viewer'
}

/** personal data is for roles that may create a key with the grant `personal` */
export const showsPersonal = (session: Parameters<typeof roleOf>[0]): boolean => roleOf(session) !== 'viewer'

export const mayDo = (role: Role, operation: Ruled): boolean =>
  roles.indexOf(role) >= roles.indexOf(neededRole(operation))
