// `vitrine store …`: migrates the schema, checks the store, copies the installation to another store.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { locate, vaultIn } from '../core/located.ts'
import { copyStore } from '../store/copy.ts'
import { inspectStore, migrateStore } from '../store/inspect.ts'
import { UserError, asUserError } from '../../../base/cli/user-error.ts'
import { printJson, printRows, say, startProgress } from '../../../base/cli/output.ts'
import { type ConfigOption, loadSettings } from './settings-file.ts'

const locationOf = (options: ConfigOption): string => {
  const { settings, folder } = loadSettings(options)
  return locate(folder, settings.store)
}

export async function migrate(options: ConfigOption) {
  const { from, to } = await asUserError(() => migrateStore(locationOf(options)))
  printJson({ from, to })
  say(from === to ? `The schema is up to date (${to}).` : `The schema was migrated from ${from} to ${to}.`)
}

export async function check(options: ConfigOption) {
  const { settings, folder, secrets } = loadSettings(options)
  const location = locate(folder, settings.store)
  const findings = await asUserError(async () => inspectStore(location, vaultIn(folder, settings, secrets)))
  const rows = findings.map(({ what, ok, detail }) => ({ what, ok: ok ? 'ok' : 'FAULT', detail }))
  printRows(rows, findings, 'Nothing was checked.')
  const faults = findings.filter(({ ok }) => !ok).length
  if (faults > 0) throw new UserError(`The store has ${faults === 1 ? 'a fault' : `${faults} faults`}.`)
}

export async function copy({ to, ...options }: ConfigOption & { to: string }) {
  if (/^postgres(ql)?:\/\/[^/@]*:[^/@]*@/i.test(to))
    throw new UserError(
      '--to: other users of this machine can read a password in an argument: use PGPASSWORD or a passfile.',
    )
  const [source, target] = [locationOf(options), locate(resolve('.'), to)]
  const file = /^sqlite:(.*)$/.exec(source)?.[1]
  if (file !== undefined && !existsSync(file)) throw new UserError(`There is no store ${source} to copy.`)
  if (source === target) throw new UserError('--to: this is the store itself. Name another one.')
  const bar = startProgress('rows copied')
  const copied = await asUserError(() =>
    copyStore(source, target, { onProgress: ({ done, of }) => bar.show(done, of) }),
  ).finally(bar.end)
  printJson(copied)
  say('Both stores are equal now. Change the setting `store` to the new one, and restart the service.')
}
