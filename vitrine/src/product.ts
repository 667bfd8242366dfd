// What this service is called, for the rooms that know no service.
import type { Product } from '../../base/core/product.ts'
import { version } from './version.ts'

export const product = {
  name: 'vitrine',
  title: 'Vitrine',
  version,
  envPrefix: 'VITRINE_',
  keyPrefix: 'vtr_',
} as const satisfies Product
