// The actions in the audit log, in words, and the ones to choose from. Others are shown as they are.

const actionWords: Readonly<Record<string, string>> = {
  connections: 'All connection actions',
  'connections.create': 'Add a connection',
  'connections.replace': 'Replace credentials',
  'connections.remove': 'Remove a connection',
  'connections.check': 'Check a signing key',
  'connections.inspect': 'Inspect a private key',
  keys: 'All key actions',
  'keys.create': 'Create a key',
  'keys.reroll': 'Reroll a key',
  'keys.revoke': 'Revoke a key',
  session: 'All session actions',
  'session.begin': 'Sign in',
  'session.leave': 'Go to the provider',
  'session.return': 'Come back from the provider',
  'session.end': 'Sign out',
  vault: 'All vault actions',
  'vault.rotate': 'Start a master key rotation',
  'vault.rotated': 'Finish a master key rotation',
  audit: 'All audit log actions',
  'audit.prune': 'Prune old entries',
  doctor: 'All doctor actions',
  'doctor.examine': 'Start the doctor',
  'doctor.stop': 'Stop the doctor',
  'operator.enter': 'Call an unknown operation',
  plan: 'Plan a read',
  read: 'Read',
}

/** recorded only where they are refused */
const viewing: Readonly<Record<string, string>> = { list: 'List', show: 'View', status: 'Get the status of' }

export function wordsOf(action: string): string | undefined {
  const known = actionWords[action]
  if (known !== undefined) return known
  const [subject, verb = ''] = action.split('.')
  return viewing[verb] && `${viewing[verb]} ${subject}`
}

export const isKnownAction = (action: string): boolean => Object.hasOwn(actionWords, action)

const labelOf = (action: string): string =>
  action.includes('.') || action === 'read' || action === 'plan' ? action : `${action} …`

export const actionChoices: Readonly<Record<string, string>> = {
  '': 'All actions',
  ...Object.fromEntries(Object.keys(actionWords).map((action) => [action, labelOf(action)])),
}
