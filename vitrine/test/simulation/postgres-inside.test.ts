// The PostgreSQL of the simulation answers as a real one does: what stores ask over random acts and faults, and statements that fail.
import assert from 'node:assert/strict'
import test from 'node:test'
import { Client } from 'pg'
import { postgresDatabase } from '../../../base/store/postgres.ts'
import { noPostgres } from '../../../base/test/postgres.ts'
import { compareOnPostgres } from '../../../base/test/simulator/compare-with-real.ts'
import { replaceGlobals, useNetwork } from '../../../base/test/simulator/globals.ts'
import { Network } from '../../../base/test/simulator/network.ts'
import type { SimulatedNode } from '../../../base/test/simulator/node.ts'
import { PostgresServer, type Recorded } from '../../../base/test/simulator/postgres/server.ts'
import { translate } from '../../../base/test/simulator/postgres/sql.ts'
import { Simulation } from '../../../base/test/simulator/simulation.ts'
import { Problem } from '../../src/problems.ts'
import { migrations, schema } from '../../src/store/migrations.ts'
import { storeOver } from '../../src/store/store.ts'
import { act } from './postgres-acts.ts'
import { subject } from './revocation/subject.ts'

const runs = Number(process.env['RUNS'] ?? 2)
const texts = new Map(migrations.map(({ postgres, sqlite }) => [postgres, sqlite]))
const address = 'postgres://vitrine@postgres/vitrine'
const untilMs = 60_000

interface Installation {
  readonly simulation: Simulation
  readonly network: Network
  readonly servers: readonly [PostgresServer, PostgresServer]
}

function openInstallation(seed: number): Installation {
  replaceGlobals()
  const simulation = new Simulation(seed)
  const network = new Network(simulation)
  useNetwork(network)
  const open = (name: string) => new PostgresServer(network, simulation.addNode(name), { texts, records: true })
  const [primary, standby] = [open('postgres a'), open('postgres b')]
  network.redirect('postgres', primary.node)
  standby.follow(primary)
  return { simulation, network, servers: [primary, standby] }
}

/** a Problem is an answer; all else is a fault of the test */
const settle = (asking: Promise<unknown>): Promise<unknown> =>
  asking.catch((error: Error) => {
    if (!(error instanceof Problem) && !/is not known here/.test(error.message)) return error.message
    if (!(error instanceof Problem)) throw error
    return error.code
  })

async function play(seed: number): Promise<Installation> {
  const installation = openInstallation(seed)
  const { simulation, network, servers } = installation
  const [primary, standby] = servers
  async function serve(node: SimulatedNode) {
    const db = await postgresDatabase(address, schema)
    const store = storeOver(db)
    for (;;) {
      await settle(act(store, db, node.random))
      await new Promise((ok) => setTimeout(ok, node.random.between(1, 600)))
    }
  }
  const failed = (error: unknown) => void (simulation.failure ??= error)
  for (const name of ['replica 1', 'replica 2', 'replica 3']) {
    const node = simulation.addNode(name)
    simulation.after(0, () => void serve(node).catch(failed), node)
  }
  const at = (ms: number, change: () => void) => simulation.at(ms, simulation.world, change)
  const to = ({ node }: PostgresServer) => network.redirect('postgres', node)
  at(12_000, () => (primary.isReadOnly = true))
  at(15_000, () => (primary.isReadOnly = false))
  at(20_000, () => (network.cut(primary.node, standby.node), to(standby), primary.disconnectAll()))
  at(23_000, () => (network.heal(primary.node, standby.node), to(primary)))
  at(27_000, () => (primary.mostMs = 2_500))
  at(32_000, () => (primary.mostMs = 0))
  at(36_000, () => (primary.kill(), standby.promote(), to(standby)))
  at(42_000, () => (primary.follow(standby), primary.start()))
  await simulation.run(untilMs)
  if (simulation.failure !== undefined) throw simulation.failure as Error
  return installation
}

test(
  'what stores ask over random acts and faults has the answers of a real PostgreSQL',
  { skip: noPostgres, timeout: 180_000 },
  async (t) => {
    const codes = new Map<string, number>()
    for (let seed = 1; seed <= runs; seed++)
      for (const { recorded = [], node } of (await play(seed)).servers) {
        assert.deepEqual((await compareOnPostgres(recorded)).slice(0, 3), [], `seed ${seed}, ${node.name}`)
        for (const one of recorded)
          if (one.kind === 'asked') codes.set(one.error ?? 'done', (codes.get(one.error ?? 'done') ?? 0) + 1)
      }
    t.diagnostic(JSON.stringify([...codes]))
    const expected = ['done', '23505', '23514', '23502', '25006', '25P02', '42703', '42P01', '57014', 'P0001']
    assert.deepEqual(
      expected.filter((code) => !codes.has(code)),
      [],
    )
  },
)

test(
  'what replicas ask in whole runs has the answers of a real PostgreSQL',
  { skip: noPostgres, timeout: 180_000 },
  async (t) => {
    let statements = 0
    for (let seed = 1; seed <= 2 * runs; seed++) {
      const { broken, recordedOnPostgres } = await subject.runPlan(subject.makePlan(seed, 0.2), { records: true })
      assert.equal(broken, undefined, `seed ${seed}`)
      assert.equal(recordedOnPostgres.length, 2)
      for (const [server, recorded] of recordedOnPostgres.entries()) {
        assert.deepEqual((await compareOnPostgres(recorded)).slice(0, 3), [], `seed ${seed}, server ${server}`)
        statements += recorded.length
      }
    }
    t.diagnostic(`${statements} statements`)
    assert.ok(statements > 200 * runs)
  },
)

test('the same seed does the same', async () => {
  const [first, second] = [await play(5), await play(5)]
  assert.equal(first.simulation.hash, second.simulation.hash)
})

/** what the address answers at some moments, asked by a connection of its own */
async function watch(installation: Installation, moments: readonly number[], text: string): Promise<unknown[]> {
  const { simulation } = installation
  const node = simulation.addNode('watcher')
  const seen: unknown[] = []
  async function look() {
    const client = new Client({ connectionString: address, connectionTimeoutMillis: 900 })
    client.on('error', () => undefined)
    const asking = client.connect().then(async () => (await client.query<object>(text)).rows.flatMap(Object.values))
    seen.push(await asking.catch((error: Error) => error.message))
    await client.end()
  }
  for (const ms of moments) simulation.at(ms, node, () => void look())
  await simulation.run(moments.at(-1) ?? 0)
  await simulation.run((moments.at(-1) ?? 0) + 2_000)
  return seen
}

test('readers see what is committed; a standby lags, and a failover loses what it lacks', async () => {
  const installation = openInstallation(1)
  const { simulation, network, servers } = installation
  const [primary, standby] = servers
  const writer = simulation.addNode('writer')
  async function write() {
    const client = new Client({ connectionString: address })
    client.on('error', () => undefined)
    await client.connect()
    await client.query('CREATE TABLE seen (one TEXT)')
    for (const one of ['kept', 'lost', 'open']) {
      await client.query('BEGIN')
      await client.query('INSERT INTO seen VALUES ($1)', [one])
      await new Promise((ok) => setTimeout(ok, 2_000))
      if (one !== 'open') await client.query('COMMIT')
    }
  }
  simulation.at(0, writer, () => void write())
  simulation.at(3_000, simulation.world, () => network.cut(primary.node, standby.node))
  simulation.at(5_500, simulation.world, () => network.redirect('postgres', standby.node))
  simulation.at(6_500, simulation.world, () => (primary.kill(), standby.promote()))
  simulation.at(7_500, simulation.world, () => standby.hang(true))
  const text = 'SELECT one FROM seen'
  const seen = await watch(installation, [1_000, 2_500, 5_000, 6_000, 7_000, 8_000], text)
  assert.deepEqual(seen, [[], ['kept'], ['kept', 'lost'], ['kept'], ['kept'], 'timeout expired'])
})

test('a wrong answer is seen', { skip: noPostgres }, async () => {
  const [{ recorded = [] }] = (await play(1)).servers
  const index = recorded.findIndex(
    (one) => one.kind === 'asked' && /ORDER BY/.test(one.text) && one.answers.some(({ rows }) => rows.length > 2),
  )
  const { answers, ...asked } = recorded[index] as Recorded & { kind: 'asked' }
  const wrong = recorded.with(index, { ...asked, answers: answers.map((one) => ({ ...one, rows: one.rows.slice(1) })) })
  assert.deepEqual(
    (await compareOnPostgres(wrong)).map((one) => one.index),
    [index],
  )
})

test('what the PostgreSQL inside does not know is refused by name', () => {
  for (const text of [
    'SELECT pg_sleep(1)',
    'SELECT now()',
    'SELECT 1::text',
    'SELECT * FROM pg_stat_activity',
    'SELECT id FROM keys FOR UPDATE',
  ])
    assert.throws(() => translate(text), /is not known here/)
})
