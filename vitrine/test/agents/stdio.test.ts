import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import test from 'node:test'
import { startOverSandbox } from '../support/service.ts'
import { agentOverStdio } from './scene.ts'

async function run(env: Record<string, string>, args: string[] = [], input = '') {
  const child = spawn(resolve('bin/vitrine'), ['mcp', ...args], { env: { PATH: process.env['PATH'] ?? '', ...env } })
  let [out, err] = ['', '']
  child.stdout.on('data', (part: Buffer) => (out += part.toString()))
  child.stderr.on('data', (part: Buffer) => (err += part.toString()))
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  return { code, out, err }
}

test('without a key the command explains the fix on standard error, and standard output stays empty', async () => {
  const { code, out, err } = await run({})
  assert.deepEqual([code, out], [3, ''])
  assert.match(err, /There is no facade key: set VITRINE_KEY/)
})

test('a malformed facade key or an address with a password is refused, never sent and never printed', async () => {
  const wrong = await run({ VITRINE_KEY: 'sk-another-secret-0123456789' })
  assert.equal(wrong.code, 3)
  assert.match(wrong.err, /VITRINE_KEY: this is not a complete facade key/)
  assert.ok(!wrong.err.includes('another-secret'))
  const { service, close } = await startOverSandbox()
  await close()
  const address = await run({ VITRINE_KEY: service.key }, ['--url', 'http://me:hunter22@127.0.0.1:1'])
  assert.deepEqual([address.code, address.out], [2, ''])
  assert.match(address.err, /^vitrine: --url: /)
  assert.ok(!address.err.includes('hunter22') && !address.err.includes(service.key))
})

test('standard output holds only protocol messages, and the end of the input ends the program', async (t) => {
  const { service, close } = await startOverSandbox()
  t.after(close)
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } }
  const hello = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
  const { code, out } = await run({ VITRINE_KEY: service.key, VITRINE_URL: service.url }, [], `${hello}\nno JSON\n`)
  assert.equal(code, 0)
  for (const line of out.trimEnd().split('\n').filter(Boolean)) assert.equal(JSON.parse(line).jsonrpc, '2.0')
})

test('an invalid message gets an error line, and an endless one ends the program', async (t) => {
  const { service, close } = await startOverSandbox()
  t.after(close)
  const env = { VITRINE_KEY: service.key, VITRINE_URL: service.url }
  const odd = await run(env, [], '[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n')
  assert.deepEqual([odd.code, odd.out], [0, ''])
  assert.equal(odd.err, 'vitrine: A line on standard input is not a message of the protocol.\n')
  const child = spawn(resolve('bin/vitrine'), ['mcp'], { env: { PATH: process.env['PATH'] ?? '', ...env } })
  t.after(() => child.kill())
  let err = ''
  child.stderr.on('data', (part: Buffer) => (err += part.toString()))
  child.stdin.on('error', () => {})
  child.stdin.write('x'.repeat(11_000_000))
  const [code] = await once(child, 'close')
  assert.equal(code, 0)
  assert.match(err, /^vitrine: [^\n]*maximum size[^\n]*\n$/)
})

test('an unreachable service is reported as an error, and the agent continues', async (t) => {
  const { service, close } = await startOverSandbox()
  const { key } = service
  const agent = await agentOverStdio(t, { url: 'http://127.0.0.1:9', key }, { args: ['--connection', 'acme'] })
  await close()
  const { isError, said } = await agent.call('read', { operation: 'listApps' })
  assert.deepEqual([isError, said.error.type], [true, 'unreachable'])
  assert.match(said.error.cure, /service is running/)
  assert.equal((await agent.call('explain_error', { code: 'key_invalid' })).isError, false)
})

test('the connection given to the command is the default of every call', async (t) => {
  const { service, close } = await startOverSandbox()
  t.after(close)
  const agent = await agentOverStdio(t, service, { args: ['--connection', 'other'] })
  const { said } = await agent.call('read', { operation: 'listApps', params: { limit: 1 } })
  assert.equal(said.connection, 'other')
})
