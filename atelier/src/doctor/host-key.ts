// Examines the host key of the SSH gateway. The first start makes a missing one.
import { accessSync, constants, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { readHostKey } from '../ssh/host-key.ts'
import type { Finding } from './finding.ts'

const { W_OK, X_OK } = constants
const advice =
  'Give it to the user of the service with mode 0600, or put it back from the backup. With another key SSH clients warn that the host has changed.'

function canBeMade(file: string): boolean {
  let folder = dirname(file)
  while (!statSync(folder, { throwIfNoEntry: false }) && folder !== dirname(folder)) folder = dirname(folder)
  accessSync(folder, W_OK | X_OK)
  return statSync(folder).isDirectory()
}

export function examineHostKey(file: string): Finding[] {
  try {
    if (readHostKey(file)) return []
  } catch (error) {
    return [{ problem: (error as Error).message, fix: advice }]
  }
  const fix = `Let the user of the service write to ${dirname(file)}, or put the key back from the backup.`
  const finding = { problem: `ssh.hostKeyFile: ${file} is missing, and the service cannot make it.`, fix }
  try {
    return canBeMade(file) ? [] : [finding]
  } catch {
    return [finding]
  }
}
