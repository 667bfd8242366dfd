// The page of a terminal in one container. What draws the terminal is larger than the rest of the console: it comes after the page.
import { Link } from '../../../../../base/console/parts/controls.tsx'
import { lazy } from '../../../../../base/console/parts/lazy.tsx'
import { Empty } from '../../../../../base/console/parts/states.tsx'
import { route } from '../../../../../base/console/router.ts'
import { ContainerLine } from '../../container-line.tsx'

const Shell = lazy<{ readonly id: string }>(() => import('./shell.tsx'), 'the terminal', 10)

export default function TerminalPage() {
  const id = route.value.query.get('id')
  if (id === null)
    return (
      <Empty title="No container is chosen.">
        <Link to="/console/containers" class="button">
          Choose a container
        </Link>
      </Empty>
    )
  return (
    <>
      <ContainerLine id={id} />
      <Shell key={id} id={id} />
    </>
  )
}
