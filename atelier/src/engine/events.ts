// What happens to the containers of this instance, as the engine tells it.
import type { IncomingMessage } from 'node:http'
import { readReply, refusalOf } from './client.ts'
import { type EngineLink, labels, limits } from './link.ts'
import { EngineError, type EngineEvent } from './port.ts'

const longestLine = 1024 * 1024
/** Podman calls them `died` and `remove`, Docker `die` and `destroy` */
const kinds: Readonly<Record<string, EngineEvent['kind']>> = {
  die: 'died',
  died: 'died',
  remove: 'removed',
  destroy: 'removed',
}

interface RawEvent {
  readonly Action?: string
  readonly Actor?: { readonly Attributes?: Readonly<Record<string, string>> | null }
}

function parseEvent(line: string): EngineEvent | undefined {
  const { Action = '', Actor } = JSON.parse(line) as RawEvent
  const id = Actor?.Attributes?.[labels.id]
  const kind = kinds[Action]
  return id !== undefined && kind ? { id, kind } : undefined
}

async function* readEvents(
  { client }: EngineLink,
  response: IncomingMessage,
  signal: AbortSignal,
): AsyncGenerator<EngineEvent> {
  let rest = ''
  response.once('close', () => {
    if (!signal.aborted) client.absences += 1
  })
  try {
    for await (const piece of response.setEncoding('utf8') as AsyncIterable<string>) {
      const lines = (rest + piece).split('\n')
      rest = lines.pop() ?? ''
      if (rest.length > longestLine) throw new EngineError('failed', 'an event is too long')
      for (const line of lines) {
        const event = line.trim() === '' ? undefined : parseEvent(line)
        if (event) yield event
      }
    }
  } catch (error) {
    if (signal.aborted) return
    throw error instanceof EngineError ? error : new EngineError('unavailable', error)
  }
  if (!signal.aborted) throw new EngineError('unavailable', 'the events ended')
}

export async function followEvents(link: EngineLink, signal: AbortSignal): Promise<AsyncIterable<EngineEvent>> {
  const query = link.filters({ type: ['container'], event: Object.keys(kinds) })
  const response = await link.client.stream({ method: 'GET', path: '/events', query, timeoutMs: limits.look })
  if ((response.statusCode ?? 0) >= 400) throw refusalOf(await readReply(response))
  const stop = () => response.destroy()
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  response.once('close', () => signal.removeEventListener('abort', stop))
  return readEvents(link, response, signal)
}
