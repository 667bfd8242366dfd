// `atelier doctor`: the problems of the installation with their fixes. Exits with 1 if there are any.
import { printLine, say } from '../../../base/cli/output.ts'
import { examine } from '../doctor/examine.ts'
import { type ConfigOption, loadSettings } from './settings-file.ts'

export async function doctor(options: ConfigOption) {
  const { settings, folder } = loadSettings(options)
  const findings = await examine(settings, folder, process.env['ATELIER_OPERATOR_TOKEN'] || undefined)
  for (const { problem, fix } of findings) await printLine(`${problem}\n  Fix: ${fix}`)
  if (findings.length === 0) return say('No problems found.')
  process.exitCode = 1
}
