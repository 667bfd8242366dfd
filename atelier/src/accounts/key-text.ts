// The text of an API key: atl_<8 id>_<43 secret>_<6 checksum>.
import { createHash } from 'node:crypto'
import { product } from '../product.ts'

export const keyForm = new RegExp(`^(${product.keyPrefix}([0-9a-z]{8}))_([\\w-]{43})_([0-9a-f]{6})$`)

export const checksumOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 6)

/** whether it is a key that was not mistyped; only the service knows whether it is good */
export const isKeyText = (text: string): boolean =>
  keyForm.test(text) && checksumOf(text.slice(0, text.lastIndexOf('_'))) === text.slice(-6)
