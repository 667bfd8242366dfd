// The simulator itself: the same seed does the same in any process, and a planted fault of order is found and shrunk.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import test from 'node:test'
import { replaceGlobals } from '../../../base/test/simulator/globals.ts'
import { Network } from '../../../base/test/simulator/network.ts'
import { Random } from '../../../base/test/simulator/random.ts'
import { shrink } from '../../../base/test/simulator/shrink.ts'
import { Simulation } from '../../../base/test/simulator/simulation.ts'
import { mostLines, timelineOf } from '../../../base/test/simulator/timeline.ts'
import { subject } from './quota/subject.ts'

const simulate = join(import.meta.dirname, '../../../base/test/simulator/simulate.ts')

replaceGlobals()

test('the same seed does the same, in this process and in another', async () => {
  const seeds = [3, 8]
  const first: number[] = []
  for (const seed of seeds) first.push((await subject.runPlan(subject.makePlan(seed, 0.5))).hash)
  for (const [i, seed] of [...seeds.entries()].toReversed())
    assert.equal((await subject.runPlan(subject.makePlan(seed, 0.5))).hash, first[i], `seed ${seed}`)
  for (const [i, seed] of seeds.entries()) {
    const args = [simulate, '--subject', 'quota', '--seed', String(seed), '--hours', '0.5']
    const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    assert.match(stdout, new RegExp(`hash ${first[i]},`))
  }
  assert.notEqual(first[0], first[1])
})

test('timers, clocks and randomness are those of the node whose event runs', async () => {
  const simulation = new Simulation(1)
  const [fast, plain] = [simulation.addNode('fast'), simulation.addNode('plain')]
  const seen: [string, number, number][] = []
  fast.drift(1.01)
  plain.step(-60_000)
  for (const node of [fast, plain])
    simulation.after(
      0,
      () => {
        const [steadyAt, at] = [performance.now(), Date.now()]
        setTimeout(() => {
          seen.push([node.name, Math.round(performance.now() - steadyAt), Date.now() - at])
          assert.equal(Math.round(simulation.now), node === fast ? 9_901 : 10_000)
        }, 10_000)
      },
      node,
    )
  simulation.after(5_000, () => plain.step(30_000))
  await simulation.run(20_000)
  assert.equal(simulation.failure, undefined)
  assert.deepEqual(seen, [
    ['fast', 10_000, 10_000],
    ['plain', 10_000, 40_000],
  ])
  assert.ok(Math.abs(Date.now() - performance.timeOrigin - performance.now()) < 5_000, 'outside, the clock is real')
})

test('a process that wakes runs its timers first, then what arrived, then its immediates', async () => {
  const simulation = new Simulation(2)
  const network = new Network(simulation)
  const [a, b] = [simulation.addNode('a'), simulation.addNode('b')]
  const order: string[] = []
  const late = () => {
    order.push('timer')
    setImmediate(() => order.push('immediate'))
  }
  simulation.after(0, () => setTimeout(late, 500), b)
  simulation.after(100, () => simulation.stop(b))
  simulation.after(200, () => network.send(a, b, () => order.push('received')), a)
  simulation.after(60_000, () => simulation.wake(b))
  await simulation.run(59_000)
  assert.deepEqual(order, [])
  await simulation.run(61_000)
  assert.deepEqual(order, ['timer', 'received', 'immediate'])
})

test('a stream keeps its order and loses nothing; messages are lost and repeated; nothing passes a cut', async () => {
  const simulation = new Simulation(3)
  const network = new Network(simulation)
  const [a, b] = [simulation.addNode('a'), simulation.addNode('b')]
  Object.assign(network.path(a, b), { loss: 0.3, repeats: 0.3, splits: 0.5 })
  let [text, messages] = ['', 0]
  network.listen(b, (socket) => (socket.onText = (piece) => (text += piece)))
  const words = Array.from({ length: 300 }, (_, i) => `${i},`)
  simulation.after(
    0,
    () => {
      const socket = network.connect(a, 'b')
      for (const [i, word] of words.entries()) setTimeout(() => socket.write(word), i)
      for (const word of words) network.send(a, b, () => (messages += word.length > 0 ? 1 : 0))
    },
    a,
  )
  simulation.after(150, () => network.cut(a, b))
  await simulation.run(5_000)
  assert.ok(text.length < words.join('').length)
  network.heal(a, b)
  await simulation.run(20_000)
  assert.equal(text, words.join(''))
  assert.ok(messages !== 300 && messages > 150 && messages < 380, `${messages}`)
})

interface Addition {
  readonly node: string
  readonly atMs: number
}

/** Clients that read a sum, and write one more: the planted fault is that two may read the same. */
async function playToy(seed: number, additions: readonly Addition[]) {
  const simulation = new Simulation(seed)
  const network = new Network(simulation)
  const server = simulation.addNode('server')
  let sum = 0
  for (const { node: name, atMs } of additions) {
    const node = simulation.addNode(name)
    const add = (read: number) =>
      network.send(node, server, () => simulation.tell(`${name} writes ${(sum = read + 1)}`))
    const answer = () => {
      const read = sum
      network.send(server, node, () => add(read))
    }
    simulation.at(atMs, node, () => network.send(node, server, answer))
  }
  await simulation.run(10_000)
  return { simulation, isBroken: sum !== additions.length }
}

test('a planted fault of order is found, shrunk to its two events, and told', async () => {
  const planOf = (seed: number): Addition[] => {
    const random = new Random(seed)
    return Array.from({ length: 20 }, (_, n) => ({ node: `client ${n}`, atMs: Math.round(random.between(0, 2_000)) }))
  }
  let found = 0
  for (let seed = 1; seed <= 100 && found === 0; seed++) if ((await playToy(seed, planOf(seed))).isBroken) found = seed
  assert.ok(found > 0, 'no seed found it')
  const least = await shrink(planOf(found), async (some) => (await playToy(found, some)).isBroken)
  assert.equal(least.length, 2)
  const { simulation } = await playToy(found, least)
  const timeline = timelineOf(simulation.story, 'no addition is lost')
  assert.match(timeline.join('\n'), /writes 1\n.*writes 1\nBROKEN: no addition is lost$/)
})

test('a timeline has at most forty lines, and ends with the promise', () => {
  const story = Array.from({ length: 500 }, (_, n) => ({ at: n, node: 'a', text: `event ${n}` }))
  const lines = timelineOf(story, 'promise')
  assert.ok(lines.length <= mostLines)
  assert.match(lines.at(-1) ?? '', /promise/)
})
