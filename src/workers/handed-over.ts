// Sockets on their way to a worker. Node.js keeps the primary's end of each until the worker says that it has come, and
// for ever where the worker died before that: its caller would wait for an answer without end. So they are closed then.
import type { ChildProcess } from 'node:child_process'

interface Handle {
  close(): void
}

/** how the cluster module of Node.js says it; where a version says it otherwise, a test of ours hangs */
interface Handover {
  readonly act?: unknown
  readonly seq?: number
}

export function closeWhatIsNotTaken(worker: ChildProcess) {
  const onTheWay = new Map<number, Handle>()
  // one that could not be started has no channel
  const send = worker.send?.bind(worker) as ((...given: unknown[]) => boolean) | undefined
  if (!send) return
  worker.send = (message: unknown, ...rest: unknown[]) => {
    const { act, seq } = message as Handover
    if (act === 'newconn' && seq !== undefined && rest[0]) onTheWay.set(seq, rest[0] as Handle)
    return send(message, ...rest)
  }
  worker.on('internalMessage', ({ ack }: { ack?: number }) => {
    if (ack !== undefined) onTheWay.delete(ack)
  })
  worker.once('exit', () => {
    for (const handle of onTheWay.values()) handle.close()
  })
}
