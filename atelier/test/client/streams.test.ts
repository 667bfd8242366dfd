import assert from 'node:assert/strict'
import test from 'node:test'
import { Atelier, type Fetch } from '../../client/atelier.ts'
import { all, failureOf } from './scene.ts'

const line = (value: object) => `${JSON.stringify(value)}\n`
const start = line({ type: 'start', execId: 'ex_1', at: '2026-01-01T00:00:00Z' })
const exit = line({ type: 'exit', exitCode: 0 })

/** a service that answers with these bytes, one answer after the other; an Error breaks the connection off */
function over(...answers: readonly (readonly (string | Error)[])[]) {
  const asked: string[] = []
  const fetch: Fetch = async (address) => {
    asked.push(new URL(address).search)
    const parts = [...(answers[asked.length - 1] ?? [])]
    const body = new ReadableStream({
      pull(controller) {
        const part = parts.shift()
        if (part === undefined) controller.close()
        else if (part instanceof Error) controller.error(part)
        else controller.enqueue(new TextEncoder().encode(part))
      },
    })
    return new Response(body, { headers: { 'content-type': 'application/x-ndjson', 'x-request-id': 'req_1' } })
  }
  return { asked, atelier: new Atelier({ url: 'http://127.0.0.1:1', key: 'atl_x', fetch }) }
}

const wish = { containerId: 'ct_x', command: ['x'] }
const stdout = (seq: number, data: string) => line({ type: 'stdout', seq, data })
const ping = line({ type: 'ping', at: '2026-01-01T00:00:00Z' })

test('lines are whole however they were cut on the way, and pings are not shown', async () => {
  const text = `${start}${ping}${stdout(1, 'grüße\n')}${exit}`
  const pieces = Array.from(text, (one) => one)
  const events = await all(over(pieces).atelier.runCommandStream(wish))
  assert.deepEqual(
    events.map(({ type }) => type),
    ['start', 'stdout', 'exit'],
  )
  assert.equal((events[1] as { data: string }).data, 'grüße\n')
})

test('a stream without its last line is an unknown outcome, never an end', async () => {
  for (const parts of [
    [start, stdout(1, 'x')],
    [start, new Error('reset')],
    [start, exit.slice(0, -3)],
  ]) {
    const failed = await failureOf(all(over(parts).atelier.runCommandStream(wish)))
    assert.deepEqual([failed.type, failed.retryable, failed.requestId], ['exec_outcome_unknown', false, 'req_1'])
  }
})

test('an error line is thrown as the refusal that it holds', async () => {
  const error = { type: 'output_limit', message: 'Too much.', requestId: 'req_2', details: { limit: 5 } }
  const failed = await failureOf(all(over([start, line({ type: 'error', error })]).atelier.runCommandStream(wish)))
  assert.deepEqual([failed.type, failed.requestId, failed.details.limit], ['output_limit', 'req_2', 5])
})

test('a line that is no line of the service ends the stream', async () => {
  for (const odd of ['<html>\n', '[]\n', '{"seq":1}\n', 'x'.repeat(1_100_000)]) {
    const failed = await failureOf(all(over([start, odd]).atelier.runCommandStream(wish)))
    assert.equal(failed.type, 'unexpected_answer')
  }
})

const log = (seq: number) =>
  line({ type: 'log', seq, at: '2026-01-01T00:00:00Z', step: 1, stream: 'stdout', data: 'x' })
const end = line({ type: 'end', status: 'ready' })

test('the log of a build goes on behind the last line that came, and shows none twice', async () => {
  const { asked, atelier } = over([log(1), log(2), new Error('reset')], [log(3)], [log(4), end])
  const events = await all(atelier.readImageLog({ id: 'img_x', follow: true }))
  assert.deepEqual(
    events.map((event) => ('seq' in event ? event.seq : event.type)),
    [1, 2, 3, 4, 'end'],
  )
  assert.deepEqual(asked, ['?follow=true', '?follow=true&after=2', '?follow=true&after=3'])
})

test('a log that breaks off again and again without a line ends with the failure', async () => {
  const { asked, atelier } = over([log(1)], [], [], [], [])
  assert.equal((await failureOf(all(atelier.readImageLog({ id: 'img_x' })))).type, 'unreachable')
  assert.equal(asked.length, 3)
})

test('a file that is shorter than announced ends with an error', async () => {
  const fetch: Fetch = async () => new Response('abc', { headers: { 'content-length': '4' } })
  const atelier = new Atelier({ url: 'http://127.0.0.1:1', key: 'atl_x', fetch })
  const file = await atelier.readFile({ containerId: 'ct_x', path: '/x' })
  assert.equal((await failureOf(file.text())).type, 'unreachable')
})
