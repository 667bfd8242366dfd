// Puts the value of a secret in place of what stands for it, in its own header of a request alone; and covers the value where a host sends it back.
import { Transform, type TransformCallback } from 'node:stream'
import type { Secret } from './vault.ts'

const basicForm = /^(Basic +)([A-Za-z0-9+/]+=*) *$/i

interface Replaced {
  readonly text: string
  /** what the host sees of the secret, if it is not the value itself */
  readonly coded?: string
}

function replaceIn(text: string, { placeholder, value, header }: Secret): Replaced {
  if (text.includes(placeholder)) return { text: text.replaceAll(placeholder, () => value) }
  const [, scheme, given = ''] = (header === 'authorization' && basicForm.exec(text)) || []
  const pair = Buffer.from(given, 'base64').toString('latin1')
  if (scheme === undefined || !pair.includes(placeholder)) return { text }
  const coded = Buffer.from(
    pair.replaceAll(placeholder, () => value),
    'latin1',
  ).toString('base64')
  return { text: scheme + coded, coded }
}

/** names and values in turns, as Node gives them */
export function replaceSecrets(raw: readonly string[], secrets: readonly Secret[]) {
  let isUsed = false
  const covered = secrets.map(({ value }) => value)
  const headers = raw.map((given, i) => {
    if (i % 2 === 0) return given
    const name = raw[i - 1]?.toLowerCase()
    let value = given
    for (const secret of secrets.filter(({ header }) => header === name)) {
      const { text, coded } = replaceIn(value, secret)
      if (coded !== undefined) covered.push(coded)
      value = text
    }
    isUsed ||= value !== given
    return value
  })
  return { headers, isUsed, covered }
}

const star = '*'.charCodeAt(0)

/** as long as the values, so that no length changes; also where one value begins another */
function coveredIn(bytes: Buffer, values: readonly Buffer[]): Buffer {
  const safe = Buffer.from(bytes)
  for (const value of values)
    for (let at = bytes.indexOf(value); at >= 0; at = bytes.indexOf(value, at + value.length))
      safe.fill(star, at, at + value.length)
  return safe
}

const bytesOf = (values: readonly string[]): Buffer[] => values.map((value) => Buffer.from(value))

export const cover = (text: string, values: readonly string[]): string =>
  coveredIn(Buffer.from(text, 'latin1'), bytesOf(values)).toString('latin1')

/** how many bytes at the end may begin the value */
function begunAt(bytes: Buffer, value: Buffer): number {
  const first = value[0] ?? 0
  const from = Math.max(0, bytes.length - value.length + 1)
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1))
    if (bytes.compare(value, 0, bytes.length - at, at) === 0) return bytes.length - at
  return 0
}

export class SecretCover extends Transform {
  readonly #values: readonly Buffer[]
  /** the end of what came, as it came and covered */
  #held: Buffer = Buffer.alloc(0)
  #safe: Buffer = Buffer.alloc(0)

  constructor(values: readonly string[]) {
    super()
    this.#values = bytesOf(values)
  }

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
    const bytes = Buffer.concat([this.#held, piece])
    const safe = coveredIn(bytes, this.#values)
    for (const [i, byte] of this.#safe.entries()) if (byte === star) safe[i] = star
    const end = bytes.length - Math.max(0, ...this.#values.map((value) => begunAt(bytes, value)))
    this.#held = bytes.subarray(end)
    this.#safe = safe.subarray(end)
    done(null, safe.subarray(0, end))
  }

  override _flush(done: TransformCallback) {
    done(null, this.#safe)
  }
}
