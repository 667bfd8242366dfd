// Measures entrants beside each other: fresh subjects, checked and warmed up, then loaded in turn, A B A B, so that whatever
// else the machine does meets all of them alike.
import { runLoad } from './load/load.mjs'
import { cpuMsOf, peakMiBOf, treeOf } from './machine.mjs'

/** what a head may weigh beside the body that was checked */
const headBytes = 1_500

/** asks for the first target; what is answered, or a throw where it is not what was meant */
async function check({ name, subject, targets, holds }) {
  const [{ path, headers }] = targets
  const response = await fetch(subject.origin + path, { headers })
  const text = await response.text()
  if (response.status === 304) return { bytes: 0 }
  if (response.status !== 200) throw new Error(`${name} answers ${path} with ${response.status}: ${text.slice(0, 500)}`)
  if (holds && !holds(JSON.parse(text)))
    throw new Error(`${name} answers ${path} with something else: ${text.slice(0, 500)}`)
  return { bytes: Buffer.byteLength(text) }
}

/** requests each target once, to fill the caches */
async function prime({ subject, targets }) {
  const left = [...targets]
  const one = async () => {
    for (let target = left.pop(); target; target = left.pop())
      await fetch(subject.origin + target.path, { headers: target.headers }).then((response) => response.arrayBuffer())
  }
  await Promise.all(Array.from({ length: 8 }, one))
}

/** answers of another size than the checked one are other answers */
function strangersIn({ answers, bytes }, { connections, bytes: body }) {
  const beyond = bytes - answers * body
  return beyond < 0 || beyond > answers * headBytes + connections * (body + headBytes) ? answers : 0
}

const sum = (numbers) => numbers.reduce((all, one) => all + one, 0)
const usedBy = (pids) => sum(pids.map((pid) => cpuMsOf(pid) ?? Number.NaN))

/** `busy` is the subject's use of its core: far below 1, something else was the limit, perhaps what `othersBusy` shows */
async function loadOnce(entrant, bench) {
  const { subject, targets, connections } = entrant
  const others = entrant.others ?? [bench.platform.pid]
  await bench.platform.delay(entrant.delayMs ?? 0)
  await bench.platform.calls()
  const before = [[subject.child.pid], others].map(usedBy)
  const orders = { origin: subject.origin, targets, connections, seconds: bench.options.seconds }
  const told = await runLoad(orders)
  const [ownMs, otherMs] = [[subject.child.pid], others].map((pids, i) => usedBy(pids) - before[i])
  const calls = await bench.platform.calls()
  if (subject.child.hasEnded()) throw new Error(`${entrant.name} ended under load`)
  const { answers, seconds, p50, p99, most, outcomes } = told
  return {
    answers,
    perSecond: answers / seconds,
    p50,
    p99,
    most,
    outcomes,
    failures: sum(Object.values(outcomes)) + strangersIn(told, entrant),
    ownMs: ownMs / answers,
    othersMs: (otherMs + told.cpuMs) / answers,
    calls: calls / answers,
    busy: ownMs / seconds / 1_000,
    othersBusy: (otherMs + told.cpuMs) / seconds / 1_000,
    mibPerSecond: told.bytes / seconds / 2 ** 20,
  }
}

const peakOf = ({ subject }) => sum(treeOf(subject.child.pid).map((pid) => peakMiBOf(pid) ?? Number.NaN))

const shown = ({ perSecond, ownMs, p99, failures, outcomes }) =>
  `${perSecond.toFixed(0)}/s, ${ownMs.toFixed(3)} ms of processor time each, p99 ${p99.toFixed(1)} ms`.concat(
    failures > 0 ? `, FAILED ${failures}: ${JSON.stringify(outcomes)}` : '',
  )

/**
 * An entrant is { name, about, subject, targets } and, where needed, { holds, primed, connections, delayMs, others }:
 * `holds` says whether a document is the one that was meant, `others` are the processes that serve it.
 */
export async function race(bench, given) {
  const entrants = []
  for (const one of given) {
    const entrant = { connections: bench.options.connections, ...one, rounds: [] }
    entrant.bytes = (await check(entrant)).bytes
    if (entrant.primed) await prime(entrant)
    bench.say(`  ${entrant.name}: ${entrant.bytes} bytes; warm-up`)
    await loadOnce(entrant, bench)
    entrants.push(entrant)
  }
  for (let number = 1; number <= bench.options.rounds; number++)
    for (const entrant of entrants) {
      const round = await loadOnce(entrant, bench)
      entrant.rounds.push(round)
      bench.say(`  round ${number} of ${bench.options.rounds}, ${entrant.name}: ${shown(round)}`)
    }
  return entrants.map((entrant) => {
    const { name, about, bytes, rounds } = entrant
    return { name, about, bytes, rounds, peakMiB: peakOf(entrant) }
  })
}
