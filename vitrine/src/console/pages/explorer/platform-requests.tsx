// The platform calls behind a response, and where its time went.
import { counted, duration, sumOf } from '../../../../../base/console/format.ts'
import { Badge, UntrustedText } from '../../../../../base/console/parts/display.tsx'
import { type ReadAnswer, targetLines, timesOf } from './read-answer.ts'
import { Target } from './target.tsx'

/** the whole time as one bar, and the figures below it */
function Times({ answer }: { readonly answer: ReadAnswer }) {
  const times = timesOf(answer)
  const all = Math.max(0.1, sumOf(times.map(({ ms }) => ms)))
  return (
    <div class="explorer-times">
      <div class="explorer-bar" aria-hidden="true">
        {times.map(({ name, ms }, i) => (
          <span key={name} class={`part-${i}`} style={{ width: `${(100 * ms) / all}%` }} />
        ))}
      </div>
      <dl>
        {times.map(({ name, ms }, i) => (
          <div key={name}>
            <dt>
              <span class={`key part-${i}`} aria-hidden="true" />
              {name}
            </dt>
            <dd class="number">{duration(ms)}</dd>
          </div>
        ))}
        <div>
          <dt>Total</dt>
          <dd class="number">{duration(answer.tookMs)}</dd>
        </div>
      </dl>
    </div>
  )
}

function costText({ cost: { calls, retries, shared, cache }, asked }: ReadAnswer): string {
  if (cache === 'hit') return 'Served from the cache: no platform calls.'
  if (calls === 0 && shared === 0 && asked.length === 0) return 'No platform calls.'
  const parts = [
    counted(calls, 'platform call'),
    retries > 0 && `${retries} of them ${retries === 1 ? 'a retry' : 'retries'}`,
    shared > 0 && `${counted(shared, 'read')} shared with another request`,
    cache === 'miss' && 'the response is now cached',
  ]
  return `${parts.filter(Boolean).join(', ')}.`
}

function Outcome({ status, code }: ReadAnswer['asked'][number]) {
  if (code !== null) return <Badge tone="bad">{status === null ? code : `${status} ${code}`}</Badge>
  return <Badge tone={status === null ? 'idle' : 'good'}>{status ?? 'not finished'}</Badge>
}

export default function PlatformRequests({ answer }: { readonly answer: ReadAnswer }) {
  const { asked, requestId, reason } = answer
  return (
    <div class="explorer-requests">
      <Times answer={answer} />
      <p>{costText(answer)}</p>
      {asked.length > 0 && (
        <ol>
          {asked.map((one, i) => (
            <li key={i}>
              <p>
                <Outcome {...one} /> <span class="number">{duration(one.tookMs)}</span>{' '}
                <span class="soft">
                  to {one.purpose}, as {one.accept}
                </span>
              </p>
              <Target {...targetLines(one.get)} />
            </li>
          ))}
        </ol>
      )}
      <p class="soft">
        Request ID <span class="mono">{requestId}</span>
        {reason !== null && (
          <>
            . Logged reason: <UntrustedText text={reason} />
          </>
        )}
      </p>
    </div>
  )
}
