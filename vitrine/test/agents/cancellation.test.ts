import assert from 'node:assert/strict'
import { request } from 'node:http'
import test from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { send } from '../support/scripted-platform.ts'
import { startScripted } from '../support/service.ts'
import { type Agent, agentOverHttp, agentOverStdio, feedback, revisions } from './scene.ts'

const until = async (holds: () => boolean) => {
  for (let i = 0; i < 800 && !holds(); i++) await sleep(5)
  assert.ok(holds())
}

const feedbackOf = (appId: string[]) => ({ operation: feedback, connection: 'acme', params: { appId } })
const walk = { operation: 'listApps', connection: 'acme', params: { limit: 1 } }

for (const revision of revisions)
  test(`cancelling a call aborts its platform call, in the ${revision} protocol`, async (t) => {
    let ended = 0
    const { service, platform, close } = await startScripted((_, res) => void res.once('close', () => ended++))
    t.after(close)
    const agents: Agent[] = [await agentOverStdio(t, service, { revision })]
    // an old client over HTTP cancels in a second request that is not tied to the first, which ends at its deadline
    if (revision === 'new') agents.push(await agentOverHttp(t, service, revision))
    for (const [i, { call }] of agents.entries()) {
      const stop = new AbortController()
      const asked = call('read', walk, { signal: stop.signal })
      await until(() => platform.calls.length > i)
      stop.abort(new Error('no longer wanted'))
      await assert.rejects(asked)
      await until(() => ended > i)
    }
    await until(
      () => service.events.filter((event) => event.kind === 'answered' && event.status === 499).length >= agents.length,
    )
    assert.ok(!service.events.some(({ kind }) => kind === 'failed'))
    platform.script = (_, res) => send(res, { data: [], links: {} })
    for (const { call } of agents) assert.equal((await call('read', walk)).said.complete, true)
  })

test('paging that is under way when the service stops returns the rows so far and a cursor to continue', async (t) => {
  const waiting: (() => void)[] = []
  const { service, platform, close } = await startScripted(({ query }, res) => {
    const from = Number(query.get('cursor') ?? 0)
    const next = `${platform.url}/v1/apps?${new URLSearchParams({ ...Object.fromEntries(query), cursor: `${from + 1}` }).toString()}`
    const data = [{ type: 'apps', id: `a${from}`, attributes: { name: 'x' } }]
    waiting.push(() => send(res, { data, links: { self: `${platform.url}/v1/apps`, next } }))
  })
  const { call } = await agentOverHttp(t, service)
  const asked = call('read_all', walk)
  await until(() => waiting.length === 1)
  waiting.shift()?.()
  await until(() => waiting.length === 1)
  const closed = close()
  await sleep(50)
  waiting.shift()?.()
  const { isError, said } = await asked
  assert.deepEqual([isError, said.error.code, said.rows.length, said.complete], [true, 'stopping', 2, false])
  assert.equal(typeof said.goOn.params.cursor, 'string')
  await closed
})

test('paging through a whole list takes one of the places for requests under way', async (t) => {
  const { service, platform, close } = await startScripted((_, res) => send(res, { data: [], links: {} }), {
    file: { limits: { requests: 2 } },
  })
  t.after(close)
  const { call } = await agentOverHttp(t, service)
  let release = () => {}
  platform.script = (_, res) => void (release = () => send(res, { data: [], links: {} }))
  const asked = call('read_all', walk)
  await until(() => platform.calls.length === 1)
  assert.equal((await service.ask('/v1/whoami')).status, 200)
  release()
  assert.equal((await asked).said.complete, true)
})

test('malformed platform JSON is reported by its code, and the next call is answered', async (t) => {
  const { service, platform, close } = await startScripted((_, res) => send(res, '{"data":', {}))
  t.after(close)
  const { call } = await agentOverHttp(t, service)
  const { isError, said } = await call('read', walk)
  assert.deepEqual([isError, said.error.code], [true, 'upstream_malformed'])
  platform.script = (_, res) => send(res, { data: [], links: {} })
  assert.deepEqual((await call('read', walk)).said.rows, [])
})

for (const revision of revisions)
  test(`a caller of the ${revision} protocol who disconnects ends the platform calls of their request`, async (t) => {
    const ended: string[] = []
    const { service, platform, close } = await startScripted(
      ({ path }, res) => void res.once('close', () => ended.push(path)),
    )
    t.after(close)
    const params = { name: 'read_all', arguments: { ...feedbackOf(['1', '2', '3', '4', '5', '6']) } }
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 't', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const fields = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'read_all' }
    const isNew = revision === 'new'
    const message = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { ...params, ...(isNew && { _meta: meta }) },
    }
    const req = request(`${service.url}/mcp`, {
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${service.key}`,
        'content-type': 'application/json',
        ...(isNew && fields),
        accept: 'application/json, text/event-stream',
      },
    })
    req.on('error', () => {})
    req.end(JSON.stringify(message))
    await until(() => platform.calls.length === 4)
    req.destroy()
    await until(() => ended.length === 4)
    await until(() => service.events.filter((event) => event.kind === 'answered' && event.status === 499).length === 5)
    await sleep(50)
    assert.equal(platform.calls.length, 4, 'no further platform call is made for the caller')
    assert.ok(!service.events.some(({ kind }) => kind === 'failed'))
  })

test('deeply nested arguments are refused, and the service goes on', async (t) => {
  const { service, close } = await startScripted((_, res) => send(res, { data: [], links: {} }))
  t.after(close)
  const { call } = await agentOverHttp(t, service)
  for (const depth of [100, 5_000, 30_000]) {
    const appId = `${'['.repeat(depth)}${']'.repeat(depth)}`
    const told = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"read_all","arguments":{"operation":"listApps","connection":"acme","params":{"name":${appId}}}}}`
    const { status } = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      body: told,
      headers: {
        authorization: `Bearer ${service.key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
    })
    assert.ok(status === 200 || status === 400, `${depth}: ${status}`)
  }
  assert.equal((await call('read', walk)).said.complete, true)
})
