// Reads a settings file, and says at which line and column of it something is wrong.
import { readFileSync } from 'node:fs'
import { attempt } from '../core/attempt.ts'
import { isJsonObject } from '../core/json.ts'
import { findJsonPlaces, type JsonPlaces, type TextPlace } from '../core/json-places.ts'
import { type SettingFault, SettingsError } from '../core/settings-reader.ts'
import { UserError } from './user-error.ts'

export interface SettingsText {
  readonly tree: Record<string, unknown>
  readonly text: string
}

const shown = (file: string, { line, column }: TextPlace): string => `${file}:${line}:${column}`

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\ufeff/, '')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UserError(`The settings file ${file} cannot be read (${code}).`, { code })
  }
}

/** throws a UserError with the code of the failure, or `not_json` */
export function readSettingsFile(file: string): SettingsText {
  const text = readText(file)
  const parsed = attempt(() => ({ tree: JSON.parse(text) as unknown }))
  if (isJsonObject(parsed?.tree)) return { tree: parsed.tree, text }
  const fault = parsed ? undefined : findJsonPlaces(text).fault
  const where = fault ? `${shown(file, fault)}: the settings file` : `The settings file ${file}`
  const what = parsed ? 'must hold one JSON object' : `is not JSON${fault ? `: ${fault.reason}` : ''}`
  throw new UserError(`${where} ${what}.`, { code: 'not_json' })
}

/** the whole path of the value at fault, where the file has it, or the nearest one around it */
function placeOf({ name, names = [], unknown }: SettingFault, { nameAt, valueAt }: JsonPlaces): TextPlace | undefined {
  const placeAt = unknown === 'setting' ? nameAt : valueAt
  for (let depth = names.length; depth > 0; depth--) {
    const place = placeAt(names.slice(0, depth))
    if (place) return place
  }
  // `"a.b": 1` stands for `"a": {"b": 1}`
  return names.length > 0 ? placeAt([name]) : undefined
}

/** the refusal of settings, with the places of the faults that stand in this file */
export function settingsUserError(error: unknown, file: string, text: string): UserError {
  if (error instanceof UserError) return error
  const places = error instanceof SettingsError ? findJsonPlaces(text) : undefined
  const cause =
    error instanceof SettingsError && places
      ? new SettingsError(
          error.faults.map((fault) => {
            const place = placeOf(fault, places)
            return place ? { ...fault, place: shown(file, place) } : fault
          }),
        )
      : error
  return new UserError(`The settings are wrong:\n${(cause as Error).message}`, { cause })
}
