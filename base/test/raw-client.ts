// A caller in bytes: writes the given bytes to the public endpoint, and reads every answer.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface RawAnswer {
  readonly status: number
  /** names in lower case */
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
  readonly json: any
}

export interface RawResult {
  readonly answers: RawAnswer[]
  /** bytes behind the last whole answer */
  readonly rest: string
  /** whether the service closed the socket */
  readonly closed: boolean
  readonly tookMs: number
}

export interface RawOptions {
  /** how long to wait for unexpected bytes after the last expected answer */
  readonly quietMs?: number
  /** the number of expected answers, if the service keeps the socket open */
  readonly answers?: number
  readonly halfClose?: boolean
  readonly pauseMs?: number
  readonly mostMs?: number
  /** the answers have no bodies */
  readonly head?: boolean
}

const split = /\r\n\r\n/

function readAnswers(text: string, head: boolean): { answers: RawAnswer[]; rest: string } {
  const answers: RawAnswer[] = []
  for (let rest = text; ;) {
    const end = rest.search(split)
    const [line = '', ...fields] = rest.slice(0, Math.max(0, end)).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
    if (end < 0 || Number.isNaN(status)) return { answers, rest }
    const headers = new Map(
      fields.map((f) => [f.slice(0, f.indexOf(':')).toLowerCase(), f.slice(f.indexOf(':') + 1).trim()]),
    )
    const length = head ? 0 : Number(headers.get('content-length') ?? 0)
    const body = rest.slice(end + 4, end + 4 + length)
    if (body.length < length) return { answers, rest }
    const isJson = headers.get('content-type')?.startsWith('application/json') && body !== ''
    answers.push({ status, headers, body, json: isJson ? JSON.parse(body) : undefined })
    rest = rest.slice(end + 4 + length)
  }
}

/** writes the pieces one by one, and reads until the service closes or no more is expected */
export async function sendRaw(
  port: number,
  bytes: string | Buffer | readonly (string | Buffer)[],
  manner: RawOptions = {},
): Promise<RawResult> {
  const { quietMs = 40, answers: due = 1, halfClose = false, pauseMs = 0, mostMs = 4_000, head = false } = manner
  const startedAt = performance.now()
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
  const state = { text: '', closed: false, lastAt: startedAt }
  socket.on('error', () => (state.closed = true))
  socket.on('end', () => (state.closed = true))
  socket.on('close', () => (state.closed = true))
  socket.on('data', (part) => {
    state.text += part.toString('latin1')
    state.lastAt = performance.now()
  })
  const pieces: readonly (string | Buffer)[] = typeof bytes === 'string' || Buffer.isBuffer(bytes) ? [bytes] : bytes
  for (const piece of pieces) {
    if (state.closed) break
    socket.write(typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece)
    if (pauseMs > 0) await sleep(pauseMs)
  }
  if (halfClose) socket.end()
  while (!state.closed && performance.now() - startedAt < mostMs) {
    const { answers } = readAnswers(state.text, head)
    if (answers.length >= due && performance.now() - state.lastAt > quietMs) break
    await sleep(5)
  }
  socket.destroy()
  return { ...readAnswers(state.text, head), closed: state.closed, tookMs: performance.now() - startedAt }
}

/** every refusal has our own body, and repeats nothing of the request */
export function checkRefusal({ status, headers, json }: RawAnswer, said = '') {
  assert.notEqual(status, 500)
  assert.match(String(headers.get('content-type')), /^application\/json/)
  assert.equal(headers.get('cache-control'), 'no-store')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  assert.equal(headers.get('server'), undefined)
  const { type, code, message, requestId } = json.error
  for (const text of [type, code, message]) assert.ok(typeof text === 'string' && text !== '')
  assert.equal(requestId, headers.get('x-request-id'))
  const body = JSON.stringify(json)
  for (let at = 0; at + 41 <= said.length; at += 1)
    assert.ok(!body.includes(said.slice(at, at + 41)), `repeats ${said.slice(at, at + 41)}`)
}
