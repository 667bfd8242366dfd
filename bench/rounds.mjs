// Measures one work: fresh subjects, checked and warmed up, then loaded in turn, A B A B, so that whatever else the
// machine does meets both alike.
import { join } from 'node:path'
import { start, stop } from './child.mjs'
import { cpuMsOf, peakMiBOf } from './machine.mjs'
import { check, requestFor } from './works.mjs'

const load = join(import.meta.dirname, 'load.mjs')

/** the share of a core that was used; undefined where the kernel does not say */
const share = (usedMs, { elapsedMs }) => (Number.isFinite(usedMs) ? usedMs / elapsedMs : undefined)

/** `busy` is the subject's use of its core: far below 1, something else was the limit, perhaps what `othersBusy` shows */
async function loadOnce({ child, request }, { platform, options }) {
  const { connections, seconds } = options
  const orders = JSON.stringify({ ...request, connections, seconds })
  const used = () => [cpuMsOf(child.pid), cpuMsOf(platform.pid)]
  const generator = await start([process.execPath, load, orders], { core: 'others' })
  const before = used()
  const { cpuMs, ...round } = JSON.parse(await generator.firstLine)
  const [own, platforms] = used().map((ms, i) => ms - before[i])
  await stop(generator)
  if (child.hasEnded()) throw new Error('the subject ended under load')
  return { ...round, busy: share(own, round), othersBusy: share(platforms + cpuMs, round) }
}

async function prepare(work, subject, { platform, options, say }) {
  const running = await subject.start({ platform: platform.origin, core: 'subject' })
  const request = requestFor(work, subject, running)
  const bytes = await check(work, subject, request)
  say(`  ${subject.name}: ${work.count} of ${work.count}, ${bytes} bytes; warm-up`)
  const entrant = { subject, child: running.child, request, bytes, rounds: [] }
  await loadOnce(entrant, { platform, options })
  return entrant
}

const shown = ({ perSecond, p99, failures, outcomes }) =>
  `${perSecond.toFixed(0)}/s, p99 ${p99} ms${failures > 0 ? `, FAILED ${failures}: ${JSON.stringify(outcomes)}` : ''}`

export async function measure(work, { platform, options, say }) {
  const entrants = []
  for (const subject of options.subjects) entrants.push(await prepare(work, subject, { platform, options, say }))
  for (let number = 1; number <= options.rounds; number++)
    for (const entrant of entrants) {
      const round = await loadOnce(entrant, { platform, options })
      entrant.rounds.push(round)
      say(`  round ${number} of ${options.rounds}, ${entrant.subject.name}: ${shown(round)}`)
    }
  const results = entrants.map(({ subject, child, bytes, rounds }) => ({
    subject: subject.name,
    about: subject.about,
    bytes,
    peakMiB: peakMiBOf(child.pid),
    rounds,
  }))
  for (const { child } of entrants) await stop(child)
  return { work: work.name, about: work.about, results }
}
