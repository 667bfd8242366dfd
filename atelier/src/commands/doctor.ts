// `atelier doctor`: the problems of the installation with their fixes. Exits with 1 if there are any.
import { printLine, say } from '../../../base/cli/output.ts'
import type { Finding } from '../doctor/finding.ts'
import { examine } from '../doctor/examine.ts'
import { type ConfigOption, loadSettings } from './settings-file.ts'

export async function doctor(options: ConfigOption) {
  const { settings, folder } = loadSettings(options)
  const operatorToken = process.env['ATELIER_OPERATOR_TOKEN'] || undefined
  const findings = await examine(settings, folder, { operatorToken })
  const line = ({ problem, fix, isAdvice = false }: Finding) => `${isAdvice ? 'Advice: ' : ''}${problem}\n  Fix: ${fix}`
  for (const finding of findings) await printLine(line(finding))
  if (findings.every(({ isAdvice }) => isAdvice)) return say('No problems found.')
  process.exitCode = 1
}
