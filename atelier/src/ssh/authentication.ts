// Who may log in: a session, by its user name and its key. Every other way is refused.
import ssh2, { type PublicKeyAuthContext } from 'ssh2'
import { isId } from '../ids.ts'
import type { SshSessionRecord } from '../store/ssh-session-rows.ts'

/** the session whose name and key these are; the key may not be proven yet */
export async function findSession(
  { username, key, hashAlgo }: PublicKeyAuthContext,
  find: (id: string) => Promise<SshSessionRecord | undefined>,
): Promise<SshSessionRecord | undefined> {
  if (!isId('ssh', username)) return undefined
  const session = await find(username)
  const [type, base64 = ''] = session?.publicKey.split(' ') ?? []
  if (type !== key.algo || !key.data.equals(Buffer.from(base64, 'base64'))) return undefined
  // without a hash, an RSA signature is one of SHA-1
  return type === 'ssh-rsa' && hashAlgo === undefined ? undefined : session
}

export function isProven(
  { blob, signature, hashAlgo }: PublicKeyAuthContext,
  { publicKey }: SshSessionRecord,
): boolean {
  const key = ssh2.utils.parseKey(publicKey)
  if (key instanceof Error || !blob || !signature) return false
  // the types leave out that it answers an error for a malformed signature
  const answer: unknown = key.verify(blob, signature, hashAlgo)
  return answer === true
}
