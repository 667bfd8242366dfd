// What is read as it comes: lines of JSON, files, trees.
import { isObject, parsed, refusalOf, requestIdOf, unexpected } from './answer.ts'
import { AtelierError, brokeOff, withoutAnswer } from './errors.ts'
import { type Begun, type Call, unlessStopped } from './exchange.ts'
import type { FileAnswer, TreeAnswer } from './types.ts'

/** the service is never silent for so long: it sends a ping after 15 s */
const silenceMs = 60_000
/** more than the 64 KiB of a line take as JSON */
const longestLine = 1_048_576

/** the pieces of a body; an end that came too early is an error */
async function* piecesOf({ response, stopper }: Begun, call: Call, mayBeSilent: boolean) {
  const { signal } = stopper
  const requestId = requestIdOf(response, call)
  const reader = response.body?.getReader()
  let silence: ReturnType<typeof setTimeout> | undefined
  const late = () => stopper.abort(brokeOff('silence', requestId))
  try {
    for (;;) {
      clearTimeout(silence)
      if (!mayBeSilent) silence = setTimeout(late, silenceMs)
      const piece = reader ? await unlessStopped(reader.read(), signal) : { done: true as const }
      if (piece.done) return
      yield piece.value as Uint8Array
    }
  } catch (error) {
    signal.throwIfAborted()
    throw brokeOff(error, requestId)
  } finally {
    clearTimeout(silence)
    stopper.release()
    // closes the connection where it is left early
    void reader?.cancel().catch(() => {})
    stopper.abort(new Error('closed'))
  }
}

type Line = Readonly<Record<string, unknown>> & { readonly type: string }

/** Every line but pings, up to `last`. An `error` line is thrown; so is an end without `last`. */
export async function* readLines(begun: Begun, call: Call, last: string): AsyncGenerator<Line, void, undefined> {
  const { status } = begun.response
  const requestId = requestIdOf(begun.response, call)
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of piecesOf(begun, call, false)) {
    const texts = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = texts.pop() ?? ''
    for (const text of texts) {
      const line = parsed(text)
      if (!isObject(line) || typeof line['type'] !== 'string') throw unexpected(begun.response, text, call)
      if (line['type'] === 'error')
        throw refusalOf(line['error'], { status, requestId }) ?? unexpected(begun.response, text, call)
      if (line['type'] !== 'ping') yield line as Line
      if (line['type'] === last) return
    }
    if (rest.length > longestLine) throw unexpected(begun.response, rest.slice(0, 200), call)
  }
  throw brokeOff('it has no last line', requestId)
}

/** a command whose stream broke off may have run, and may have ended */
export const unknownOutcome = (error: AtelierError): AtelierError =>
  new AtelierError(
    `${error.message} The outcome of the command is unknown: find out by another command before repeating it.`,
    { ...withoutAnswer('exec_outcome_unknown'), requestId: error.requestId },
    { cause: error },
  )

function bodyOf(begun: Begun, call: Call): ReadableStream<Uint8Array> {
  begun.stopper.stopClock()
  const pieces = piecesOf(begun, call, true)
  const length = begun.response.headers.get('content-length')
  let left = length === null ? undefined : Number(length)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next()
        if (value) {
          if (left !== undefined) left -= value.length
          controller.enqueue(value)
        } else if (done && left !== undefined && left !== 0)
          controller.error(brokeOff('it is not as long as announced', requestIdOf(begun.response, call)))
        else controller.close()
      },
      cancel: () => void pieces.return(),
    },
    // nothing is read before it is asked for
    { highWaterMark: 0 },
  )
}

async function bytesOf(body: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  return new Uint8Array(await new Response(body as never).arrayBuffer())
}

export const readTree =
  (call: Call) =>
  async (begun: Begun): Promise<TreeAnswer> => ({
    body: bodyOf(begun, call),
    requestId: requestIdOf(begun.response, call),
  })

export const readFileAnswer =
  (call: Call) =>
  async (begun: Begun): Promise<FileAnswer> => {
    const { headers } = begun.response
    const body = bodyOf(begun, call)
    return {
      body,
      sizeBytes: Number(headers.get('content-length')),
      mode: headers.get('x-file-mode') ?? '',
      modifiedAt: headers.get('x-file-modified') ?? '',
      requestId: requestIdOf(begun.response, call),
      bytes: () => bytesOf(body),
      text: async () => new TextDecoder().decode(await bytesOf(body)),
    }
  }
