// Files of secrets that others on this machine can read, of those that the settings name.
import { statSync } from 'node:fs'
import { within } from './office.ts'
import type { Settings } from './settings.ts'

export interface OpenFile {
  readonly setting: string
  readonly file: string
}

/** platforms of containers hand a secret out as a file of root's, which a group of ours may read: that is who it is meant for */
function isOpen(path: string): boolean {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return false
  const readers = stat.uid === 0 && process.getuid?.() !== 0 ? 0o004 : 0o044
  return (stat.mode & readers) !== 0
}

/** without those of connections, which have a check of their own */
export function openFiles(settings: Settings, folder: string): OpenFile[] {
  const { masterKeysFile, operatorTokenFile, storePasswordFile, redisPasswordFile } = settings
  const named = Object.entries({ masterKeysFile, operatorTokenFile, storePasswordFile, redisPasswordFile })
  return named.flatMap(([setting, file]) =>
    file !== undefined && isOpen(within(folder, file)) ? [{ setting, file }] : [],
  )
}

export const openKeyFiles = ({ connections }: Settings, folder: string): OpenFile[] =>
  Object.entries(connections).flatMap(([id, { privateKeyFile: file }]) =>
    isOpen(within(folder, file)) ? [{ setting: `connections.${id}.privateKeyFile`, file }] : [],
  )
