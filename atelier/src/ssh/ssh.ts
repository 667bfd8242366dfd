// The SSH room: its sessions and its gateway, where the settings turn it on.
import { resolve } from 'node:path'
import type { Settings } from '../settings.ts'
import type { SshSessionRows } from '../store/ssh-session-rows.ts'
import type { ConnectionParts } from './connection.ts'
import { createSshGateway, type SshGateway } from './gateway.ts'
import { type HostKey, openHostKey } from './host-key.ts'
import { createSshSessions, type SshSessions } from './sessions.ts'

export interface Ssh {
  readonly hostKey: HostKey
  readonly sessions: SshSessions
  readonly gateway: SshGateway
}

/** undefined: the gateway is turned off. `folder`: where a relative path starts */
export const hostKeyOf = (settings: Settings, folder: string): HostKey | undefined =>
  settings['ssh.enabled'] ? openHostKey(resolve(folder, settings['ssh.hostKeyFile'])) : undefined

export interface SshOptions extends Omit<ConnectionParts, 'hostKey' | 'sessions'> {
  readonly hostKey: HostKey | undefined
  readonly rows: SshSessionRows
}

export function createSsh({ hostKey, rows, ...parts }: SshOptions): Ssh | undefined {
  if (!hostKey) return undefined
  const { containers, limits, now } = parts
  const sessions = createSshSessions({ rows, containers, most: limits.sshSessionsPerContainer, now })
  return { hostKey, sessions, gateway: createSshGateway({ hostKey, sessions, ...parts }) }
}
