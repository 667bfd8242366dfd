// The first page: what the account uses of its limits, its newest containers, and where to begin.
import { Link } from '../../../../../base/console/parts/controls.tsx'
import { RelativeTime } from '../../../../../base/console/parts/display.tsx'
import { Failed, Waiting } from '../../../../../base/console/parts/states.tsx'
import type { Container, Subscription } from '../../answers.ts'
import { ContainerName, ContainerState } from '../../container-state.tsx'
import { containers, liveRefusal, refresh, subscription } from '../../live.ts'
import { Usage } from '../../usage.tsx'
import { Limits } from './limits.tsx'
import { Plan } from './plan.tsx'
import './overview.css'

const newest = 5

function Newest({ items }: { readonly items: readonly Container[] }) {
  if (items.length === 0) return <p class="soft">No containers yet. Create one, then run commands in it.</p>
  return (
    <ul class="overview-newest">
      {items.slice(0, newest).map((item) => (
        <li key={item.id}>
          <Link to="/console/containers" names={{ id: item.id }}>
            <ContainerName item={item} />
          </Link>
          <ContainerState item={item} />
          <span class="soft">
            created <RelativeTime iso={item.createdAt} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function Begin() {
  return (
    <ul class="overview-steps">
      <li>
        <Link to="/console/containers">Create a container</Link> and run a command in it, on this console.
      </li>
      <li>
        <Link to="/console/keys">Create an API key</Link> for a program or for the command line <code>atelier</code>.
      </li>
      <li>
        <Link to="/console/images">Build an image</Link> from a Dockerfile, on top of a base image.
      </li>
      <li>
        <a href="/openapi.json">Read the API description</a> (OpenAPI).
      </li>
    </ul>
  )
}

function Account({ shown, items }: { readonly shown: Subscription; readonly items: readonly Container[] }) {
  return (
    <>
      <section aria-label="Usage">
        <Usage subscription={shown} />
      </section>
      <div class="overview-cards">
        <section class="card">
          <h2>Newest containers</h2>
          <Newest items={items} />
          {items.length > newest && <Link to="/console/containers">All {items.length} containers</Link>}
        </section>
        <section class="card">
          <h2>Get started</h2>
          <Begin />
        </section>
        <div class="overview-column">
          <Plan subscription={shown} />
          <Limits limits={shown.current.limits} />
        </div>
      </div>
    </>
  )
}

export default function Overview() {
  const [items, shown, refusal] = [containers.value, subscription.value, liveRefusal.value]
  return (
    <>
      {refusal && <Failed refusal={refusal} again={refresh} what="Usage and containers could not be read." />}
      {items && shown && <Account shown={shown} items={items} />}
      {!shown && !refusal && <Waiting rows={8} what="usage" />}
    </>
  )
}
