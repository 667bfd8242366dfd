// Runs one command in a container, and shows its output as it comes.
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { CommandEvent } from '../../../../client/atelier.ts'
import { send } from '../../../../../base/console/api.ts'
import { duration } from '../../../../../base/console/format.ts'
import { useAction } from '../../../../../base/console/load.ts'
import { Button } from '../../../../../base/console/parts/controls.tsx'
import { ChoiceField, TextField } from '../../../../../base/console/parts/field.tsx'
import { Failed } from '../../../../../base/console/parts/states.tsx'
import { ApiRefusal } from '../../../../../base/console/refusal.ts'
import { explain } from '../../explain.ts'
import { argvOf } from '../../lines.ts'
import { linesOf } from '../../ndjson.ts'
import { createOutput, type Output, OutputView } from '../../output.tsx'
import { TextArea } from '../../text-area.tsx'

type Exit = Extract<CommandEvent, { type: 'exit' }>
/** the part of an error line that is shown */
interface FailedLine {
  readonly type: 'error'
  readonly error: {
    readonly type: string
    readonly message: string
    readonly requestId: string
    readonly details?: Readonly<Record<string, unknown>>
  }
}

function failureOf({ error: { type: code, message, requestId, details } }: FailedLine): ApiRefusal {
  const explained = explain({ code, message, details: details ?? {} }) ?? message
  return new ApiRefusal({ status: 200, code, message: explained, requestId, details })
}

const unknownEnd = () =>
  new ApiRefusal({
    status: 200,
    code: 'exec_outcome_unknown',
    message: 'The connection ended before the command did: its outcome is unknown.',
  })

interface Wish {
  readonly containerId: string
  readonly command: readonly string[]
}

/** throws an ApiRefusal where the command did not start, or its outcome is unknown */
async function follow(body: Wish, output: Output, signal: AbortSignal): Promise<Exit> {
  const headers = { accept: 'application/x-ndjson' }
  const response = await send('/containers/exec', { method: 'POST', body, headers, signal })
  for await (const line of linesOf<CommandEvent | FailedLine>(response, signal)) {
    if (line.type === 'stdout' || line.type === 'stderr') output.add(line.type, line.data)
    if (line.type === 'error') throw failureOf(line)
    if (line.type === 'exit') return line
  }
  throw unknownEnd()
}

export function exitText({ exitCode, signal, timedOut, oomKilled, durationMs }: Exit): string {
  const after = ` after ${duration(durationMs)}`
  if (timedOut) return `Timed out${after}: every process of the command was killed.`
  if (oomKilled) return `Killed${after}: the container ran out of memory.`
  return signal === null ? `Exit code ${exitCode}${after}.` : `Exit code ${exitCode} (${signal})${after}.`
}

function useRun(id: string) {
  const { busy, refusal, run } = useAction()
  const output = useSignal<Output | undefined>(undefined)
  const exit = useSignal<Exit | undefined>(undefined)
  const isStopped = useSignal(false)
  const flight = useRef(new AbortController())
  // the service kills the command when the page goes
  useEffect(() => () => flight.current.abort(), [])
  const start = async (command: readonly string[]) => {
    if (busy.peek()) return
    const { signal } = (flight.current = new AbortController())
    const made = createOutput()
    output.value = made
    exit.value = undefined
    isStopped.value = false
    exit.value = await run(
      () => follow({ containerId: id, command }, made, signal).finally(made.end),
      () => signal.aborted,
    )
  }
  const stop = () => {
    flight.current.abort()
    isStopped.value = true
  }
  return { busy, refusal, output, exit, isStopped, start, stop }
}

const ways = { shell: 'Shell command', argv: 'Program and arguments' } as const

function stateText({ busy, exit, isStopped }: ReturnType<typeof useRun>): string {
  if (busy.value) return 'Running.'
  if (isStopped.value) return 'Stopped: every process of the command is killed.'
  return exit.value ? exitText(exit.value) : ''
}

function useCommand() {
  const way = useSignal<keyof typeof ways>('shell')
  const text = useSignal('')
  const fault = useSignal<string | undefined>(undefined)
  const type = (typed: string) => {
    text.value = typed
    fault.value = undefined
  }
  const read = (): readonly string[] | undefined => {
    const typed = text.peek()
    const argv = way.peek() === 'shell' ? typed.trim() !== '' && ['/bin/sh', '-c', typed] : argvOf(typed)
    fault.value = argv ? undefined : 'Enter a command.'
    return argv || undefined
  }
  return { way, text, fault, type, read }
}

function CommandFields({ way, text, fault, type }: ReturnType<typeof useCommand>) {
  const field = { value: text.value, fault: fault.value, onInput: type }
  return (
    <>
      <ChoiceField label="Run" value={way.value} choices={ways} onChoose={(chosen) => (way.value = chosen)} />
      {way.value === 'shell' ? (
        <TextField label="Command" mono hint="Runs as /bin/sh -c, for at most 60 seconds." {...field} />
      ) : (
        <TextArea label="Command" hint="One argument on each line, the program first. At most 60 seconds." {...field} />
      )}
    </>
  )
}

export function RunCommand({ id }: { readonly id: string }) {
  const command = useCommand()
  const used = useRun(id)
  const { busy, refusal, output, start, stop } = used
  const submit = (event: Event) => {
    event.preventDefault()
    const argv = command.read()
    if (argv) void start(argv)
  }
  return (
    <section class="containers-run" aria-labelledby="run-command">
      <h3 id="run-command">Run a command</h3>
      <form class="form" onSubmit={submit}>
        <CommandFields {...command} />
        <div class="actions">
          <Button kind="main" type="submit" busy={busy.value}>
            Run
          </Button>
          {busy.value && <Button onClick={stop}>Stop</Button>}
        </div>
      </form>
      {output.value && <OutputView output={output.value} label="Output" />}
      <p role="status">{stateText(used)}</p>
      {refusal.value && <Failed refusal={refusal.value} />}
    </section>
  )
}
