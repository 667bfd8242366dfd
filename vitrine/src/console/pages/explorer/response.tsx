// The response to a request: its status, its content, how much of it there is, and the next page.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { counted, duration } from '../../../../../base/console/format.ts'
import { Badge, RelativeTime } from '../../../../../base/console/parts/display.tsx'
import { Button } from '../../../../../base/console/parts/controls.tsx'
import { lazy } from '../../../../../base/console/parts/lazy.tsx'
import { Empty, Failed, Waiting } from '../../../../../base/console/parts/states.tsx'
import { mayHelpLater, nextCursorIn, type ReadAnswer } from './read-answer.ts'
import type { ResultProps } from './result.tsx'
import { countText } from './row-count.ts'
import { send, sendNext } from './send.ts'
import type { ExplorerRequest, ReadFailure } from './workbench-state.ts'

/** most of the page is about the response, and is loaded with it */
const Result = lazy(() => import('./result.tsx'), 'the response', 5)
const ExportDialog = lazy(() => import('./export-dialog.tsx'), 'the download')
const PlatformRequests = lazy(() => import('./platform-requests.tsx'), 'the platform calls')

function Foot({ request, run }: ResultProps) {
  const { workbench, form } = request
  const last = run.pages.at(-1)
  const failure = workbench.failure.value
  const next = () => void sendNext(request)
  const isExporting = useSignal(false)
  return (
    <>
      {failure?.turn === 'next' && (
        <Failed what="The next page could not be loaded." refusal={failure.refusal} again={next} />
      )}
      <div class="explorer-foot">
        <p role="status">{countText(form, run)}</p>
        <span class="end" />
        <Button kind="quiet" onClick={() => (isExporting.value = true)}>
          Download…
        </Button>
        {last && nextCursorIn(last) !== undefined && (
          <Button busy={workbench.busy.value === 'next'} onClick={next}>
            Next page
          </Button>
        )}
      </div>
      {isExporting.value && <ExportDialog request={request} run={run} onClose={() => (isExporting.value = false)} />}
    </>
  )
}

function StatusLine({ answer, at }: { readonly answer: ReadAnswer; readonly at: string }) {
  const { status, tookMs, bytes, cost } = answer
  const facts = [duration(tookMs), counted(bytes, 'byte'), ...(cost.cache === 'hit' ? ['cached'] : [])]
  return (
    <p class="explorer-status">
      <span class="explorer-status" role="status">
        <Badge tone={status < 400 ? 'good' : status < 500 ? 'warn' : 'bad'}>{status}</Badge>
        <span class="number soft">{facts.join(' · ')}</span>
      </span>
      {at !== '' && (
        <span class="soft">
          <RelativeTime iso={at} />
        </span>
      )}
    </p>
  )
}

interface RefusedProps {
  readonly request: ExplorerRequest
  readonly failure: ReadFailure
  /** whether the response before is still shown */
  readonly hasOld: boolean
}

function Refused({ request, failure: { refusal, answer }, hasOld }: RefusedProps) {
  const what = answer ? 'The request was rejected.' : 'No response.'
  return (
    <>
      <Failed
        what={hasOld ? `${what} The previous response is shown below.` : what}
        refusal={refusal}
        again={!answer || mayHelpLater(answer) ? () => void send(request) : undefined}
      />
      {answer && <PlatformRequests answer={answer} />}
    </>
  )
}

/** on a small screen a new response would come out of view */
function useReveal(response: unknown) {
  const box = useRef<HTMLElement>(null)
  const before = useRef(response)
  useEffect(() => {
    if (response === before.current || response === undefined) return
    before.current = response
    const top = box.current?.getBoundingClientRect().top ?? 0
    if (top > innerHeight * 0.75) box.current?.scrollIntoView({ block: 'start' })
  }, [response])
  return box
}

export function Response({ request }: { readonly request: ExplorerRequest }) {
  const { connection, workbench, form } = request
  const here = <T extends { readonly connection: string }>(one: T | undefined) =>
    one?.connection === connection ? one : undefined
  const [run, failure] = [here(workbench.run.value), here(workbench.failure.value)]
  const answer = run?.pages.at(-1) ?? failure?.answer
  const busy = workbench.busy.value
  const box = useReveal(run?.pages[0]?.requestId ?? failure)
  return (
    <section ref={box} class="card explorer-response" aria-label="Response" aria-busy={busy !== undefined}>
      <div class="explorer-head">
        <h2>Response</h2>
        {answer && <StatusLine answer={answer} at={run?.at ?? ''} />}
      </div>
      {failure?.turn === 'first' && <Refused request={request} failure={failure} hasOld={run !== undefined} />}
      {run && (
        <div class={busy === 'first' ? 'explorer-old' : undefined}>
          <Result key={run.pages[0]?.requestId} request={request} run={run} />
          {form.isList && <Foot request={request} run={run} />}
        </div>
      )}
      {!run && !failure && busy && <Waiting rows={5} what="the response" />}
      {!run && !failure && !busy && (
        <Empty title="Nothing sent yet.">
          <p class="soft">Fill in the required fields, then send.</p>
        </Empty>
      )}
    </section>
  )
}
