// One honest account beside hostile ones: npm run bench:hostile -w atelier [-- --minutes N] [-- --only 'unread commands'].
// The engines are those of TEST_PODMAN and TEST_DOCKER, or a private Podman. It fails if a bound is broken.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startSubject, type Subject } from '../subject.ts'
import { type Attack, attackers } from './attackers.ts'
import { type Caller, createCaller } from './caller.ts'

const { minutes = '10', only } = parseArgs({
  options: { minutes: { type: 'string' }, only: { type: 'string' } },
}).values
const chosen = Object.entries(attackers).filter(([name]) => only === undefined || name === only)
const attackMs = Number(minutes) * 60_000
if (!(attackMs > 0) || chosen.length === 0)
  throw new Error(`--only must be one of: ${Object.keys(attackers).join(', ')}`)
const bounds = { memoryMiB: 512, slowdown: 5, calmMs: Math.min(30_000, attackMs), cleanupMs: 120_000 }
const print = (line: string) => void process.stdout.write(`${line}\n`)

/** the times of an honest caller's commands, and its failures */
async function runCommands(honest: Caller, containerId: string, forMs: number) {
  const times: number[] = []
  const failures = new Map<string, number>()
  const begun = performance.now()
  while (performance.now() - begun < forMs) {
    const startedAt = performance.now()
    const outcome = await honest.exec(containerId, 'echo a').then(
      ({ status, json }) => (status === 200 && json.exitCode === 0 ? 'done' : `${status} ${json?.error?.code ?? ''}`),
      (error: { code?: string }) => error.code ?? 'failed',
    )
    if (outcome === 'done') times.push(performance.now() - startedAt)
    else failures.set(outcome, (failures.get(outcome) ?? 0) + 1)
    // below the rate of a key
    await sleep(100)
  }
  times.sort((a, b) => a - b)
  return { count: times.length, p99: times[Math.ceil(times.length * 0.99) - 1] ?? Infinity, failures }
}

function startAttacks(subject: Subject) {
  const end = new AbortController()
  const ttlSeconds = Math.max(60, Math.ceil(attackMs / 1_000) + 30)
  const { port, keys } = subject
  const callers = chosen.map((_, i) =>
    createCaller({ port, key: keys[i] ?? '', address: `127.0.${10 + i}.1`, signal: end.signal, ttlSeconds }),
  )
  const started = async ([name, attack]: readonly [string, Attack], i: number) => {
    const caller = callers[i]
    if (caller) await attack(caller).catch((error) => end.signal.aborted || print(`${name} gave up: ${error}`))
  }
  const all = Promise.all(chosen.map(started))
  return async () => {
    end.abort()
    for (const caller of callers) caller.close()
    await all
    callers.forEach((caller, i) => print(`  ${chosen[i]?.[0]}: ${caller.outcomes()}`))
  }
}

/** in this time containers expire, and commands and sockets end: anything that remains after it is a leak */
async function leftBehind(subject: Subject, before: { readonly containers: number; readonly descriptors: number }) {
  const excess = async () => ({
    containers: (await subject.containersLeft()) - before.containers,
    descriptors: Math.max(0, subject.descriptors() - before.descriptors - 20),
  })
  const begun = performance.now()
  for (;;) {
    const left = await excess()
    const isOver = performance.now() - begun > bounds.cleanupMs
    if (isOver || (left.containers <= 0 && left.descriptors === 0)) return left
    await sleep(1_000)
  }
}

async function attacked(subject: Subject, honest: Caller): Promise<boolean> {
  const containerId = await honest.container()
  await runCommands(honest, containerId, 2_000)
  const before = { containers: await subject.containersLeft(), descriptors: subject.descriptors() }
  const calm = await runCommands(honest, containerId, bounds.calmMs)
  subject.resetMostMemory()
  const stopAttacks = startAttacks(subject)
  const under = await runCommands(honest, containerId, attackMs)
  const isAlive = subject.isAlive()
  const memory = isAlive ? subject.mostMemory() : NaN
  await stopAttacks()
  const left = isAlive ? await leftBehind(subject, before) : { containers: NaN, descriptors: NaN }
  const failed = [...under.failures].map(([outcome, count]) => `${count} x ${outcome}`).join(', ')
  const rows: readonly (readonly [string, string, boolean])[] = [
    ['the service lives', isAlive ? 'yes' : 'no', isAlive && subject.isAlive()],
    ['most memory', `${memory.toFixed(0)} MiB`, memory < bounds.memoryMiB],
    ['p99 of an honest command, calm', `${calm.p99.toFixed(0)} ms of ${calm.count}`, calm.count > 0],
    ['the same, under attack', `${under.p99.toFixed(0)} ms of ${under.count}`, under.p99 < bounds.slowdown * calm.p99],
    ['failed honest commands', failed || 'none', failed === ''],
    ['containers left behind', `${left.containers}`, left.containers <= 0],
    ['descriptors left behind', `${left.descriptors}`, left.descriptors === 0],
  ]
  for (const [name, value, holds] of rows)
    print(`${name.padEnd(34)} ${value.padStart(24)}  ${holds ? 'held' : 'BROKE'}`)
  return rows.every(([, , holds]) => holds)
}

async function attack(socket: string): Promise<boolean> {
  const names = chosen.map(([name]) => name.replaceAll(' ', '-'))
  const subject = await startSubject(socket, { egressProxy: { hosts: ['*'] } }, [...names, 'honest'])
  try {
    print(`\n${socket}: ${chosen.map(([name]) => name).join(', ')}; ${minutes} minutes`)
    const { port, keys } = subject
    const signal = new AbortController().signal
    const ttlSeconds = Math.ceil((2 * attackMs + 300_000) / 1_000)
    return await attacked(
      subject,
      createCaller({ port, key: keys.at(-1) ?? '', address: '127.0.1.1', signal, ttlSeconds }),
    )
  } finally {
    await subject.stop()
  }
}

const sockets = ['TEST_PODMAN', 'TEST_DOCKER'].flatMap((name) => process.env[name] ?? [])
if (sockets.length > 0) {
  for (const socket of sockets) if (!(await attack(socket))) process.exitCode = 1
} else {
  const wrapper = join(import.meta.dirname, '../../scripts/with-engine.ts')
  const words = [wrapper, process.execPath, ...process.argv.slice(1)]
  process.exitCode = spawnSync(process.execPath, words, { stdio: 'inherit' }).status ?? 1
}
