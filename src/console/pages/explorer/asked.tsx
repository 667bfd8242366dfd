// What was really asked of the platform for an answer, and what its time went into.
import { counted, duration } from '../../numbers.ts'
import { Badge } from '../../parts/badge.tsx'
import { Foreign } from '../../parts/foreign.tsx'
import { askedLines, type Reading, timesOf } from './reading.ts'
import { Target } from './target.tsx'

/** the whole time as one bar; the figures stand beside it */
export function Times({ reading }: { readonly reading: Reading }) {
  const times = timesOf(reading)
  const all = Math.max(
    0.1,
    times.reduce((sum, { ms }) => sum + ms, 0),
  )
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
          <dt>In all</dt>
          <dd class="number">{duration(reading.tookMs)}</dd>
        </div>
      </dl>
    </div>
  )
}

/** what it cost, in a sentence */
function costWords({ cost: { calls, retries, shared, cache }, asked }: Reading): string {
  if (cache === 'hit') return 'Remembered: the platform was not asked.'
  if (calls === 0 && shared === 0 && asked.length === 0) return 'The platform was not asked.'
  const parts = [
    `${counted(calls, 'call')} of the platform`,
    ...(retries > 0 ? [`${retries} of them ${retries === 1 ? 'a repeat' : 'repeats'}`] : []),
    ...(shared > 0 ? [`${counted(shared, 'read')} shared with another request`] : []),
    ...(cache === 'miss' ? ['the answer is remembered now'] : []),
  ]
  return `${parts.join(', ')}.`
}

function outcomeOf({ status, code }: Reading['asked'][number]) {
  if (code !== null) return <Badge tone="bad">{status === null ? code : `${status} ${code}`}</Badge>
  return <Badge tone={status === null ? 'idle' : 'good'}>{status ?? 'not ended'}</Badge>
}

export default function Asked({ reading }: { readonly reading: Reading }) {
  return (
    <div class="explorer-asked">
      <Times reading={reading} />
      <p>{costWords(reading)}</p>
      {reading.asked.length > 0 && (
        <ol>
          {reading.asked.map((one, i) => (
            <li key={i}>
              <p>
                {outcomeOf(one)} <span class="number">{duration(one.tookMs)}</span>{' '}
                <span class="soft">
                  to {one.purpose}, as {one.accept}
                </span>
              </p>
              <Target {...askedLines(one.get)} />
            </li>
          ))}
        </ol>
      )}
      <p class="soft">
        Request <span class="mono">{reading.requestId}</span>
        {reading.reason !== null && (
          <>
            . In the log: <Foreign text={reading.reason} />
          </>
        )}
      </p>
    </div>
  )
}
