// Connections that the operator keeps in the settings. Hosted ones will stand beside them behind the same `find`.
import type { BoundGet } from '../engine/port.ts'
import type { ConnectionSettings } from '../settings.ts'
import { type Credential, readKeyFile } from './credential.ts'

export interface Connection {
  readonly id: string
  /** whether to-one relationships are asked for */
  readonly linkage: boolean
  readonly get: BoundGet
}

export interface Connections {
  find(id: string): Connection | undefined
  ids(): string[]
}

/** Throws one Error that names every connection whose key cannot be used. */
export function openManaged(
  settings: Readonly<Record<string, ConnectionSettings>>,
  bind: (credential: Credential) => BoundGet,
): Connections {
  // a Map, so that no id resembles a member of an object
  const connections = new Map<string, Connection>()
  const wrong: string[] = []
  for (const [id, { keyId, issuerId, privateKeyFile, linkage }] of Object.entries(settings)) {
    try {
      const credential = { keyId, key: readKeyFile(privateKeyFile), ...(issuerId !== undefined && { issuerId }) }
      connections.set(id, { id, linkage: linkage === 'asked', get: bind(credential) })
    } catch (error) {
      wrong.push(`connections.${id}.privateKeyFile (${privateKeyFile}): ${(error as Error).message}`)
    }
  }
  if (wrong.length > 0) throw new Error(wrong.join('\n'))
  return { find: (id) => connections.get(id), ids: () => [...connections.keys()] }
}
