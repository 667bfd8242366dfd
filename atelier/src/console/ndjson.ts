// Reads an answer of JSON lines as they come.
import { ApiRefusal, unreachable } from '../../../base/console/refusal.ts'

const strange = () =>
  new ApiRefusal({
    status: 200,
    code: 'strange_answer',
    message: 'The answer is not what Atelier sends. Reload the page.',
  })

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw strange()
  }
}

/** throws an ApiRefusal where the connection is lost; the end of the answer is the end of the lines */
export async function* linesOf<T>({ body }: Response, signal: AbortSignal): AsyncGenerator<T> {
  if (!body) throw strange()
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const lines = (rest + value).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line !== '') yield parse(line) as T
    }
  } catch (error) {
    if (signal.aborted || error instanceof ApiRefusal) throw error
    throw unreachable()
  } finally {
    // a reader that stops ends the request
    await reader.cancel().catch(() => {})
  }
}
