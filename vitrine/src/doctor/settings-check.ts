// Checks that the settings can be read, with the nearest name for a wrong one, and that Node.js is new enough.
import { version } from '../version.ts'
import { secretFilesOf } from '../settings.ts'
import { type SettingFault, SettingsError } from '../../../base/core/settings-reader.ts'
import { fail, ok, type Verdict, warn } from './finding.ts'
import { openFiles } from '../../../base/core/secret-files.ts'
import type { DoctorInput } from './installation.ts'

/** the fault without a list of all names, and what to write instead */
function judgeFault(fault: SettingFault): { cause: string; cure: string | undefined } {
  const { name, unknown, nearest, message, place } = fault
  const at = place === undefined ? name : `${place}: ${name}`
  if (unknown === undefined) return { cause: `${at}: ${message}`, cure: undefined }
  return {
    cause: `${at}: there is no such ${unknown}`,
    cure: nearest === undefined ? `Remove ${name}.` : `Write ${nearest} instead of ${name}.`,
  }
}

const asUser = 'Run this as the user of the service, and let that user read the file and its folder.'
/** of a file that could not be read as JSON, by the code of the error */
const ofFile: Readonly<Record<string, string>> = {
  ENOENT: 'Name the file in --config or VITRINE_CONFIG, or write one as shown in the README.',
  EACCES: asUser,
  EPERM: asUser,
  EISDIR: 'Name the file in that folder.',
  not_json: 'Write it as JSON in UTF-8: one object, without comments, and without a comma after the last entry.',
}

export function judgeWrongSettings(error: Error): Verdict {
  const judged =
    error.cause instanceof SettingsError
      ? error.cause.faults.map(judgeFault)
      : [{ cause: error.message.replaceAll('\n', '; '), cure: undefined }]
  const { code = '' } = error as { code?: string }
  const cures = judged.flatMap(({ cure }) => cure ?? [])
  const cure = ofFile[code] ?? [...cures, 'Every setting is in docs/reference/settings.md.'].join(' ')
  return fail('The settings cannot be used.', { cause: judged.map(({ cause }) => cause).join('; '), cure })
}

export function judgeReadSettings({ file, settings, folder, starting }: DoctorInput): Verdict {
  const open = starting ? openFiles(secretFilesOf(settings), folder) : []
  if (open.length > 0)
    return warn('Other users of this machine can read secrets.', {
      cause: open.map((one) => `${one.setting} (${one.file}) is readable for them`).join('; '),
      cure: `chmod 600 ${open.map((one) => one.file).join(' ')}`,
    })
  return ok(
    file === undefined ? 'There is no settings file: defaults and the environment apply.' : `Read from ${file}.`,
  )
}

const [leastMajor, leastMinor] = [24, 15]

/** `node`: as in `process.version` */
export function judgeVersion(node: string): Verdict {
  const [major = 0, minor = 0] = node.replace(/^v/, '').split('.').map(Number)
  const isFit = major > leastMajor || (major === leastMajor && minor >= leastMinor)
  if (isFit) return ok(`Vitrine ${version} runs under Node.js ${node.replace(/^v/, '')}.`)
  return fail(`Node.js ${node.replace(/^v/, '')} is too old for Vitrine ${version}.`, {
    cure: `Install Node.js ${leastMajor}.${leastMinor} or newer, or name one in VITRINE_NODE.`,
  })
}
