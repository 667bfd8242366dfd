// What came of a question, how it went, how much of it there is, and what would bring more.
import { useEffect, useRef } from 'preact/hooks'
import { counted, duration } from '../../numbers.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { later } from '../../parts/later.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Empty, Failed, Waiting } from '../../parts/states.tsx'
import { type Question, send, sendNext } from './asking.ts'
import type { CameProps } from './came.tsx'
import { countWords } from './count-words.ts'
import { mayHelpLater, nextCursorIn, type Reading } from './reading.ts'
import type { Failure } from './run.ts'

/** most of this page is about what comes, and is fetched with it */
const Came = later(() => import('./came.tsx'), { what: 'the answer', rows: 5 })
const Asked = later(() => import('./asked.tsx'), { what: 'what was asked' })

/** how much is there, and what would bring more */
function Foot({ question, run }: CameProps) {
  const { desk, form } = question
  const last = run.pages.at(-1)
  const failure = desk.failure.value
  const next = () => void sendNext(question)
  return (
    <>
      {failure?.turn === 'next' && (
        <Failed what="The next page did not come. What was read so far stays." refusal={failure.refusal} again={next} />
      )}
      <div class="explorer-foot">
        <p role="status">{countWords(form, run)}</p>
        {last && nextCursorIn(last) !== undefined && (
          <Button busy={desk.busy.value === 'next'} onClick={next}>
            Next page
          </Button>
        )}
      </div>
    </>
  )
}

function Line({ reading, at }: { readonly reading: Reading; readonly at: string }) {
  const { status, tookMs, bytes, cost } = reading
  const told = [duration(tookMs), counted(bytes, 'byte'), ...(cost.cache === 'hit' ? ['remembered'] : [])]
  return (
    <p class="explorer-status">
      <span class="explorer-status" role="status">
        <Badge tone={status < 400 ? 'good' : status < 500 ? 'warn' : 'bad'}>{status}</Badge>
        <span class="number soft">{told.join(' · ')}</span>
      </span>
      {at !== '' && (
        <span class="soft">
          <Moment iso={at} />
        </span>
      )}
    </p>
  )
}

/** a new question that was refused, or to which no answer came */
function Refused({ question, failure, isOld }: { question: Question; failure: Failure; isOld: boolean }) {
  const { refusal, reading } = failure
  const what = reading ? 'The read was refused.' : 'No answer came.'
  return (
    <>
      <Failed
        what={isOld ? `${what} Below stands what came before.` : what}
        refusal={refusal}
        again={!reading || mayHelpLater(reading) ? () => void send(question) : undefined}
      />
      {reading && <Asked reading={reading} />}
    </>
  )
}

/** on a small screen what comes would come out of sight */
function useSight(came: unknown) {
  const box = useRef<HTMLElement>(null)
  const before = useRef(came)
  useEffect(() => {
    if (came === before.current || came === undefined) return
    before.current = came
    const top = box.current?.getBoundingClientRect().top ?? 0
    if (top > innerHeight * 0.75) box.current?.scrollIntoView({ block: 'start' })
  }, [came])
  return box
}

export function Answer({ question }: { readonly question: Question }) {
  const { connection, desk, form } = question
  const here = <T extends { readonly connection: string }>(one: T | undefined) =>
    one?.connection === connection ? one : undefined
  const [run, failure] = [here(desk.run.value), here(desk.failure.value)]
  const reading = run?.pages.at(-1) ?? failure?.reading
  const isBusy = desk.busy.value !== undefined
  const isNothing = !run && !failure
  const box = useSight(run?.pages[0]?.requestId ?? failure)
  return (
    <section ref={box} class="card explorer-answer" aria-label="Answer" aria-busy={isBusy}>
      <div class="explorer-head">
        <h2>Answer</h2>
        {reading && <Line reading={reading} at={run?.at ?? ''} />}
      </div>
      {failure?.turn === 'first' && <Refused {...{ question, failure, isOld: run !== undefined }} />}
      {run && (
        <div class={desk.busy.value === 'first' ? 'explorer-old' : undefined}>
          <Came key={run.pages[0]?.requestId} {...{ question, run }} />
          {form.isList && <Foot {...{ question, run }} />}
        </div>
      )}
      {isNothing &&
        (isBusy ? (
          <Waiting rows={5} what="the answer" />
        ) : (
          <Empty title="Nothing sent yet.">
            <p class="soft">Fill in what {form.summary.toLowerCase()} needs, then send it.</p>
          </Empty>
        ))}
    </section>
  )
}
