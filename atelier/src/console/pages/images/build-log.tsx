// The log of a build: what is there, and what comes until the build ends.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { LogEvent } from '../../../../client/atelier.ts'
import { queryOf, send } from '../../../../../base/console/api.ts'
import { Failed } from '../../../../../base/console/parts/states.tsx'
import { type ApiRefusal, asRefusal, unreachable } from '../../../../../base/console/refusal.ts'
import { linesOf } from '../../ndjson.ts'
import { createOutput, type Output, OutputView } from '../../output.tsx'

type Status = Extract<LogEvent, { type: 'end' }>['status']

/** answers the status of the image at the end; throws an ApiRefusal */
async function follow(id: string, output: Output, signal: AbortSignal): Promise<Status> {
  const path = `/images/${encodeURIComponent(id)}/logs${queryOf({ follow: 'true' })}`
  const response = await send(path, { signal })
  for await (const line of linesOf<LogEvent>(response, signal)) {
    if (line.type === 'log') output.add(line.stream, line.data)
    if (line.type === 'truncated') output.add('service', 'The log is longer than what is kept.\n')
    if (line.type === 'end') return line.status
  }
  throw unreachable()
}

const endTexts: Readonly<Record<string, string>> = {
  ready: 'The image is ready.',
  failed: 'The build failed.',
  cancelled: 'The build was cancelled.',
}

interface BuildLogProps {
  readonly id: string
  /** the build has ended */
  readonly onEnd: () => void
}

export function BuildLog({ id, onEnd }: BuildLogProps) {
  const output = useSignal<Output>(createOutput())
  const end = useSignal<Status | undefined>(undefined)
  const refusal = useSignal<ApiRefusal | undefined>(undefined)
  const turn = useSignal(0)
  useEffect(() => {
    const leaving = new AbortController()
    const made = createOutput()
    output.value = made
    refusal.value = end.value = undefined
    const show = async () => {
      try {
        end.value = await follow(id, made, leaving.signal).finally(made.end)
        onEnd()
      } catch (error) {
        if (!leaving.signal.aborted) refusal.value = asRefusal(error)
      }
    }
    void show()
    return () => leaving.abort()
  }, [id, turn.value])
  return (
    <section class="images-log" aria-labelledby="build-log">
      <h3 id="build-log">Build log</h3>
      <OutputView output={output.value} label="Build log" />
      <p role="status">{end.value ? endTexts[end.value] : refusal.value ? '' : 'Building.'}</p>
      {refusal.value && (
        <Failed
          refusal={refusal.value}
          again={() => void turn.value++}
          what="The log could not be followed to its end."
        />
      )}
    </section>
  )
}
