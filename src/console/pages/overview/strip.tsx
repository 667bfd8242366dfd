// The service as a whole, in one line above its connections.
import { useComputed } from '@preact/signals'
import type { ServiceState } from '../../answers.ts'
import { counted, sumOf, whole } from '../../numbers.ts'
import { Badge } from '../../parts/badge.tsx'
import { Moment } from '../../parts/moment.tsx'
import { cardOf, ids, isWhole, service } from '../../told.ts'
import { Fact } from './fact.tsx'

/** a service of one process has none */
function Workers({ workers }: Pick<ServiceState, 'workers'>) {
  const silent = workers.filter(({ answers }) => !answers)
  if (workers.length === 0) return <>one process</>
  if (silent.length === 0) return <>{whole(workers.length)}, all answer</>
  return (
    <Badge tone="warn">
      {silent.length} of {workers.length} silent
    </Badge>
  )
}

/** a service over a store of its own has no others */
function Replicas({ replicas, redis }: Pick<ServiceState, 'replicas' | 'redis'>) {
  return (
    <Fact name="Replicas">
      <span class="number">{whole(replicas)}</span>
      {redis && !redis.up ? <Badge tone="warn">without Redis</Badge> : null}
    </Fact>
  )
}

function useHour() {
  return useComputed(() => {
    const hours = ids.value.flatMap((id) => cardOf(id)?.value.hour ?? [])
    return { calls: sumOf(hours.map(({ calls }) => calls)), errors: sumOf(hours.map(({ errors }) => errors)) }
  })
}

function Hour() {
  const { calls, errors } = useHour().value
  return (
    <Fact name="Last hour">
      <span class="number">{counted(calls, 'call')}</span>,{' '}
      <span class={errors > 0 ? 'fault number' : 'number'}>{whole(errors)} failed</span>
    </Fact>
  )
}

export function Strip() {
  const its = service.value
  if (!its) return <div class="overview-strip" aria-hidden="true" />
  const known = ids.value.length
  return (
    <dl class="overview-strip" aria-label="The service">
      <Fact name="Service">
        <Badge tone={its.ready ? 'good' : 'bad'}>{its.ready ? 'Ready' : 'Not ready'}</Badge>
      </Fact>
      <Fact name="Version">{its.version}</Fact>
      <Fact name="Started">
        <Moment iso={its.startedAt} />
      </Fact>
      <Fact name="Workers">
        <Workers workers={its.workers} />
      </Fact>
      {its.replicas > 1 || its.redis ? <Replicas {...its} /> : null}
      <Fact name="Connections">
        <span class="number">
          {isWhole.value || known >= its.connections
            ? whole(known)
            : `${whole(known)} of ${whole(its.connections)} here`}
        </span>
      </Fact>
      <Hour />
    </dl>
  )
}
