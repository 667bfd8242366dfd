// Finds the settings file, and reads the settings from it and the environment.
import { isJsonObject } from '../../../base/core/json.ts'
import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type { Secrets } from '../core/located.ts'
import { readSettings, type Settings, variableOf } from '../settings.ts'
import { UserError } from '../../../base/cli/user-error.ts'
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

function parse(file: string): Record<string, unknown> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UserError(`The settings file ${file} cannot be read (${code}).`, { code })
  }
  try {
    const tree: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    if (isJsonObject(tree)) return tree
  } catch {
    throw new UserError(`The settings file ${file} is not JSON.`, { code: 'not_json' })
  }
  throw new UserError(`The settings file ${file} must hold one JSON object.`, { code: 'not_json' })
}

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
  const tree = found ? parse(file) : {}
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
    if (error instanceof UserError) throw error
    throw new UserError(`The settings are wrong:\n${(error as Error).message}`, { cause: error })
  }
}
