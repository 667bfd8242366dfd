// The first page: the service in a line, and each connection live, as a card or a row.
import { type Signal, useComputed, useSignal } from '@preact/signals'
import { counted, sumOf, whole } from '../../../../../base/console/format.ts'
import { Button, Link } from '../../../../../base/console/parts/controls.tsx'
import { ChoiceField } from '../../../../../base/console/parts/field.tsx'
import { AsOf, Badge, RelativeTime } from '../../../../../base/console/parts/display.tsx'
import { Filter } from '../../../../../base/console/parts/search.tsx'
import { Empty, Failed, Waiting } from '../../../../../base/console/parts/states.tsx'
import { stateFilters } from '../../connection-state.ts'
import { linkState, pollRefusal } from '../../live.ts'
import { cardOf, ids, isComplete, service, updatedAt } from '../../store.ts'
import { chooseView, filter, freezing, only, order, orders, shownIds, states, view, views } from './card-order.ts'
import { BoxedFacts, CardBody } from './card.tsx'
import './overview.css'
import { Rows } from './rows.tsx'
import { useEffect, useMemo, useRef } from 'preact/hooks'

function createObserver() {
  const signals = new WeakMap<Element, Signal<boolean>>()
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const isInView = signals.get(target)
        // a card with the focus stays
        if (isInView) isInView.value = isIntersecting || target.contains(document.activeElement)
      }
    },
    // so that a quick scroll shows no empty card
    { rootMargin: '600px' },
  )
  return {
    observe: (box: Element, isInView: Signal<boolean>) => {
      signals.set(box, isInView)
      observer.observe(box)
      return () => observer.unobserve(box)
    },
    end: () => observer.disconnect(),
  }
}

function Place({ id, observe }: { readonly id: string } & Pick<ReturnType<typeof createObserver>, 'observe'>) {
  const box = useRef<HTMLLIElement>(null)
  const isInView = useSignal(false)
  useEffect(() => (box.current ? observe(box.current, isInView) : undefined), [])
  const its = cardOf(id)
  return (
    <li ref={box} class="overview-card">
      <h2 title={id}>{id}</h2>
      {isInView.value && its && <CardBody its={its} />}
    </li>
  )
}

function Cards() {
  const { observe, end } = useMemo(createObserver, [])
  useEffect(() => end, [])
  return (
    <ul class="overview-cards" {...freezing}>
      {shownIds.value.map((id) => (
        <Place key={id} id={id} observe={observe} />
      ))}
    </ul>
  )
}

function Hour() {
  const sums = useComputed(() => {
    const hours = ids.value.flatMap((id) => cardOf(id)?.value.hour ?? [])
    return { calls: sumOf(hours.map(({ calls }) => calls)), errors: sumOf(hours.map(({ errors }) => errors)) }
  })
  const { calls, errors } = sums.value
  return (
    <>
      <span class="number">{counted(calls, 'call')}</span>,{' '}
      <span class={errors > 0 ? 'fault number' : 'number'}>{whole(errors)} failed</span>
    </>
  )
}

function ServiceSummary() {
  const state = service.value
  if (!state) return <div class="overview-service" aria-hidden="true" />
  const { ready, version, startedAt, replicas, redis, connections } = state
  const known = ids.value.length
  const areAllHere = isComplete.value || known >= connections
  const facts = {
    Service: <Badge tone={ready ? 'good' : 'bad'}>{ready ? 'Ready' : 'Not ready'}</Badge>,
    Version: version,
    Started: <RelativeTime iso={startedAt} />,
    ...((replicas > 1 || redis) && {
      Replicas: (
        <>
          <span class="number">{whole(replicas)}</span>
          {redis && !redis.up && <Badge tone="warn">Redis unreachable</Badge>}
        </>
      ),
    }),
    Connections: (
      <span class="number">{areAllHere ? whole(known) : `${whole(known)} of ${whole(connections)} loaded`}</span>
    ),
    'Last hour': <Hour />,
  }
  return <BoxedFacts class="overview-service" label="The service" of={facts} />
}

function Filters() {
  return (
    <div class="toolbar overview-choices">
      <Filter label="Filter connections" value={filter.value} onInput={(text) => (filter.value = text)} />
      <ChoiceField label="View" value={view.value} choices={views} onChoose={chooseView} />
      <ChoiceField
        label="Show"
        value={only.value}
        choices={stateFilters(states.value, only.value)}
        onChoose={(chosen) => (only.value = chosen)}
      />
      <ChoiceField label="Sort by" value={order.value} choices={orders} onChoose={(chosen) => (order.value = chosen)} />
    </div>
  )
}

function showAll() {
  filter.value = ''
  only.value = 'all'
}

function NoCards() {
  const isAllWell = filter.value === '' && only.value === 'problems'
  if (ids.value.length > 0)
    return (
      <Empty title={isAllWell ? 'No connections need attention.' : 'No matching connections.'}>
        <Button onClick={showAll}>Show all</Button>
      </Empty>
    )
  if (!isComplete.value) return <Waiting rows={6} what="connections" />
  return (
    <Empty title="No connections yet.">
      <p>
        A connection is an App Store Connect API key. <Link to="/connections">Add the first one</Link>.
      </p>
    </Empty>
  )
}

/** what the words and numbers of a card mean */
const legend = {
  Quota:
    'Calls that the signing key has left in this hour and this minute, as the platform reports with its responses. “Unknown” means that no response has reported it since the service started.',
  Bars: 'Platform calls, one bar per minute. Failed calls are below the axis.',
  'Last success':
    'When the platform last responded successfully. The last failure shows the error code that callers received.',
  'Calls saved':
    'Reads that needed no platform call: they were cached, or shared a call in progress. The percentage is of all calls that would have been made.',
  Breaker:
    'Open: the platform failed several times, and no calls are made for a while. Half open: one trial call is made.',
  Drift:
    'Fields in the platform’s responses that this version of Vitrine does not know. They are left out of answers; a newer version may include them.',
}

function Legend() {
  return (
    <details class="overview-legend">
      <summary>What the cards show</summary>
      <BoxedFacts of={legend} />
    </details>
  )
}

function Age() {
  const at = updatedAt.value
  return <div class="overview-age">{at && linkState.value !== 'live' && <AsOf iso={at} />}</div>
}

/** cards or rows, or why there are none */
function Connections() {
  if (shownIds.value.length === 0) return <NoCards />
  return view.value === 'rows' ? <Rows /> : <Cards />
}

export default function Overview() {
  // the time of each update draws the age alone
  const isEmpty = useComputed(() => updatedAt.value === undefined)
  if (isEmpty.value && linkState.value === 'offline' && pollRefusal.value)
    return <Failed refusal={pollRefusal.value} what="The status could not be loaded. Retrying every 10 seconds." />
  return (
    <div class="overview">
      <ServiceSummary />
      <Filters />
      <Age />
      <Connections />
      <Legend />
    </div>
  )
}
