// What this service is called, for the rooms that know no service.
import type { Product } from '../../base/core/product.ts'
import { version } from './version.ts'

export const product = {
  name: 'atelier',
  title: 'Atelier',
  version,
  envPrefix: 'ATELIER_',
  keyPrefix: 'atl_',
} as const satisfies Product
