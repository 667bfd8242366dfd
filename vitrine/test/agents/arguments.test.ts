// POST /mcp, `vitrine mcp` over its pipes, the typed client and the command line read arguments alike: they get the same calls
// and are compared with each other and with the hand-typed table.
import assert from 'node:assert/strict'
import test from 'node:test'
import { Vitrine, type VitrineError } from '../../client/vitrine.ts'
import { callerOf, vitrine } from '../support/command-line.ts'
import { startOverSandbox } from '../support/service.ts'
import { explanationOf } from '../../src/explanations.ts'
import { type Row, rows } from './argument-table.ts'
import { type Agent, agentOverHttp, agentOverStdio } from './scene.ts'

interface Outcome {
  /** `200` and the number of rows, or the code and the parameter */
  readonly words: string
  readonly rows?: readonly unknown[]
  readonly docUrl?: string
}

const answered = (found: readonly unknown[]): Outcome => ({ words: `200 ${found.length}`, rows: found })
const refused = ({ code, param, docUrl }: { code: string; param?: string; docUrl?: string }): Outcome => ({
  words: [code, param].filter((word) => word !== undefined).join(' '),
  ...(docUrl !== undefined && { docUrl }),
})

const bodyRows = (body: any): unknown[] => body.items ?? [body]

type Ask = (row: Row) => Promise<Outcome | undefined>

const byAgent =
  (agent: Agent): Ask =>
  async ({ operation, params, connection = 'acme' }) => {
    const { said } = await agent.call('read', { operation, connection, ...(params !== undefined && { params }) })
    return said.error ? refused(said.error) : answered(said.rows)
  }

const byClient =
  (client: any): Ask =>
  async ({ operation, params, connection = 'acme' }) => {
    try {
      return answered(bodyRows(await client.read(operation, params, { connection })))
    } catch (error) {
      return refused(error as VitrineError)
    }
  }

const wordsFor = (params: unknown): string[] =>
  Object.entries(params ?? {}).map(([name, value]) => `--${name}=${[value].flat().join(',')}`)

const byCommand =
  (env: Record<string, string>): Ask =>
  async ({ operation, params, connection = 'acme', words }) => {
    if (words === null) return undefined
    const given = words ?? wordsFor(params)
    const args = ['read', String(operation), `--connection=${String(connection)}`, '--output=json', ...given]
    const { code, out, err } = await vitrine(args, env)
    if (code === 0) return answered(bodyRows(JSON.parse(out)))
    assert.equal(out, '')
    return refused(JSON.parse(err.trim().split('\n').at(-1) ?? '').error)
  }

const isFull = process.env['ENDURANCE'] === 'full'

/** at most four processes at once */
async function inTurns<T, R>(all: readonly T[], act: (one: T) => Promise<R>): Promise<R[]> {
  const found: R[] = []
  for (let at = 0; at < all.length; at += 4) found.push(...(await Promise.all(all.slice(at, at + 4).map(act))))
  return found
}

test(`${rows.length} sets of arguments have the same outcome over HTTP, over stdio, in the typed client and on the command line`, async (t) => {
  const { service, close } = await startOverSandbox()
  t.after(close)
  const entrances: Record<string, Ask> = {
    mcp: byAgent(await agentOverHttp(t, service)),
    stdio: byAgent(await agentOverStdio(t, service)),
    client: byClient(new Vitrine({ url: service.url, key: service.key })),
    command: byCommand(callerOf(service)),
  }
  const wrong: string[] = []
  await inTurns([...rows.entries()], async ([at, row]) => {
    const { operation, params, connection, expected } = row
    const asked = `${String(operation)} ${JSON.stringify(params)?.slice(0, 80)} ${JSON.stringify(connection) ?? ''}`
    let first: readonly unknown[] | undefined
    for (const [name, ask] of Object.entries(entrances)) {
      // a process for each case is slow: every other case, unless all are requested
      if (name === 'command' && !isFull && at % 2 === 1) continue
      if (name === 'mcp' && row.isNoBody) {
        await assert.rejects(ask(row), /malformed_body/)
        continue
      }
      const outcome = await ask(row)
      if (!outcome) continue
      if (outcome.words !== expected) wrong.push(`${name}: ${asked}: ${outcome.words}, not ${expected}`)
      if (outcome.rows) {
        first ??= outcome.rows
        assert.deepEqual(outcome.rows, first, `${name}: ${asked}`)
      } else {
        const [code = ''] = outcome.words.split(' ')
        assert.equal(outcome.docUrl, `${service.url}/errors/${code}`, `${name}: ${asked}`)
        assert.ok(explanationOf(code), code)
      }
    }
  })
  assert.deepEqual(wrong, [])
})
