// The acts that the audit knows, in words, and the ones to choose from. Others may come: they are shown as they are.

const actWords: Readonly<Record<string, string>> = {
  connections: 'All of connections',
  'connections.create': 'Adding a connection',
  'connections.replace': 'Replacing credentials',
  'connections.remove': 'Removing a connection',
  'connections.check': 'Trying a signing key',
  'connections.inspect': 'Looking at a private key',
  keys: 'All of keys',
  'keys.create': 'Making a key',
  'keys.reroll': 'Letting another key take over',
  'keys.revoke': 'Revoking a key',
  session: 'All of sessions',
  'session.begin': 'Signing in',
  'session.end': 'Signing out',
  vault: 'All of the vault',
  'vault.rotate': 'Beginning a rotation of master keys',
  'vault.rotated': 'Ending a rotation of master keys',
  audit: 'All of the audit',
  'audit.prune': 'Pruning old lines',
  doctor: 'All of the doctor',
  'doctor.examine': 'Beginning an examination',
  'doctor.stop': 'Stopping an examination',
  'operator.enter': 'Knocking where there is no operation',
  plan: 'Planning a read',
  read: 'Reading',
}

/** of acts that come into the audit only where they are refused */
const lookings: Readonly<Record<string, string>> = { list: 'Listing', show: 'Looking at', status: 'Asking after' }

export function wordsOf(act: string): string | undefined {
  const known = actWords[act]
  if (known !== undefined) return known
  const [subject, deed = ''] = act.split('.')
  const looking = lookings[deed]
  return looking && `${looking} ${subject}`
}

export const isKnownAct = (act: string): boolean => Object.hasOwn(actWords, act)

export const actChoices: readonly (readonly [value: string, label: string])[] = [
  ['', 'All acts'],
  ...Object.keys(actWords).map(
    (act) => [act, act.includes('.') ? act : `${act}${act in { read: 1, plan: 1 } ? '' : ' …'}`] as const,
  ),
]
