// The instruments of the metrics. Every label has a fixed set of values: none is an id, a name, an address or a path.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const storeBuckets = [0.000_1, 0.000_5, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5]
const buildBuckets = [0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 900]

export function makeInstruments(registers: Registry[]) {
  const counter = <L extends string = never>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter<L>({ name: `atelier_${name}`, help, labelNames, registers })
  const seconds = <L extends string = never>(
    name: string,
    help: string,
    labelNames: readonly L[] = [],
    buckets = requestBuckets,
  ) => new Histogram<L>({ name: `atelier_${name}`, help, labelNames, buckets, registers })
  const gauge = <L extends string = never>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge<L>({ name: `atelier_${name}`, help, labelNames, registers })
  return {
    requests: counter('requests_total', 'Requests by route and outcome.', ['operation', 'outcome']),
    requestSeconds: seconds('request_seconds', 'From a request to the end of its answer.', ['operation']),
    refused: counter('refused_total', 'Refusals by code, of requests and of bytes that were none.', ['code']),
    engineCalls: counter('engine_calls_total', 'Calls of the engine by kind and outcome.', ['call', 'outcome']),
    engineSeconds: seconds('engine_call_seconds', 'Duration of a call of the engine.', ['call']),
    storeCalls: counter('store_calls_total', 'Calls of the store by kind and outcome.', ['act', 'outcome']),
    storeSeconds: seconds('store_call_seconds', 'Duration of a call of the store.', ['act'], storeBuckets),
    commands: counter('commands_total', 'Commands that have ended, by what ended them.', ['outcome']),
    commandsRunning: gauge('commands_running', 'Commands at work.'),
    commandStart: seconds('command_start_seconds', 'From the wish for a command to its start in the engine.'),
    ended: counter('containers_ended_total', 'Containers that have ended, by reason.', ['reason']),
    lost: counter('containers_lost_total', 'Containers of which the engine knew nothing any more.'),
    strays: counter('strays_removed_total', 'Engine objects that no row accounted for.'),
    sweeps: counter('sweeps_total', 'Sweeps by kind and outcome.', ['sweep', 'outcome']),
    sweepSeconds: seconds('sweep_seconds', 'Duration of a sweep.', ['sweep']),
    sweptAt: gauge('sweep_success_timestamp_seconds', 'When a sweep last succeeded, in seconds since 1970.', ['sweep']),
    builds: counter('builds_total', 'Builds that have ended, by outcome.', ['outcome']),
    buildSteps: counter('build_steps_total', 'Steps of builds, performed or taken from the cache.', ['source']),
    buildSeconds: seconds('build_seconds', 'From a build being taken in to its end.', [], buildBuckets),
    sshOpened: counter('ssh_connections_total', 'SSH connections that proved who they are.'),
    sshOpen: gauge('ssh_connections_open', 'SSH connections that are open.'),
    terminalsOpened: counter('terminals_total', 'Terminals that were opened over WebSocket.'),
    terminalsOpen: gauge('terminals_open', 'Terminals that are open.'),
    egress: counter('egress_requests_total', 'Requests of containers to the proxy by outcome.', ['outcome']),
    egressBytes: counter('egress_bytes_total', 'Bytes of containers through the proxy.', ['direction']),
    egressLost: counter('egress_relays_lost_total', 'Relays of running containers that were lost.'),
    crowded: counter('sockets_crowded_total', 'Sockets that were closed: too many from one network.'),
    dropped: counter('log_lines_dropped_total', 'Lines of the log that were not read in time.'),
    failed: counter('failed_total', 'Requests that met a defect of the service.'),
    troubles: counter('troubles_total', 'Warnings of the log by kind.', ['kind']),
  }
}

/** what is read at each scrape; a gauge without a value is not shown */
export function makeStateGauges(registers: Registry[]) {
  const gauge = <L extends string = never>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Gauge<L>({ name: `atelier_${name}`, help, labelNames, registers })
  return {
    info: gauge('info', '1, with the version of this service.', ['version']),
    startedAt: gauge('start_time_seconds', 'When the service was started, in seconds since 1970.'),
    engineUp: gauge('engine_up', '1 while the engine answers.'),
    storeUp: gauge('store_up', '1 while the store answers.'),
    containers: gauge('containers', 'Containers that are not deleted, by state.', ['status']),
    memory: gauge('containers_memory_bytes', 'Sum of the memory limits of containers that are not failed.'),
    cpus: gauge('containers_cpus', 'Sum of the processor limits of containers that are not failed.'),
    hostMemory: gauge('host_memory_bytes', 'Memory of this machine.'),
    egressConnections: gauge('egress_connections', 'Connections of containers through the proxy.'),
    transfers: gauge('transfers_running', 'File transfers at work.'),
    keptOutput: gauge('kept_output_bytes', 'Memory that the output of commands without their callers takes.'),
    keptOutputLimit: gauge('kept_output_limit_bytes', 'The most of it: `commands.keptBytes`.'),
    building: gauge('builds_running', 'Builds at work.'),
    queued: gauge('builds_queued', 'Builds that wait for their turn.'),
  }
}

export type Instruments = ReturnType<typeof makeInstruments>
export type StateGauges = ReturnType<typeof makeStateGauges>
