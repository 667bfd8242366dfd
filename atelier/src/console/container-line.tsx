// The container that a page is about: its name, its state, and the way back to it.
import { Link } from '../../../base/console/parts/controls.tsx'
import { ContainerName, ContainerState } from './container-state.tsx'
import { containers } from './live.ts'

export function ContainerLine({ id }: { readonly id: string }) {
  const item = containers.value?.find((one) => one.id === id)
  return (
    <p class="container-line">
      <Link to="/console/containers" names={{ id }}>
        {item ? <ContainerName item={item} /> : <span class="mono">{id}</span>}
      </Link>{' '}
      {item && <ContainerState item={item} />}
    </p>
  )
}
