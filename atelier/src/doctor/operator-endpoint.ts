// Whether the operator endpoint starts, and whether its tokens are the operator's alone.
import { resolve } from 'node:path'
import { openFiles } from '../../../base/core/secret-files.ts'
import { openTokens } from '../operator/operator-server.ts'
import type { Settings } from '../settings.ts'
import type { Finding } from './finding.ts'

/** `fixed`: the token of the environment */
export function examineOperatorEndpoint(settings: Settings, folder: string, fixed?: string): readonly Finding[] {
  const { operatorListen, operatorTokenFile } = settings
  if (operatorListen === 'off') return []
  const file = operatorTokenFile && resolve(folder, operatorTokenFile)
  const open = openFiles(file ? [{ file }] : [], folder).map((one) => ({
    problem: `Other users of this machine can read the operator's tokens in ${one.file}.`,
    fix: `chmod 600 ${one.file}, and replace the tokens.`,
  }))
  try {
    const { isConfigured } = openTokens(operatorListen, { fixed, file, observe: () => {} })
    if (isConfigured) return open
    const fix = 'openssl rand -hex 32 into the file of operatorTokenFile, or set operatorListen to off.'
    return [{ problem: 'The operator endpoint has no token, so it refuses every request.', fix }]
  } catch (error) {
    const fix = 'Put a token into the file of operatorTokenFile: openssl rand -hex 32 makes one.'
    return [...open, { problem: (error as Error).message, fix }]
  }
}
