// Signals as SSH names them (RFC 4254, section 6.10). The engine tells of one by an exit code of 128 and its number.
import { constants } from 'node:os'

const known = [
  'ABRT',
  'ALRM',
  'FPE',
  'HUP',
  'ILL',
  'INT',
  'KILL',
  'PIPE',
  'QUIT',
  'SEGV',
  'TERM',
  'USR1',
  'USR2',
] as const

const names = new Map<number, string>(known.map((name) => [128 + constants.signals[`SIG${name}`], name]))

export const signalOf = (exitCode: number): string | undefined => names.get(exitCode)
