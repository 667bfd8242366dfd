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

/** a subject is one process, or several replicas */
const childrenOf = ({ child, children = [child] }) => children
const pidsOf = (subject) => childrenOf(subject).map(({ pid }) => pid)

const sum = (numbers) => numbers.reduce((all, one) => all + one, 0)
const usedBy = (pids) => sum(pids.map((pid) => cpuMsOf(pid) ?? Number.NaN))

/** `busy` is the subject's use of its core: far below 1, something else was the limit, perhaps what `othersBusy` shows */
async function loadOnce(entrant, bench) {
  const { subject, targets, connections, isShared, isWhole } = entrant
  const used = () => [pidsOf(subject), entrant.others ?? [bench.platform.pid]].map(usedBy)
  await bench.platform.delay(entrant.delayMs ?? 0)
  await bench.platform.calls()
  const before = used()
  const { origins = [subject.origin] } = subject
  const { seconds: wanted } = bench.options
  const told = await runLoad({ origins, targets, connections, seconds: wanted, isShared, isWhole })
  const [ownMs, otherMs] = used().map((ms, i) => ms - before[i])
  const calls = await bench.platform.calls()
  if (childrenOf(subject).some(({ hasEnded }) => hasEnded())) throw new Error(`${entrant.name} ended under load`)
  const { answers, seconds, p50, p95, p99, most, outcomes } = told
  const { refused, ...unanswered } = outcomes
  const failures = refused + sum(Object.values(unanswered)) + strangersIn(told, entrant)
  return {
    answers,
    perSecond: answers / seconds,
    p50,
    p95,
    p99,
    most,
    outcomes,
    failures,
    success: Math.max(0, 1 - failures / (answers + sum(Object.values(unanswered)))),
    ownMs: ownMs / answers,
    othersMs: (otherMs + told.cpuMs) / answers,
    calls: calls / answers,
    busy: ownMs / seconds / 1_000,
    othersBusy: (otherMs + told.cpuMs) / seconds / 1_000,
    mibPerSecond: told.bytes / seconds / 2 ** 20,
  }
}

const peakOf = ({ subject }) =>
  sum(
    pidsOf(subject)
      .flatMap(treeOf)
      .map((pid) => peakMiBOf(pid) ?? Number.NaN),
  )

const shown = ({ perSecond, ownMs, p99, failures, outcomes }) =>
  `${perSecond.toFixed(0)}/s, ${ownMs.toFixed(3)} ms of processor time each, p99 ${p99.toFixed(1)} ms`.concat(
    failures > 0 ? `, FAILED ${failures}: ${JSON.stringify(outcomes)}` : '',
  )

/**
 * An entrant is { name, about, subject, targets } and, where needed, { holds, primed, warmUps, connections, delayMs, others,
 * isShared, isWhole }: `holds` says whether a document is the one that was meant, `others` are the processes that serve it, the
 * last two are for the load.
 */
export async function race(bench, given) {
  const entrants = []
  for (const one of given) {
    const entrant = { connections: bench.options.connections, warmUps: 1, ...one, rounds: [] }
    entrant.bytes = (await check(entrant)).bytes
    if (entrant.primed) await prime(entrant)
    bench.say(`  ${entrant.name}: ${entrant.bytes} bytes; warm-up`)
    // of a platform that answers at once, so that it is warm whatever its rounds are
    for (let number = 0; number < entrant.warmUps; number++) await loadOnce({ ...entrant, delayMs: 0 }, bench)
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
