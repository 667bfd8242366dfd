// Helpers for sample rows: rows, ids in the platform's forms, dates in 2026. Computed, so that every start gives the same bytes.
import { createHash } from 'node:crypto'

import type { SandboxRow, JsonValue } from '../store.ts'

export const row = (type: string, id: string, values: SandboxRow['values']): SandboxRow => ({ type, id, values })

export const hexDigest = (words: string): string => createHash('sha256').update(words).digest('hex')

export function uuid(words: string): string {
  const hex = hexDigest(words)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-9${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

// Ids of price points and some others are base64url JSON.
export const jsonId = (parts: Record<string, string>): string =>
  Buffer.from(JSON.stringify(parts)).toString('base64url')

export function pick<T>(choices: readonly T[], index: number): T {
  const choice = choices[index % choices.length]
  if (choice === undefined) throw new Error('Cannot pick from an empty list')
  return choice
}

/** Reads rows of cells divided by `|`. */
export const readTable = (text: string): string[][] => text.split('\n').map((line) => line.split('|'))

export const range = (length: number): number[] => Array.from({ length }, (_, index) => index)

const start = Date.UTC(2026, 0, 5, 16, 3, 27)
const hourMs = 3_600_000

// How the platform writes instants, one way for each attribute: whole seconds, up to three decimals, or Pacific time with the
// offset of that day.
type Form = 'seconds' | 'decimals' | 'pacific'

export const sampleInstant = (hours: number, form: Form = 'seconds'): string =>
  writeInstant(start + hours * hourMs + (hours % 59) * 1000, form)

const pacificOffset = new Intl.DateTimeFormat('en-US', { timeZone: 'America/Los_Angeles', timeZoneName: 'longOffset' })

function inPacificTime(instant: number): string {
  const offset = /-\d\d:\d\d$/.exec(pacificOffset.format(instant))?.[0] ?? '-08:00'
  const aheadMs = Date.parse(`1970-01-01T00:00:00${offset}`)
  return `${new Date(instant - aheadMs).toISOString().slice(0, 19)}${offset}`
}

export function writeInstant(instant: number, form: Form): string {
  const whole = new Date(instant).toISOString().slice(0, 19)
  if (form === 'pacific') return inPacificTime(instant)
  if (form === 'seconds') return `${whole}Z`
  // zeros at the end are left out
  return Number(whole.slice(-2)) % 7 === 0 ? `${whole}.01Z` : `${whole}.454Z`
}

export const sampleDay = (days: number): string => new Date(start + days * 24 * hourMs).toISOString().slice(0, 10)

export const imageAsset = (name: string, width: number, height: number): JsonValue => ({
  templateUrl: `https://assets.example.com/image/thumb/${hexDigest(name).slice(0, 16)}/{w}x{h}bb.{f}`,
  width,
  height,
})

// One operation per part; the signed addresses expire and hold credentials, as the real ones do.
export const uploadOperations = (name: string, lengths: readonly number[]): Record<string, JsonValue>[] =>
  lengths.map((length, index) => ({
    method: 'PUT',
    url: `https://upload.example.com/${hexDigest(name).slice(0, 24)}?partNumber=${index + 1}&Signature=${hexDigest(`${name} ${index}`).slice(0, 32)}%3D&Expires=1799999999`,
    length,
    offset: lengths.slice(0, index).reduce((sum, each) => sum + each, 0),
    requestHeaders: [{ name: 'Content-Type', value: 'application/octet-stream' }],
  }))
