// Puts the value of a secret in place of what stands for it, in its own header of a request alone; and covers the value where a host sends it back.
import { Transform, type TransformCallback } from 'node:stream'
import type { Secret } from './vault.ts'

const basicForm = /^(Basic +)([A-Za-z0-9+/]+=*) *$/i

function replaceIn(value: string, { placeholder, value: secret, header }: Secret): string {
  if (value.includes(placeholder)) return value.replaceAll(placeholder, () => secret)
  const [, scheme, coded = ''] = (header === 'authorization' && basicForm.exec(value)) || []
  const pair = Buffer.from(coded, 'base64').toString('latin1')
  if (scheme === undefined || !pair.includes(placeholder)) return value
  return (
    scheme +
    Buffer.from(
      pair.replaceAll(placeholder, () => secret),
      'latin1',
    ).toString('base64')
  )
}

/** names and values in turns, as Node gives them */
export function replaceSecrets(raw: readonly string[], secrets: readonly Secret[]) {
  let isUsed = false
  const headers = raw.map((value, i) => {
    if (i % 2 === 0) return value
    const name = raw[i - 1]?.toLowerCase()
    const replaced = secrets.filter(({ header }) => header === name).reduce(replaceIn, value)
    isUsed ||= replaced !== value
    return replaced
  })
  return { headers, isUsed }
}

/** as long as the value, so that no length changes */
export const cover = (text: string, secrets: readonly Secret[]): string =>
  secrets.reduce((covered, { value }) => covered.replaceAll(value, '*'.repeat(value.length)), text)

/** how many bytes at the end may begin the value */
function begunAt(bytes: Buffer, value: Buffer): number {
  for (let size = Math.min(value.length - 1, bytes.length); size > 0; size -= 1)
    if (bytes.subarray(bytes.length - size).equals(value.subarray(0, size))) return size
  return 0
}

export class SecretCover extends Transform {
  readonly #values: readonly Buffer[]
  #held: Buffer = Buffer.alloc(0)

  constructor(secrets: readonly Secret[]) {
    super()
    this.#values = secrets.map(({ value }) => Buffer.from(value))
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
