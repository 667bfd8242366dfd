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
  const tree: unknown = attempt(() => JSON.parse(text))
  if (isJsonObject(tree)) return { tree, text }
  const { fault } = findJsonPlaces(text)
  const message = fault
    ? `${shown(file, fault)}: the settings file is not JSON: ${fault.reason}.`
    : `The settings file ${file} must hold one JSON object.`
  throw new UserError(message, { code: 'not_json' })
}

/** the whole path of the value at fault, where the file has it, or the nearest one around it */
function placeOf({ names, unknown }: SettingFault, { nameAt, valueAt }: JsonPlaces): TextPlace | undefined {
  for (let depth = names?.length ?? 0; depth > 0; depth--) {
    const path = names?.slice(0, depth) ?? []
    const place = unknown === 'setting' ? nameAt(path) : valueAt(path)
    if (place) return place
  }
  return undefined
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
