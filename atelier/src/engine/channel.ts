// The streams of a process in a container as bytes both ways, for a protocol of its own: of the first process, or of a command.
import type { Readable, Writable } from 'node:stream'
import { createDemultiplexer } from './frames.ts'
import { createExec } from './exec.ts'
import { containerFailure, type EngineLink, limits } from './link.ts'
import type { EngineChannel, ExecTemplate } from './port.ts'

interface Streams {
  readonly incoming: Readable
  readonly outgoing: Writable | undefined
  readonly head: Buffer
}

function channelOver({ incoming, outgoing, head }: Streams): EngineChannel {
  const ended = Promise.withResolvers<void>()
  // one that is lost ends, too
  incoming.on('error', () => ended.resolve())
  incoming.on('close', () => ended.resolve())
  incoming.once('end', () => incoming.destroy())
  return {
    ended: ended.promise,
    onData(listener) {
      const split = createDemultiplexer()
      const take = (piece: Buffer) => {
        for (const { stream, data } of split(piece)) if (stream === 'stdout') listener(data)
      }
      if (head.length > 0) take(head)
      incoming.on('data', take)
    },
    write: (data) => void (outgoing?.writable && outgoing.write(data)),
    get unsent() {
      return outgoing?.writableLength ?? 0
    },
    close() {
      incoming.destroy()
      outgoing?.destroy()
    },
  }
}

export async function openChannel(link: EngineLink, template: ExecTemplate): Promise<EngineChannel> {
  return channelOver((await createExec(link, template)).connection)
}

/** without keys that detach: the engine would look for them in the bytes */
export async function attachContainer(link: EngineLink, id: string): Promise<EngineChannel> {
  const query = { stream: '1', stdin: '1', stdout: '1', stderr: '1', detachKeys: '' }
  const path = `/containers/${encodeURIComponent(id)}/attach`
  const answer = await link.client.upgrade({ method: 'POST', path, query, timeoutMs: limits.change })
  if ('status' in answer) throw await containerFailure(link, id, answer)
  const { socket, head } = answer
  return channelOver({ incoming: socket, outgoing: socket, head })
}
