// Finds the settings file, and reads the settings from it and the environment.
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { UserError } from '../../../base/cli/user-error.ts'
import { isJsonObject } from '../../../base/core/json.ts'
import { readSettings, type Settings } from '../settings.ts'

export interface ConfigOption {
  readonly config?: string
}

export interface Loaded {
  readonly settings: Settings
  /** relative paths start here */
  readonly folder: string
}

const standardFile = 'atelier.json'

function readTree(file: string, isNamed: boolean): Record<string, unknown> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // everything may stand in the environment
    if (code === 'ENOENT' && !isNamed) return {}
    throw new UserError(`The settings file ${file} cannot be read (${code}).`)
  }
  try {
    const tree: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    if (isJsonObject(tree)) return tree
  } catch {
    throw new UserError(`The settings file ${file} is not JSON.`)
  }
  throw new UserError(`The settings file ${file} must hold one JSON object.`)
}

export function loadSettings({ config }: ConfigOption): Loaded {
  const named = config ?? (process.env['ATELIER_CONFIG'] || undefined)
  const file = resolve(named ?? standardFile)
  const tree = readTree(file, named !== undefined)
  try {
    return { settings: readSettings(tree, process.env), folder: dirname(file) }
  } catch (error) {
    throw new UserError(`The settings are wrong:\n${(error as Error).message}`, { cause: error })
  }
}
