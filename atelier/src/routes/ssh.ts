// Route 7: SSH sessions.
import type { Answer } from '../api/route.ts'
import { refuse } from '../problems.ts'
import type { Settings } from '../settings.ts'
import type { HostKey } from '../ssh/host-key.ts'
import { type SshWish, standardTtlSeconds } from '../ssh/sessions.ts'
import type { Ssh } from '../ssh/ssh.ts'
import type { SshSessionRecord } from '../store/ssh-session-rows.ts'
import { idSchema } from './schemas.ts'
import { defineRoute } from './service.ts'

const sshSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['containerId'],
  properties: {
    containerId: idSchema,
    publicKey: {
      type: ['string', 'null'],
      description:
        'One line of ssh-ed25519, ecdsa-sha2-nistp256, -384 or -521, or ssh-rsa of 3072 bits or more, without options. Without it the service makes a key pair and shows `privateKey` once.',
    },
    ttlSeconds: { type: 'integer', minimum: 60, maximum: 3_600, default: standardTtlSeconds },
  },
} as const

function requireSsh(ssh: Ssh | undefined): Ssh {
  if (!ssh) throw refuse('no_capacity', { reason: 'the SSH gateway is turned off' })
  return ssh
}

interface Opened {
  readonly session: SshSessionRecord
  readonly privateKey: string | null
  readonly hostKey: HostKey
  readonly settings: Settings
}

function openedAnswer({ session, privateKey, hostKey, settings }: Opened): Answer {
  const { 'ssh.publicHost': host, 'ssh.publicPort': port } = settings
  return {
    status: 201,
    body: {
      sessionId: session.id,
      containerId: session.container,
      host,
      port,
      username: session.id,
      hostKey: hostKey.publicKey,
      hostKeyFingerprint: hostKey.fingerprint,
      privateKey,
      expiresAt: new Date(session.endsAt).toISOString(),
      command: `ssh -p ${port} ${session.id}@${host}`,
    },
    secrets: ['privateKey'],
  }
}

export const createSshSession = defineRoute<{}, SshWish>({
  method: 'POST',
  path: '/containers/ssh',
  operationId: 'createSshSession',
  tag: 'containers',
  summary: 'Open an SSH session in a container',
  description:
    'The session takes this one key and user name. It ends at `expiresAt`, with its container, and with the API key that made it; open connections are closed then. A connection has at most 4 channels at once.',
  credential: 'key',
  scope: 'ssh',
  isForKeysAlone: true,
  body: { schema: sshSchema, example: { containerId: 'ct_…', ttlSeconds: 600 } },
  makes: 'ssh',
  answers: { 201: { json: 'SshSession', description: 'It can be used at once.' } },
  refusals: ['invalid_public_key', 'container_not_found', 'container_not_running', 'ssh_limit', 'no_capacity'],
  async run({ caller: { account, keyId = '' }, body, madeId: id, exchange }, { ssh, settings }): Promise<Answer> {
    const { sessions, hostKey } = requireSsh(ssh)
    const { session, privateKey } = await sessions.create({ id, account, keyId }, body)
    exchange.record.target = id
    return openedAnswer({ session, privateKey, hostKey, settings })
  },
  async recall({ madeId }, { ssh, settings }) {
    const { sessions, hostKey } = requireSsh(ssh)
    const session = await sessions.find(madeId)
    return session && openedAnswer({ session, privateKey: null, hostKey, settings })
  },
})
