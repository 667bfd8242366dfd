// Prometheus metrics: what each event counts, and what a scrape reads.
import { Registry } from 'prom-client'
import { processRegistry } from '../../../base/watch/process-metrics.ts'
import { egressOutcomes } from '../egress/outcomes.ts'
import { type Event, events, sweepings } from '../events.ts'
import { stepSources } from '../images/run-plan.ts'
import { problems } from '../problems.ts'
import { product } from '../product.ts'
import { containerStatuses, statusReasons } from '../store/container-rows.ts'
import { type Instruments, makeInstruments, makeStateGauges, type StateGauges } from './instruments.ts'
import { commandOutcomes, engineCalls } from './measured.ts'
import type { ServiceState } from './service-state.ts'

type Of<K extends Event['kind']> = Extract<Event, { kind: K }>

/** the value, if it is one of the list: so the number of series is bounded */
const among = (list: readonly string[]) => {
  const known = new Set(list)
  return (value: string): string => (known.has(value) ? value : 'unknown')
}

/** their time is the caller's: a command's own, or that of the caller's connection */
export const callerPaced = new Set(['runCommand', 'readFile', 'putFile', 'readImageLog'])

const engineFaults = [
  'ok',
  'unavailable',
  'timeout',
  'container_gone',
  'container_stopped',
  'image_gone',
  'name_taken',
  'path_gone',
  'no_space',
  'no_shell',
  'unconfined',
  'no_place',
  'bad_working_dir',
  'start_refused',
  'image_in_use',
  'failed',
]

const buildOutcomes = ['ready', 'failed', 'cancelled']

const left = 499
const ofEngine = /^(engine_\w+|exec_outcome_unknown)$/

export function outcomeOf({ status, code = '' }: Pick<Of<'served'>, 'status' | 'code'>): string {
  if (status === left) return 'left'
  if (status < 400) return 'ok'
  if (status === 429) return 'limited'
  if (ofEngine.test(code)) return 'engine_error'
  if (status === 503) return 'overloaded'
  // a full disk of a container is its caller's
  return status < 500 || status === 507 || code === 'output_limit' ? 'client_error' : 'error'
}

function createWords(operations: readonly string[]) {
  return {
    operation: among(operations),
    code: among(Object.keys(problems)),
    call: among(engineCalls),
    fault: among(engineFaults),
    command: among(commandOutcomes),
    reason: among(statusReasons),
    build: among(buildOutcomes),
    egress: among(egressOutcomes),
  }
}

type Words = ReturnType<typeof createWords>

function noteServed(event: Of<'served'>, its: Instruments, words: Words) {
  const operation = words.operation(event.operation)
  its.requests.inc({ operation, outcome: outcomeOf(event) })
  if (!callerPaced.has(operation)) its.requestSeconds.observe({ operation }, event.durationMs / 1_000)
  if (event.code !== undefined) its.refused.inc({ code: words.code(event.code) })
}

type Notes = { readonly [K in Event['kind']]?: (event: Of<K>, its: Instruments, words: Words) => void }

const notes: Notes = {
  served: noteServed,
  refused: ({ code }, its, words) => its.refused.inc({ code: words.code(code) }),
  engine_called({ call, outcome, durationMs }, its, words) {
    const name = words.call(call)
    its.engineCalls.inc({ call: name, outcome: words.fault(outcome) })
    its.engineSeconds.observe({ call: name }, durationMs / 1_000)
  },
  store_called({ act, outcome, durationMs }, its) {
    its.storeCalls.inc({ act, outcome })
    its.storeSeconds.observe({ act }, durationMs / 1_000)
  },
  command_started({ durationMs }, its) {
    its.commandsRunning.inc()
    its.commandStart.observe(durationMs / 1_000)
  },
  command_ended({ outcome }, its, words) {
    its.commands.inc({ outcome: words.command(outcome) })
    if (outcome !== 'not_started') its.commandsRunning.dec()
  },
  swept({ sweep, outcome, durationMs }, its) {
    its.sweeps.inc({ sweep, outcome })
    its.sweepSeconds.observe({ sweep }, durationMs / 1_000)
    if (outcome === 'ok') its.sweptAt.set({ sweep }, Math.round(Date.now() / 1_000))
  },
  container_ended: ({ reason }, its, words) => its.ended.inc({ reason: words.reason(reason) }),
  reconciled({ removed, lost }, its) {
    its.strays.inc(removed)
    its.lost.inc(lost)
  },
  build_ended({ status, steps, cachedSteps, durationMs }, its, words) {
    its.builds.inc({ outcome: words.build(status) })
    its.buildSteps.inc({ source: 'build' }, steps)
    its.buildSteps.inc({ source: 'cache' }, cachedSteps)
    its.buildSeconds.observe(durationMs / 1_000)
  },
  ssh_opened(_, its) {
    its.sshOpened.inc()
    its.sshOpen.inc()
  },
  ssh_closed: (_, its) => its.sshOpen.dec(),
  terminal_opened(_, its) {
    its.terminalsOpened.inc()
    its.terminalsOpen.inc()
  },
  terminal_closed: (_, its) => its.terminalsOpen.dec(),
  egress_connected: ({ outcome }, its, words) => its.egress.inc({ outcome: words.egress(outcome) }),
  egress_closed({ sent, received }, its) {
    its.egressBytes.inc({ direction: 'out' }, sent)
    its.egressBytes.inc({ direction: 'in' }, received)
  },
  egress_lost: (_, its) => its.egressLost.inc(),
  crowded: (_, its) => its.crowded.inc(),
  dropped: ({ lines }, its) => its.dropped.inc(lines),
  failed: (_, its) => its.failed.inc(),
}

/** exported before their first count, so that the first count shows as a rise */
function beginAtZero(its: Instruments) {
  for (const [kind, { isTrouble }] of Object.entries(events)) if (isTrouble) its.troubles.inc({ kind }, 0)
  for (const reason of statusReasons) its.ended.inc({ reason }, 0)
  for (const sweep of sweepings) its.sweeps.inc({ sweep, outcome: 'failed' }, 0)
  for (const outcome of commandOutcomes) its.commands.inc({ outcome }, 0)
  for (const outcome of buildOutcomes) its.builds.inc({ outcome }, 0)
  for (const source of stepSources) its.buildSteps.inc({ source }, 0)
  for (const call of engineCalls) its.engineCalls.inc({ call, outcome: 'ok' }, 0)
  for (const outcome of egressOutcomes) its.egress.inc({ outcome }, 0)
  for (const direction of ['out', 'in']) its.egressBytes.inc({ direction }, 0)
  for (const code of ['rate_limited', 'operator_locked_out']) its.refused.inc({ code }, 0)
}

function showState(state: ServiceState, its: StateGauges) {
  its.info.set({ version: product.version }, 1)
  its.startedAt.set(Math.round(state.startedAt / 1_000))
  its.engineUp.set(state.isEngineUp ? 1 : 0)
  its.storeUp.set(state.totals ? 1 : 0)
  its.hostMemory.set(state.hostMemoryBytes)
  its.transfers.set(state.transfers)
  its.egressConnections.set(state.egressConnections)
  its.keptOutput.set(state.keptOutput.bytes)
  its.keptOutputLimit.set(state.keptOutput.most)
  its.building.set(state.builds.running)
  its.queued.set(state.builds.queued)
  its.containers.reset()
  if (!state.totals) return
  const totals = new Map(state.totals.map((one) => [one.status, one]))
  for (const status of containerStatuses)
    if (status !== 'deleted') its.containers.set({ status }, totals.get(status)?.containers ?? 0)
  const counted = state.totals.filter(({ status }) => status !== 'failed')
  its.memory.set(counted.reduce((sum, { memoryMiB }) => sum + memoryMiB * 1_048_576, 0))
  its.cpus.set(counted.reduce((sum, { cpu }) => sum + cpu, 0))
}

export function createMetrics(operations: readonly string[]) {
  const registry = new Registry()
  const its = makeInstruments([registry])
  const gauges = makeStateGauges([registry])
  const words = createWords(operations)
  const process = processRegistry(product.name)
  beginAtZero(its)
  return {
    note(event: Event) {
      if (events[event.kind].isTrouble) its.troubles.inc({ kind: event.kind })
      const note = notes[event.kind] as ((event: Event, its: Instruments, words: Words) => void) | undefined
      note?.(event, its, words)
    },
    async text(state: ServiceState): Promise<string> {
      showState(state, gauges)
      return `${await registry.metrics()}${await process.metrics()}`
    },
  }
}

export type Metrics = ReturnType<typeof createMetrics>
