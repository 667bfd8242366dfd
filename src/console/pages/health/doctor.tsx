// The doctor: started here, followed while he looks, and his findings, which stay until he looks again.
import { useSignal } from '@preact/signals'
import type { Examination } from '../../answers.ts'
import { ask } from '../../api.ts'
import { useLoad } from '../../load.ts'
import { counted } from '../../numbers.ts'
import { Button } from '../../parts/button.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Empty, Failed, Waiting } from '../../parts/states.tsx'
import { asRefusal, type Refusal } from '../../refusal.ts'
import { useRepeat } from '../../repeat.ts'
import { Start } from './doctor-start.tsx'
import { Findings } from './findings.tsx'
import { sayCounts } from './grouping.ts'

const path = '/doctor'
const runningMs = 1_500
/** somebody else may start him */
const restingMs = 10_000

function useDoctor() {
  const { load, again } = useLoad((signal) => ask<Examination>(path, { signal }), [])
  const busy = useSignal<'start' | 'stop' | undefined>(undefined)
  const refusal = useSignal<Refusal | undefined>(undefined)
  const { value } = load.value
  useRepeat(again, value?.state === 'running' ? runningMs : restingMs)
  const act = async (deed: 'start' | 'stop', body?: object) => {
    busy.value = deed
    refusal.value = undefined
    try {
      const method = deed === 'start' ? 'POST' : 'DELETE'
      const value = await ask<Examination>(path, { method, ...(body && { body }) })
      load.value = { value, refusal: undefined, busy: false }
    } catch (error) {
      refusal.value = asRefusal(error)
    } finally {
      busy.value = undefined
      again()
    }
  }
  return {
    ...{ load, again, busy: busy.value, refusal: refusal.value },
    start: (connections?: readonly string[]) => void act('start', connections ? { connections } : {}),
    stop: () => void act('stop'),
  }
}

const whom = ({ connections }: Examination): string =>
  connections === null ? 'all connections' : counted(connections.length, 'chosen connection')

const By = ({ who, before }: { readonly who: string; readonly before: string }) => (
  <>
    {before}{' '}
    <span class="mono">
      <Foreign text={who} />
    </span>
  </>
)

const ends = { done: 'Done', stopped: 'Stopped before the end', failed: 'Could not go on to the end' } as const

function Ended({ its }: { readonly its: Examination }) {
  if (its.state === 'never' || its.state === 'running') return null
  return (
    <p class="health-ended">
      {ends[its.state]} <Moment iso={its.endedAt} />
      {its.by && <By who={its.by} before=", started by" />}, {whom(its)}: {sayCounts(its.counts)}.
    </p>
  )
}

interface RunningProps {
  readonly its: Examination
  readonly stop: () => void
  readonly stopping: boolean
}

function Running({ its, stop, stopping }: RunningProps) {
  return (
    <div class="health-running">
      <progress aria-label="The doctor looks" />
      <p>
        Looks at {its.now ? <Foreign text={its.now} /> : whom(its)} <span class="soft">· {sayCounts(its.counts)}</span>
      </p>
      <p class="soft">
        Started <Moment iso={its.startedAt} />
        {its.by && <By who={its.by} before=" by" />}, {whom(its)}.
      </p>
      <Button busy={stopping} onClick={stop}>
        Stop the doctor
      </Button>
    </div>
  )
}

/** the door keeps so many and no more, what is well the least */
const LeftOut = ({ number }: { readonly number: number }) => (
  <p class="soft">
    {counted(number, 'more finding is', 'more findings are')} counted above and not listed: there are too many. Let the
    doctor look at chosen connections to see all of theirs.
  </p>
)

/** said once when it begins and once when it is over, and not with every step */
function spoken(its: Examination | undefined): string {
  if (!its || its.state === 'never') return ''
  if (its.state === 'running') return 'The doctor is looking.'
  return `The doctor is no longer looking: ${sayCounts(its.counts)}.`
}

export function Doctor() {
  const { load, again, busy, refusal, start, stop } = useDoctor()
  const { value: its, refusal: unread } = load.value
  return (
    <section class="card health-doctor">
      <h2>The doctor</h2>
      <p class="unseen" role="status">
        {spoken(its)}
      </p>
      {!its && (unread ? <Failed refusal={unread} again={again} /> : <Waiting rows={3} what="the doctor" />)}
      {its?.state === 'running' && <Running its={its} stop={stop} stopping={busy === 'stop'} />}
      {its && its.state !== 'running' && <Start busy={busy === 'start'} start={start} />}
      {refusal && <Failed refusal={refusal} />}
      {its?.state === 'never' && (
        <Empty title="The doctor has not looked yet.">
          <p>He looks the installation over, then each connection, and names what is ill with its cause and cure.</p>
        </Empty>
      )}
      {its && <Ended its={its} />}
      {its && its.findings.length > 0 && <Findings findings={its.findings} />}
      {its && its.leftOut > 0 && <LeftOut number={its.leftOut} />}
    </section>
  )
}
