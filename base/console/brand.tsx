// The mark and the name of the product.
import { product } from './product.ts'

export function Brand() {
  const { Mark, name } = product()
  return (
    <span class="brand">
      <Mark />
      {name}
    </span>
  )
}
