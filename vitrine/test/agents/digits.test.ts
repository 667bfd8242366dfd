import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import test from 'node:test'
import { Vitrine } from '../../client/vitrine.ts'
import { parseExactly } from '../../../base/core/exact-numbers.ts'
import { callerOf, environment, vitrine } from '../support/command-line.ts'
import { send } from '../support/scripted-platform.ts'
import { startScripted } from '../support/service.ts'

/** numbers as the platform may write them: beyond the precision of a double, or in another spelling */
const numbers = [
  '12345678901234567890',
  '9007199254740993',
  '-9223372036854775808',
  '0.1234567890123456789',
  '1234567890.1234567890',
  '123456789012345678901234567890.5',
  '1E5',
  '1.5e3',
  '1e2',
  '7',
  '0.25',
  '-3',
  '0',
  '0.1000',
  '1.0',
  '-0',
  '-0.0',
  '0.0000001',
]

/** a string that looks like a number stays a string */
const name = 'm \\"1.50\\" 1E5'
const metric = (number: string) =>
  `{"metric":"${name}","maxLatestVersionValue":${number},"populations":[{"deltaPercentage":${number}}]}`
const overview = `{"version":"1","insights":{"regressions":[${numbers.map(metric).join(',')}]}}`

const found = (text: string): string[] =>
  [
    ...text.matchAll(
      /"maxLatestVersionValue":\s*([^,\s]+),\s*"populations":\s*\[\s*\{\s*"deltaPercentage":\s*([^}\s]+)/g,
    ),
  ].map(([, one = '', two = '']) => {
    assert.equal(one, two)
    return one
  })

const operation = 'getPerformanceOverview'
const message = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
const call = message('tools/call', {
  name: 'read',
  arguments: { operation, connection: 'acme', params: { appId: 7 } },
})

/** the whole standard output of `vitrine mcp` */
async function overPipes(env: Record<string, string>): Promise<string> {
  const child = spawn(resolve('bin/vitrine'), ['mcp'], { env: environment(env) })
  let out = ''
  const clientInfo = { name: 't', version: '1' }
  child.stdin.write(`${message('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })}\n`)
  child.stdin.write(`${call}\n`)
  child.stdout.on('data', (part: Buffer) => {
    out += part.toString()
    if (out.includes('structuredContent')) child.stdin.end()
  })
  await once(child, 'close')
  return out
}

/** the structure, and the text that holds JSON in a string */
const bothForms = (answer: string) => {
  const [, structure = ''] = answer.split('"structuredContent":')
  const { result } = JSON.parse(answer.trim().split('\n').at(-1) ?? '')
  return [found(structure), found(result.content[0].text)]
}

test('numbers keep the digits of the HTTP response for agents and on the command line, in every output format', async (t) => {
  const { service, close } = await startScripted((_, res) => send(res, overview))
  t.after(close)
  const { text: http } = await service.ask('/apps/7/performance-overviews')
  assert.deepEqual(found(http), numbers)
  const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' }
  const posted = await fetch(`${service.url}/mcp`, { method: 'POST', headers, body: call })
  assert.deepEqual(bothForms(await posted.text()), [numbers, numbers])
  assert.deepEqual(bothForms(await overPipes(callerOf(service))), [numbers, numbers])
  for (const format of ['json', 'ndjson', 'csv', 'table']) {
    const args = ['read', operation, '--appId', '7', '--wide', '--output', format]
    const { out } = await vitrine(args, callerOf(service))
    assert.deepEqual(found(format === 'csv' ? out.replaceAll('""', '"') : out), numbers, format)
  }
})

test('with the parser from its guide, the client keeps the digits of numbers in the JSON made of its answers', async (t) => {
  const { service, close } = await startScripted((_, res) => send(res, overview))
  t.after(close)
  const parse = (text: string) =>
    JSON.parse(text, (_, value, { source = '' }: any) =>
      typeof value === 'number' && JSON.stringify(value) !== source ? JSON.rawJSON(source) : value,
    )
  const client = new Vitrine({ url: service.url, key: service.key, connection: 'acme', parse })
  assert.deepEqual(found(JSON.stringify(await client.getPerformanceOverview({ appId: '7' }))), numbers)
})

test('JSON is rewritten without a change to its numbers and strings', () => {
  for (const text of [
    '[0.1000,1.0,1e400,-0,-0.0,1E+5,12345678901234567890,1.5,3]',
    '{"a":"1.0, 2.50","b":{"c":["\\\\","\\"1e9\\"",1.50]}}',
    '{"a":"1.0 \\" 2.0","b":1}',
    '"1.0"',
    '-0',
    '{}',
  ])
    assert.equal(JSON.stringify(parseExactly(text)), text)
  for (const wrong of ['', '[1.0', '{"a":01.0}', '1.0.0', '[1e]']) assert.throws(() => parseExactly(wrong), SyntaxError)
  const long = `["${'x\\"1.0'.repeat(500_000)}",1]`
  assert.equal(JSON.stringify(parseExactly(long)), long)
})
