import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { startProgram } from '../support/process.ts'

/** in the place of an SDK: it writes down each span when it ends */
const preloaded = `
import { appendFileSync } from 'node:fs'
import { trace } from '@opentelemetry/api'
let made = 0
const startSpan = (name, { attributes }, context) => {
  const parent = trace.getSpanContext(context)
  const said = { name, attributes: { ...attributes }, parent: parent?.spanId }
  const ids = { traceId: parent?.traceId ?? 'b'.repeat(32), spanId: (++made).toString(16).padStart(16, 'a'), traceFlags: 1 }
  return {
    spanContext: () => ids,
    setAttribute: (key, value) => { said.attributes[key] = value },
    setStatus: () => {},
    updateName: (to) => { said.name = to },
    end: () => appendFileSync(process.env.SPANS, JSON.stringify(said) + '\\n'),
  }
}
trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) })
`

test('spans go to whatever is preloaded, with an interface of its own, from a folder outside the installation', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-preloaded-'))
  t.after(() => rmSync(folder, { recursive: true }))
  cpSync('../node_modules/@opentelemetry/api', join(folder, 'node_modules/@opentelemetry/api'), { recursive: true })
  const [file, spans] = [join(folder, 'traces.mjs'), join(folder, 'spans.jsonl')]
  writeFileSync(file, preloaded)
  writeFileSync(spans, '')
  const { url, stop } = await startProgram(t, {
    env: { NODE_OPTIONS: `--import ${file}`, VITRINE_TRACES: 'true', SPANS: spans },
    stdio: 'ignore',
  })
  const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
  const answer = await fetch(`${url}/v1/whoami`, { headers: { traceparent: `00-${traceId}-${spanId}-01` } })
  assert.equal(answer.status, 401)
  assert.equal(await stop(), 0)
  const said = readFileSync(spans, 'utf8').trimEnd().split('\n')
  assert.deepEqual(
    said.map((line) => JSON.parse(line)),
    [
      {
        name: 'unknown',
        attributes: {
          'vitrine.operation': 'unknown',
          'http.response.status_code': 401,
          'vitrine.code': (await answer.json()).error.code,
        },
        parent: spanId,
      },
    ],
  )
})
