// Finds the settings file, and reads the settings from it and the environment.
import { dirname, resolve } from 'node:path'
import { UserError } from '../../../base/cli/user-error.ts'
import { readSettingsFile, settingsUserError, type SettingsText } from '../../../base/cli/settings-file.ts'
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

function readFile(file: string, isNamed: boolean): SettingsText {
  try {
    return readSettingsFile(file)
  } catch (error) {
    // everything may stand in the environment
    if (!isNamed && error instanceof UserError && error.code === 'ENOENT') return { tree: {}, text: '{}' }
    throw error
  }
}

export function loadSettings({ config }: ConfigOption): Loaded {
  const named = config ?? (process.env['ATELIER_CONFIG'] || undefined)
  const file = resolve(named ?? standardFile)
  const { tree, text } = readFile(file, named !== undefined)
  try {
    return { settings: readSettings(tree, process.env), folder: dirname(file) }
  } catch (error) {
    throw settingsUserError(error, file, text)
  }
}
