// The installation under check: its settings, and what checks found out for later ones.
import type { Vault } from '../connections/vault.ts'
import type { Secrets } from '../core/located.ts'
import type { OutboundFacts } from '../platform/proxy/outbound.ts'
import type { Settings } from '../settings.ts'
import type { ReadOnlyStore } from '../store/read-only.ts'
import type { ConnectionRecord } from '../store/records.ts'

export interface DoctorInput {
  readonly settings: Settings
  /** base of relative paths in the settings */
  readonly folder: string
  readonly secrets: Secrets
  /** the settings file */
  readonly file: string | undefined
  /** set inside a running service: the URLs at which it listens */
  readonly listening?: readonly string[] | undefined
  /** set before a start: a service that runs already is reported */
  readonly starting?: true | undefined
}

export interface Installation extends DoctorInput {
  /** undefined until it was read */
  outbound: OutboundFacts | undefined
  openStore: ReadOnlyStore | undefined
  isSchemaCurrent: boolean
  /** undefined without master keys */
  vault: Vault | undefined
  /** hosted connections by id */
  readonly hosted: Map<string, ConnectionRecord>
  /** hosted connections whose credential cannot be decrypted, with the reason */
  readonly unreadable: Map<string, string>
  /** whether all hosted connections are known */
  isStoreRead: boolean
}
