// From the command to the first answer: `vitrine serve` of the package, polled until one resource is read through it.
import { spawn } from 'node:child_process'
import { connect } from 'node:net'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { environment, stop } from '../child.mjs'
import { median, most, spread } from '../figures.mjs'
import { remember } from '../leftovers.mjs'
import { createAsker } from '../load/asker.mjs'
import { cpuMsOf, pinned } from '../machine.mjs'
import { buildPackage } from '../subjects/package.mjs'
import { makeHome, serveCommand, vitrine } from '../subjects/vitrine.mjs'

/** without VITRINE_NODE, which a checkout does not have and which costs a start of its own to check */
function ownEnvironment() {
  const { VITRINE_NODE, ...rest } = environment()
  void VITRINE_NODE
  return rest
}

function begin(command, core) {
  const [program, ...given] = pinned(command, core)
  const child = spawn(program, given, { stdio: ['ignore', 'ignore', 'inherit'], env: ownEnvironment() })
  remember(child)
  return { child, hasEnded: () => child.exitCode !== null || child.signalCode !== null }
}

const isOpen = (port) =>
  new Promise((ok) => {
    const socket = connect(port, '127.0.0.1', () => ok(true))
    socket.once('error', () => ok(false)).once('close', () => socket.destroy())
    socket.once('connect', () => socket.destroy())
  })

/** milliseconds from the command to the first 200, and how much processor time of the service is in them */
export async function firstAnswer(home, core) {
  const begunAt = performance.now()
  const running = begin(serveCommand(home), core)
  while (!(await isOpen(home.port))) {
    if (running.hasEnded()) throw new Error('the service ended before it answered')
    await wait(1)
  }
  const asker = createAsker(home.origin)
  const { status } = await asker.ask(home.firstPath ?? vitrine.pathOf.one('first'), home.headers)
  const tookMs = performance.now() - begunAt
  const cpuMs = cpuMsOf(running.child.pid)
  asker.close()
  await stop(running)
  if (status !== 200) throw new Error(`the first answer is ${status}`)
  return { tookMs, cpuMs }
}

/** milliseconds that Node takes to start and end with nothing to do */
async function bareNode(core) {
  const begunAt = performance.now()
  const { child } = begin([process.execPath, '-e', '0'], core)
  await once(child, 'exit')
  return performance.now() - begunAt
}

export const startUp = {
  name: 'start',
  about: 'Start to first answer',

  async run(bench) {
    const checkout = await makeHome({ platform: bench.platform.origin })
    const home = { ...checkout, program: buildPackage() }
    // what comes after an installation: nothing is in the compile cache yet
    const { tookMs: uncached } = await firstAnswer(home, 'subject')
    const [bound, processor, free, sources, bare] = [[], [], [], [], []]
    for (let number = 0; number < bench.options.rounds; number++) {
      const alone = await firstAnswer(home, 'subject')
      bound.push(alone.tookMs)
      processor.push(alone.cpuMs)
      free.push((await firstAnswer(home)).tookMs)
      sources.push((await firstAnswer(checkout, 'subject')).tookMs)
      bare.push(await bareNode('subject'))
    }
    const ms = (values) => `${median(values).toFixed(0)} ms`
    const others = `from a checkout ${ms(sources)}; the first start after an installation ${ms([uncached])}`
    const aside = `processor time ${ms(processor)}; on all cores ${ms(free)}; ${others}; Node.js alone ${ms(bare)}`
    const row = { what: 'Start to first answer, on one core', bound: 220, unit: 'ms', measured: spread(bound), aside }
    return { tables: [], goals: [most(row)], rounds: { bound, processor, free, sources, uncached: [uncached], bare } }
  },
}
