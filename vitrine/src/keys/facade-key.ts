// Facade keys: vtr_live_<id>_<secret>_<checksum>, or vtr_test_… with a sandbox.
import { createKeyFormat } from '../../../base/auth/key-format.ts'
import { product } from '../product.ts'

export type { KeyKind } from '../../../base/auth/key-format.ts'

export const { pattern: keyPattern, makeKey, readKeyId } = createKeyFormat(product.keyPrefix)
