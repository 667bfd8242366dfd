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

/** as long as the value, so that no length changes */
export const cover = (text: string, values: readonly string[]): string =>
  values.reduce((covered, value) => covered.replaceAll(value, '*'.repeat(value.length)), text)

/** how many bytes at the end may begin the value */
function begunAt(bytes: Buffer, value: Buffer): number {
  for (let size = Math.min(value.length - 1, bytes.length); size > 0; size -= 1)
    if (bytes.subarray(bytes.length - size).equals(value.subarray(0, size))) return size
  return 0
}

export class SecretCover extends Transform {
  readonly #values: readonly Buffer[]
  #held: Buffer = Buffer.alloc(0)

  constructor(values: readonly string[]) {
    super()
    this.#values = values.map((value) => Buffer.from(value))
  }

  override _transform(piece: Buffer, _encoding: BufferEncoding, done: TransformCallback) {
    const bytes = Buffer.concat([this.#held, piece])
    for (const value of this.#values)
      for (let at = bytes.indexOf(value); at >= 0; at = bytes.indexOf(value, at)) bytes.fill('*', at, at + value.length)
    const held = Math.max(0, ...this.#values.map((value) => begunAt(bytes, value)))
    this.#held = bytes.subarray(bytes.length - held)
    done(null, bytes.subarray(0, bytes.length - held))
  }

  override _flush(done: TransformCallback) {
    done(null, this.#held)
  }
}
