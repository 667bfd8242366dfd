// The settings with their paths resolved: relative ones start at the folder of the settings file.
import { readFileSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { attempt } from '../../../base/core/attempt.ts'
import type { ManagedSettings } from '../connections/managed.ts'
import { openVault } from '../connections/vault-source.ts'
import type { Vault } from '../connections/vault.ts'
import type { Settings } from '../settings.ts'

/** secrets from the environment, which are no settings */
export interface Secrets {
  readonly masterKeys?: string | undefined
  readonly operatorToken?: string | undefined
  readonly oidcClientSecret?: string | undefined
}

export const within = (folder: string, path: string): string => (isAbsolute(path) ? path : resolve(folder, path))

export function locate(folder: string, store: string): string {
  const path = /^sqlite:(.*)$/.exec(store)?.[1]
  return path === undefined ? store : `sqlite:${within(folder, path)}`
}

interface Where {
  readonly folder: string
  readonly settingsName?: string | undefined
}

export function managedIn({ folder, settingsName }: Where, { connections }: Settings): ManagedSettings {
  const located = Object.entries(connections).map(([id, one]) => {
    const { privateKeyFile } = one
    const source = { settings: settingsName ?? null, privateKeyFile }
    return [id, { ...one, source, privateKeyFile: within(folder, privateKeyFile) }] as const
  })
  return Object.fromEntries(located)
}

export function kindOf(settings: Settings): 'test' | 'live' {
  // plain http means a platform on this machine: a sandbox
  return settings['upstream.baseUrl'].startsWith('http:') ? 'test' : 'live'
}

export const reachOf = (settings: Settings) => ({
  baseUrl: settings['upstream.baseUrl'],
  connectMs: settings['upstream.connectMs'],
  headersMs: settings['upstream.headersMs'],
  idleMs: settings['upstream.idleMs'],
  totalMs: settings['upstream.totalMs'],
  concurrency: settings['upstream.concurrency'],
  answerBytes: settings['limits.answerMegabytes'] * 1024 * 1024,
  privateAddresses: settings['upstream.privateAddresses'],
})

export const vaultIn = (folder: string, { masterKeysFile: file }: Settings, secrets: Secrets): Vault | undefined =>
  openVault({ file: file === undefined ? undefined : within(folder, file), text: secrets.masterKeys })

/** the file's current content; its faults were reported at the start */
export const passwordIn = (folder: string, { storePasswordFile: file }: Settings) =>
  file === undefined ? undefined : () => attempt(() => readFileSync(within(folder, file), 'utf8').replace(/\r?\n$/, ''))
