// What a round of checks is about: the settings as they were read, and what the checks find out for those after them.
import type { Vault } from '../connections/vault.ts'
import type { Secrets } from '../office.ts'
import type { Settings } from '../settings.ts'
import type { Look } from '../store/look.ts'
import type { ConnectionRecord } from '../store/records.ts'

export interface Own {
  readonly settings: Settings
  /** relative paths in the settings start here */
  readonly folder: string
  readonly secrets: Secrets
  /** undefined where there is none */
  readonly file: string | undefined
  /** set in a service that looks itself over: where it listens, as URLs */
  readonly listening?: readonly string[] | undefined
  /** a start is to come: what has one already is told */
  readonly starting?: true | undefined
}

export interface Patient extends Own {
  look: Look | undefined
  /** whether its rows can be asked for: it is sound, and of this version's schema */
  sound: boolean
  /** undefined also where there are no master keys */
  vault: Vault | undefined
  /** hosted connections by id */
  readonly hosted: Map<string, ConnectionRecord>
  /** those that do not open, with the reason */
  readonly closed: Map<string, string>
  /** whether it is known which ones the store holds */
  isCounted: boolean
}
