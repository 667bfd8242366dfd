// `vitrine store …`: the schema brought up to date, the store looked over, the installation moved to another store.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { locate, vaultIn } from '../office.ts'
import { copyStore } from '../store/copy.ts'
import { inspectStore, migrateStore } from '../store/inspect.ts'
import { Complaint, orComplain } from './complaint.ts'
import { printJson, printRows, say, startProgress } from './output.ts'
import { type ConfigOption, loadSettings } from './settings-file.ts'

const locationOf = (options: ConfigOption): string => {
  const { settings, folder } = loadSettings(options)
  return locate(folder, settings.store)
}

export async function migrate(options: ConfigOption) {
  const { from, to } = await orComplain(() => migrateStore(locationOf(options)))
  printJson({ from, to })
  say(from === to ? `The schema is up to date (${to}).` : `The schema went from ${from} to ${to}.`)
}

export async function check(options: ConfigOption) {
  const { settings, folder, secrets } = loadSettings(options)
  const location = locate(folder, settings.store)
  const findings = await orComplain(async () => inspectStore(location, vaultIn(folder, settings, secrets)))
  const rows = findings.map(({ what, ok, detail }) => ({ what, ok: ok ? 'ok' : 'FAULT', detail }))
  printRows(rows, findings, 'Nothing was looked at.')
  const faults = findings.filter(({ ok }) => !ok).length
  if (faults > 0) throw new Complaint(`The store has ${faults === 1 ? 'a fault' : `${faults} faults`}.`)
}

export async function copy({ to, ...options }: ConfigOption & { to: string }) {
  if (/^postgres(ql)?:\/\/[^/@]*:[^/@]*@/i.test(to))
    throw new Complaint(
      '--to: a password in an argument can be read by everybody on this machine: use PGPASSWORD or a passfile.',
    )
  const [source, target] = [locationOf(options), locate(resolve('.'), to)]
  const file = /^sqlite:(.*)$/.exec(source)?.[1]
  if (file !== undefined && !existsSync(file)) throw new Complaint(`There is no store ${source} to copy.`)
  if (source === target) throw new Complaint('--to: it is the store itself. Name another place.')
  const bar = startProgress('rows copied')
  const copied = await orComplain(() =>
    copyStore(source, target, { onProgress: ({ done, of }) => bar.show(done, of) }),
  ).finally(bar.end)
  printJson(copied)
  say('Both stores hold the same now. Point the setting `store` at the new one, and start the service again.')
}
