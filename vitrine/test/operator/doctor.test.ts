import assert from 'node:assert/strict'
import test from 'node:test'
import { brokenInstallations } from '../../src/commands/broken-installations.ts'
import { readFaultRule } from '../../src/sandbox/sandbox.ts'
import { createExaminations } from '../../src/management/examination.ts'
import { createScripted, ended, openDisordered, startExamined } from './doctor-scene.ts'
import { fingerprint, startManager } from './manager.ts'

test('before the first examination there is none', async (t) => {
  const { ask } = await startManager(t)
  const { status, json } = await ask('GET', '/doctor')
  assert.equal(status, 200)
  assert.deepEqual(json, {
    state: 'never',
    startedAt: null,
    endedAt: null,
    by: null,
    connections: null,
    now: null,
    counts: { ok: 0, warn: 0, fail: 0, skip: 0 },
    leftOut: 0,
    findings: [],
  })
  assert.deepEqual((await ask('DELETE', '/doctor')).json, json)
})

test('the operator endpoint reports the same findings as the command line for each broken installation', async (t) => {
  const { looked, manager } = await startExamined(t)
  for (const name of Object.keys(brokenInstallations)) {
    const { read, found } = await openDisordered(t, name)
    looked.read = read
    assert.equal((await manager.ask('POST', '/doctor')).status, 201)
    const { state, findings, counts, leftOut } = await ended(manager)
    const ill = findings.filter((one: any) => one.state === 'warn' || one.state === 'fail')
    const said = ill.map((one: any) => `${one.id} ${one.state}`)
    assert.deepEqual([name, state, ...said], [name, 'done', ...(found ? [`${found.check} ${found.state}`] : [])])
    for (const one of ill) assert.ok(one.cause && one.cure && one.title, name)
    assert.deepEqual([counts.warn + counts.fail, leftOut], [said.length, 0])
  }
})

test('a healthy installation is reported check by check, with who asked and when', async (t) => {
  const { looked, manager } = await startExamined(t)
  looked.read = (await openDisordered(t, 'none')).read
  const begun = (await manager.ask('POST', '/doctor', { body: {} })).json
  assert.deepEqual([begun.state, begun.by, begun.connections, begun.endedAt], ['running', fingerprint, null, null])
  const { state, startedAt, endedAt, now, findings, counts } = await ended(manager)
  assert.deepEqual([state, now, startedAt], ['done', null, begun.startedAt])
  assert.ok(Date.parse(startedAt) <= Date.parse(endedAt))
  assert.deepEqual(counts, { ok: 40, warn: 0, fail: 0, skip: 0 })
  const titles = findings.map(({ title, connection }: any) => [connection, title].filter(Boolean).join(' '))
  assert.deepEqual(titles.slice(0, 4), ['Settings', 'Version', 'Outgoing calls', 'Addresses'])
  assert.deepEqual(titles.slice(-2), ['hosted Group performance', 'hosted Group legacy'])
  const [line] = await manager.audit()
  assert.deepEqual(
    [line?.act, line?.who, line?.target, line?.outcome, line?.details],
    ['doctor.examine', fingerprint, null, 'done', { connections: ['*'] }],
  )
})

test('only the named connections are checked, and those of the settings may be named, served or not', async (t) => {
  const { looked, manager } = await startExamined(t)
  looked.read = (await openDisordered(t, 'none')).read
  const { json } = await manager.ask('POST', '/doctor', { body: { connections: ['demo'] } })
  assert.deepEqual(json.connections, ['demo'])
  const { findings } = await ended(manager)
  const seen = new Set(findings.map(({ connection }: any) => connection))
  assert.deepEqual([...seen], [null, 'demo'])
  const [line] = await manager.audit()
  assert.deepEqual([line?.act, line?.target, line?.details], ['doctor.examine', 'demo', { connections: ['demo'] }])
})

test('an unknown name is refused with the nearest one, and nothing starts', async (t) => {
  const { doctor, rounds } = createScripted(['demo'])
  const { ask, deeds } = await startManager(t, { doctor })
  const { status, json } = await ask('POST', '/doctor', { body: { connections: ['acme', 'dmeo'] } })
  assert.deepEqual([status, json.error.code, json.error.param], [400, 'member_invalid', 'connections'])
  assert.equal(
    json.error.message,
    'connections: there is no "dmeo". Did you mean "demo"? Known: acme, demo, other, solo.',
  )
  for (const connections of [[], 'acme', ['acme', 'acme']])
    assert.equal((await ask('POST', '/doctor', { body: { connections } })).json.error.code, 'member_invalid')
  assert.equal((await ask('GET', '/doctor')).json.state, 'never')
  assert.deepEqual([rounds.length, (await deeds()).slice(1)], [0, Array(4).fill('doctor.examine denied')])
})

test('an examination reports findings as it runs, and the next one starts only after its end', async (t) => {
  const { doctor, rounds } = createScripted()
  const manager = await startManager(t, { doctor })
  const { ask, deeds } = manager
  const starts = await Promise.all([ask('POST', '/doctor'), ask('POST', '/doctor')])
  assert.deepEqual(starts.map(({ status }) => String(status)).sort(), ['201', '409'])
  assert.equal(starts.find(({ status }) => status === 409)?.json.error.code, 'doctor_busy')
  const round = rounds[0]?.round
  round?.begin('Store')
  const store = { id: 'store', title: 'Store', state: 'warn', says: 'There is none.', cure: 'Nothing.' } as const
  round?.tell({ ...store, tookMs: 3 })
  round?.begin('acme: Token')
  const { json } = await ask('GET', '/doctor')
  assert.deepEqual(
    [json.state, json.now, json.counts],
    ['running', 'acme: Token', { ok: 0, warn: 1, fail: 0, skip: 0 }],
  )
  assert.deepEqual(json.findings, [{ ...store, connection: null, cause: null, tookMs: 3 }])
  rounds[0]?.done()
  assert.equal((await ended(manager)).state, 'done')
  assert.equal((await ask('POST', '/doctor')).status, 201)
  assert.deepEqual((await ask('GET', '/doctor')).json.findings, [])
  assert.equal(rounds.length, 2)
  const told = ['doctor.examine done', 'doctor.examine denied', 'doctor.examine done']
  assert.deepEqual((await deeds()).slice(1).sort(), told.sort())
})

test('a stopped examination makes no more calls and keeps its findings', async (t) => {
  const { looked, manager } = await startExamined(t)
  const { sandbox, read } = await openDisordered(t, 'none')
  looked.read = read
  sandbox.setFaults([readFaultRule('hang@/v1/apps/')])
  await manager.ask('POST', '/doctor')
  // both connections wait for an answer that does not come
  while ((await manager.ask('GET', '/doctor')).json.counts.ok < 26);
  const stopped = (await manager.ask('DELETE', '/doctor')).json
  assert.deepEqual([stopped.state, stopped.now], ['stopped', null])
  assert.deepEqual([stopped.counts, stopped.endedAt !== null], [{ ok: 26, warn: 0, fail: 0, skip: 0 }, true])
  assert.deepEqual(
    stopped.findings.slice(20, 22).map(({ connection, id }: any) => `${connection} ${id}`),
    ['demo group:apps', 'hosted key-file'],
    'each connection in one piece',
  )
  const asked = sandbox.asked.length
  assert.deepEqual((await manager.ask('GET', '/doctor')).json, stopped)
  sandbox.setFaults([])
  assert.equal((await manager.ask('POST', '/doctor', { body: { connections: ['demo'] } })).status, 201)
  assert.equal((await ended(manager)).state, 'done')
  assert.equal(sandbox.asked.length, asked + 9, 'what was stopped has asked nothing since')
  assert.deepEqual((await manager.deeds()).slice(1), ['doctor.examine done', 'doctor.stop done', 'doctor.examine done'])
})

test('an examination ends with the service, and no other starts', async (t) => {
  const { doctor, rounds } = createScripted()
  const { ask, service } = await startManager(t, { doctor })
  await ask('POST', '/doctor')
  await service.running.close()
  assert.equal(rounds[0]?.round.signal.aborted, true)
  const closed = createExaminations(doctor, Date.now)
  await closed.close()
  const late = closed.start({ ids: [], by: 'x', first: async () => {} })
  await assert.rejects(late, { code: 'stopping' })
  assert.equal(rounds.length, 1)
})

test('an examination that cannot go on says why, without a secret', async (t) => {
  const { doctor, rounds } = createScripted()
  const manager = await startManager(t, { doctor })
  await manager.ask('POST', '/doctor')
  rounds[0]?.fail(new Error('no way to postgres://me:hunter2@db/v'))
  const { state, counts, findings } = await ended(manager)
  assert.deepEqual([state, counts.fail], ['failed', 1])
  assert.deepEqual(
    [findings[0].says, findings[0].cause],
    ['It could not go on.', 'no way to postgres://me:[redacted]@db/v'],
  )
})
