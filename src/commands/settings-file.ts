// Finds the settings file, and reads settings from it and the environment.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { readSettings, type Settings } from '../settings.ts'
import { Complaint } from './complaint.ts'
import { say } from './output.ts'

export interface ConfigOption {
  readonly config?: string
}

export interface Loaded {
  readonly settings: Settings
  /** relative paths in the settings start here */
  readonly folder: string
}

const standardFile = 'vitrine.json'

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

export function loadSettings({ config }: ConfigOption): Loaded {
  const named = config ?? (process.env['VITRINE_CONFIG'] || undefined)
  const file = resolve(named ?? standardFile)
  const found = named !== undefined || existsSync(file)
  if (!found) say(`There is no settings file ${file}: defaults and the environment count.`)
  const tree = found ? parse(file) : {}
  try {
    return { settings: readSettings(tree, process.env), folder: dirname(file) }
  } catch (error) {
    throw new Complaint(`The settings are wrong:\n${(error as Error).message}`, { cause: error })
  }
}
