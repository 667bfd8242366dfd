// Finds the settings file, and reads the settings from it and the environment.
import { statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type { Secrets } from '../core/located.ts'
import { readSettings, type Settings, variableOf } from '../settings.ts'
import { readSettingsFile, settingsUserError } from '../../../base/cli/settings-file.ts'
import { say } from '../../../base/cli/output.ts'
import { withPasswords } from './passwords.ts'

export interface ConfigOption {
  readonly config?: string
}

export interface Loaded {
  readonly settings: Settings
  /** relative paths start here */
  readonly folder: string
  readonly secrets: Secrets
  readonly file: string | undefined
  /** name of the file or variable that holds the connections */
  readonly settingsName: string | undefined
}

const standardFile = 'vitrine.json'
const namesConnections = variableOf('connections')

/** Removes secrets from the environment, where this process and its children could read them; empty means unset. */
function takeSecrets(env: NodeJS.ProcessEnv): Secrets {
  const {
    VITRINE_MASTER_KEYS: masterKeys,
    VITRINE_OPERATOR_TOKEN: operatorToken,
    VITRINE_OIDC_CLIENT_SECRET: secret,
  } = env
  delete env['VITRINE_MASTER_KEYS']
  delete env['VITRINE_OPERATOR_TOKEN']
  return {
    masterKeys: masterKeys || undefined,
    operatorToken: operatorToken || undefined,
    oidcClientSecret: secret || undefined,
  }
}

/** an unreadable folder may hold a settings file, which must not be ignored */
function mayBeThere(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}

export function loadSettings({ config }: ConfigOption): Loaded {
  const named = config ?? (process.env['VITRINE_CONFIG'] || undefined)
  const file = resolve(named ?? standardFile)
  const found = named !== undefined || mayBeThere(file)
  if (!found) say(`There is no settings file ${file}: using the defaults and the environment.`)
  const { tree, text } = found ? readSettingsFile(file) : { tree: {}, text: '{}' }
  try {
    const folder = dirname(file)
    const settings = withPasswords(readSettings(tree, process.env), folder)
    return {
      settings,
      folder,
      secrets: takeSecrets(process.env),
      file: found ? file : undefined,
      settingsName: namesConnections in process.env ? namesConnections : found ? basename(file) : undefined,
    }
  } catch (error) {
    throw settingsUserError(error, file, text)
  }
}
