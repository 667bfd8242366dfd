// Finds the settings file, and reads settings from it and the environment.
import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import type { Secrets } from '../office.ts'
import { readSettings, type Settings, variableOf } from '../settings.ts'
import { Complaint } from './complaint.ts'
import { say } from './output.ts'
import { withPasswords } from './passwords.ts'

export interface ConfigOption {
  readonly config?: string
}

export interface Loaded {
  readonly settings: Settings
  /** relative paths in the settings start here */
  readonly folder: string
  readonly secrets: Secrets
  /** undefined where there is none */
  readonly file: string | undefined
  /** of that file, or of the variable, that names the connections */
  readonly settingsName: string | undefined
}

const standardFile = 'vitrine.json'
const namesConnections = variableOf('connections')

function parse(file: string): Record<string, unknown> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new Complaint(`The settings file ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
  try {
    const tree: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    if (typeof tree === 'object' && tree !== null && !Array.isArray(tree)) return tree as Record<string, unknown>
  } catch {
    throw new Complaint(`The settings file ${file} is not JSON.`)
  }
  throw new Complaint(`The settings file ${file} must hold one JSON object.`)
}

/** Taken out of the environment, where whatever runs in this process or below it could find them. An empty one is not set. */
function takeSecrets(env: NodeJS.ProcessEnv): Secrets {
  const { VITRINE_MASTER_KEYS: masterKeys, VITRINE_OPERATOR_TOKEN: operatorToken } = env
  delete env['VITRINE_MASTER_KEYS']
  delete env['VITRINE_OPERATOR_TOKEN']
  return { masterKeys: masterKeys || undefined, operatorToken: operatorToken || undefined }
}

/** a folder that is closed to this user may well hold one, which must not be passed over */
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
  if (!found) say(`There is no settings file ${file}: defaults and the environment count.`)
  const tree = found ? parse(file) : {}
  try {
    const folder = dirname(file)
    const settings = withPasswords(readSettings(tree, process.env), folder)
    return {
      ...{ settings, folder, secrets: takeSecrets(process.env), file: found ? file : undefined },
      settingsName: namesConnections in process.env ? namesConnections : found ? basename(file) : undefined,
    }
  } catch (error) {
    if (error instanceof Complaint) throw error
    throw new Complaint(`The settings are wrong:\n${(error as Error).message}`, { cause: error })
  }
}
