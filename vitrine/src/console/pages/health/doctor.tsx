// The doctor: started here, followed while it runs; its findings stay until the next run.
import { useSignal } from '@preact/signals'
import type { Examination } from '../../answers.ts'
import { ask } from '../../../../../base/console/api.ts'
import { useAction, useLoad, useRepeat } from '../../../../../base/console/load.ts'
import { counted, whole } from '../../../../../base/console/format.ts'
import { Allowed } from '../../../../../base/console/parts/allowed.tsx'
import { Button } from '../../../../../base/console/parts/controls.tsx'
import { RelativeTime, UntrustedText } from '../../../../../base/console/parts/display.tsx'
import { Empty, Failed, Loaded } from '../../../../../base/console/parts/states.tsx'
import { Findings } from './findings.tsx'
import { countsText } from './grouping.ts'
import { useRef } from 'preact/hooks'
import { ConnectionChooser } from '../../connection-chooser.tsx'
import { groups } from '../../../catalogue/groups.ts'
import { ChoiceField } from '../../../../../base/console/parts/field.tsx'
import { ids, isComplete } from '../../store.ts'

interface StartProps {
  readonly busy: boolean
  readonly start: (connections: readonly string[] | undefined) => void
}

/** one per group of routes except `status`, which needs no platform call; and one more for all connections */
const callsEach = groups.length - 1

function Start({ busy, start }: StartProps) {
  const which = useSignal<'all' | 'chosen'>('all')
  const chosen = useSignal<readonly string[]>([])
  const fault = useSignal<string | undefined>(undefined)
  const form = useRef<HTMLFormElement>(null)
  const isAll = which.value === 'all'
  const count = isAll ? ids.value.length : chosen.value.length
  const submit = (event: Event) => {
    event.preventDefault()
    fault.value = !isAll && count === 0 ? 'Select a connection.' : undefined
    if (fault.value) form.current?.querySelector<HTMLElement>('.chooser input')?.focus()
    else if (!busy) start(isAll ? undefined : chosen.value)
  }
  return (
    <form ref={form} class="form" onSubmit={submit}>
      <div class="toolbar health-start">
        <ChoiceField
          label="Check"
          value={which.value}
          choices={{
            all: isComplete.value ? `All connections (${whole(ids.value.length)})` : 'All connections',
            chosen: 'Selected connections',
          }}
          onChoose={(value) => (which.value = value)}
        />
        <Button kind="main" type="submit" busy={busy}>
          Run checks
        </Button>
      </div>
      {!isAll && (
        <ConnectionChooser
          known={ids.value}
          chosen={chosen.value}
          fault={fault.value}
          onChange={(now) => (chosen.value = now)}
        />
      )}
      <p class="hint">
        Uses about {callsEach} platform calls per connection
        {count > 0 && `, so about ${whole(count * callsEach + 1)} calls for ${counted(count, 'connection')}`}. Changes
        nothing.
      </p>
    </form>
  )
}

const path = '/doctor'
const runningMs = 1_500
/** another operator may start it */
const restingMs = 10_000

function useDoctor() {
  const { load, again } = useLoad((signal) => ask<Examination>(path, { signal }), [])
  const acting = useSignal<'POST' | 'DELETE'>('POST')
  const { busy, refusal, run } = useAction()
  useRepeat(again, load.value.value?.state === 'running' ? runningMs : restingMs)
  const act = async (method: 'POST' | 'DELETE', body?: object) => {
    acting.value = method
    const value = await run(() => ask<Examination>(path, { method, body }))
    if (value) load.value = { value, refusal: undefined, busy: false }
    again()
  }
  return {
    load,
    again,
    refusal: refusal.value,
    isStarting: busy.value && acting.value === 'POST',
    isStopping: busy.value && acting.value === 'DELETE',
    start: (connections?: readonly string[]) => void act('POST', connections ? { connections } : {}),
    stop: () => void act('DELETE'),
  }
}

const scopeOf = ({ connections }: Examination): string =>
  connections === null ? 'all connections' : counted(connections.length, 'selected connection')

const By = ({ who, before }: { readonly who: string | null; readonly before: string }) =>
  who && (
    <>
      {before} <UntrustedText mono text={who} />
    </>
  )

const ends = { done: 'Finished', stopped: 'Stopped early', failed: 'Failed before the end' } as const

function Ended({ its }: { readonly its: Examination }) {
  if (its.state === 'never' || its.state === 'running') return null
  return (
    <p>
      {ends[its.state]} <RelativeTime iso={its.endedAt} />
      <By who={its.by} before=", started by" />, {scopeOf(its)}: {countsText(its.counts)}.
    </p>
  )
}

interface RunningProps {
  readonly its: Examination
  readonly stop: () => void
  readonly isStopping: boolean
}

function Running({ its, stop, isStopping }: RunningProps) {
  return (
    <div class="health-running">
      <progress aria-label="Checks are running" />
      <p>
        Checking {its.now ? <UntrustedText text={its.now} /> : scopeOf(its)}{' '}
        <span class="soft">· {countsText(its.counts)}</span>
      </p>
      <p class="soft">
        Started <RelativeTime iso={its.startedAt} />
        <By who={its.by} before=" by" />, {scopeOf(its)}.
      </p>
      <Allowed operation="stopExamination">
        <Button busy={isStopping} onClick={stop}>
          Stop checks
        </Button>
      </Allowed>
    </div>
  )
}

/** for screen readers: once when it starts and once when it ends, not with every step */
function announcement(its: Examination | undefined): string {
  if (!its || its.state === 'never') return ''
  return its.state === 'running' ? 'Checks are running.' : `Checks ended: ${countsText(its.counts)}.`
}

export function Doctor() {
  const { load, again, refusal, isStarting, isStopping, start, stop } = useDoctor()
  return (
    <section class="card health-doctor">
      <h2>Doctor</h2>
      <p class="unseen" role="status">
        {announcement(load.value.value)}
      </p>
      <Loaded state={load.value} again={again} what="the checks">
        {(its) => (
          <>
            {its.state === 'running' ? (
              <Running its={its} stop={stop} isStopping={isStopping} />
            ) : (
              <Allowed operation="startExamination" otherwise="Running checks needs the role of an administrator.">
                <Start busy={isStarting} start={start} />
              </Allowed>
            )}
            {refusal && <Failed refusal={refusal} />}
            {its.state === 'never' && (
              <Empty title="No checks run yet.">
                <p>
                  The doctor checks the installation and each connection, and reports each problem with its cause and
                  fix.
                </p>
              </Empty>
            )}
            <Ended its={its} />
            {its.findings.length > 0 && <Findings findings={its.findings} />}
            {its.leftOut > 0 && (
              <p class="soft">
                {counted(its.leftOut, 'more finding is', 'more findings are')} counted above but not listed. Run checks
                for selected connections to see all of theirs.
              </p>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}
