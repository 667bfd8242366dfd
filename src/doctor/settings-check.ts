// Whether the settings can be read, with the name that a wrong one most resembles; and whether Node.js is new enough.
import { version } from '../derive/version.ts'
import { nearestOf } from '../engine/nearest.ts'
import { otherVariables, settingsTable, variableOf } from '../settings.ts'
import { fail, ok, type Verdict, warn } from './finding.ts'
import { openFiles } from '../secret-files.ts'
import type { Own } from './patient.ts'

const names = Object.keys(settingsTable)
/** what all variables begin with says nothing of which is meant */
const ownPart = (name: string): string => name.replace(/^VITRINE_/, '')

const known = {
  setting: [...names, ...names.flatMap((name) => (name.includes('.') ? name.split('.', 1) : []))],
  variable: [...names.map(variableOf), ...Object.keys(otherVariables)],
}

/** the complaint without the list of all names, and what each wrong name most resembles */
function judgeLine(line: string): { cause: string; cure: string | undefined } {
  const [, name, kind] = /^(\S+): there is no such (setting|variable)/.exec(line) ?? []
  if (name === undefined) return { cause: line, cure: undefined }
  const names = known[kind as keyof typeof known]
  // `operatorToken` begins operatorTokenFile, and is as near to operatorListen
  const near =
    names.find((one) => name.length > 4 && one.startsWith(name)) ??
    names.find((one) => ownPart(one) === nearestOf(ownPart(name), names.map(ownPart)))
  return {
    cause: `${name}: there is no such ${kind}`,
    cure: near === undefined ? `Remove ${name}.` : `Write ${near} instead of ${name}.`,
  }
}

/** of a file that did not even come to settings */
const ofFile: readonly (readonly [RegExp, string])[] = [
  [/\(ENOENT\)\.$/, 'Name the file in --config or VITRINE_CONFIG, or write one: the README begins with it.'],
  [/\((?:EACCES|EPERM)\)\.$/, 'Run this as the user of the service, and let that user read the file and its folder.'],
  [/\(EISDIR\)\.$/, 'Name the file in that folder.'],
  [
    /(?:is not JSON|one JSON object)\.$/,
    'Write it as JSON in UTF-8: one object, without comments, and without a comma after the last entry.',
  ],
]
const cureOf = (message: string): string | undefined => ofFile.find(([pattern]) => pattern.test(message))?.[1]

export const unreadable = (message: string): Verdict => {
  const lines = message.split('\n').filter((line) => line !== 'The settings are wrong:')
  const judged = lines.map(judgeLine)
  const cures = judged.flatMap(({ cure }) => cure ?? [])
  const cure = cureOf(message) ?? [...cures, 'Every setting is in docs/reference/settings.md.'].join(' ')
  return fail('The settings cannot be used.', { cause: judged.map(({ cause }) => cause).join('; '), cure })
}

export function readable({ file, settings, folder, starting }: Own): Verdict {
  const open = starting ? openFiles(settings, folder) : []
  if (open.length > 0)
    return warn('Others on this machine can read what is to be secret.', {
      cause: open.map((one) => `${one.setting} (${one.file}) is open to them`).join('; '),
      cure: `chmod 600 ${open.map((one) => one.file).join(' ')}`,
    })
  return ok(
    file === undefined ? 'There is no settings file: defaults and the environment count.' : `Read from ${file}.`,
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
