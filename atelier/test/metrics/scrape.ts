// A scrape as Prometheus reads it, and the labels that each metric may have, with their values.
import assert from 'node:assert/strict'
import { problems } from '../../src/problems.ts'
import { operations } from '../../src/metrics/operations.ts'
import { version } from '../../src/version.ts'

export interface Sample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

function sampleOf(line: string): Sample {
  const [, name = '', inside = '', value = ''] = /^([a-z_0-9]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
  assert.notEqual(name, '', line)
  const labels = [...inside.matchAll(/(\w+)="([^"\\]*)"/g)]
  assert.equal(labels.map(([whole]) => whole).join(','), inside, line)
  const number = value === '+Inf' ? Infinity : Number(value)
  return { name, labels: Object.fromEntries(labels.map(([, key, one]) => [key, one])), value: number }
}

export const samplesOf = (text: string): Sample[] =>
  text.split('\n').flatMap((line) => (line === '' || line.startsWith('#') ? [] : [sampleOf(line)]))

/** names of all families, also those without a sample */
export const familiesOf = (text: string): Set<string> =>
  new Set([...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name))

export const valueOf = (samples: readonly Sample[], name: string, labels: Record<string, string> = {}) =>
  samples.find((one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value))
    ?.value

const calls =
  'ping create start stop remove state list size sizes events exec open attach resident stat processes putArchive getArchive findProgram image images commit checkpoint createEmptyImage adopt load removeImage unknown'
const outcomes =
  'ok left limited engine_error overloaded client_error error unavailable timeout container_gone container_stopped image_gone name_taken path_gone no_space no_shell unconfined no_place bad_working_dir start_refused image_in_use failed unknown ended output_limit caller_gone key_ended stopping container_ended not_started ready cancelled ' +
  'forwarded tunneled intercepted secret_sent not_proved secrets_lost name_differs bad_request host_refused port_refused address_refused host_differs unresolved unreachable broken full'
const reasons = 'main_exited ttl_expired idle_timeout disk_limit engine_lost exec_kill_escalated user_deleted unknown'
const oneOf = (words: string) => (value: string) => words.split(' ').includes(value)

/** typed a second time by hand: a new value is thought about here */
export const labelValues: Readonly<Record<string, (value: string) => boolean>> = {
  operation: (value) => operations.includes(value) || value === 'unknown',
  outcome: oneOf(outcomes),
  code: (value) => value in problems || value === 'unknown',
  call: oneOf(calls),
  direction: oneOf('in out'),
  act: oneOf('read write transaction'),
  reason: oneOf(reasons),
  source: oneOf('build cache'),
  sweep: oneOf('due sizes reconcile'),
  status: oneOf('creating running exited failed'),
  kind: (value) => /^[a-z]+(_[a-z]+)*$/.test(value),
  version: (value) => value === version,
  le: (value) => value === '+Inf' || /^\d+(\.\d+)?(e-\d+)?$/.test(value),
}

export const labelsOf: Readonly<Record<string, readonly string[]>> = {
  atelier_requests_total: ['operation', 'outcome'],
  atelier_request_seconds: ['operation'],
  atelier_refused_total: ['code'],
  atelier_engine_calls_total: ['call', 'outcome'],
  atelier_engine_call_seconds: ['call'],
  atelier_store_calls_total: ['act', 'outcome'],
  atelier_store_call_seconds: ['act'],
  atelier_commands_total: ['outcome'],
  atelier_commands_running: [],
  atelier_command_start_seconds: [],
  atelier_containers_ended_total: ['reason'],
  atelier_containers_lost_total: [],
  atelier_strays_removed_total: [],
  atelier_sweeps_total: ['sweep', 'outcome'],
  atelier_sweep_seconds: ['sweep'],
  atelier_sweep_success_timestamp_seconds: ['sweep'],
  atelier_builds_total: ['outcome'],
  atelier_build_steps_total: ['source'],
  atelier_build_seconds: [],
  atelier_ssh_connections_total: [],
  atelier_ssh_connections_open: [],
  atelier_terminals_total: [],
  atelier_terminals_open: [],
  atelier_egress_requests_total: ['outcome'],
  atelier_egress_bytes_total: ['direction'],
  atelier_egress_relays_lost_total: [],
  atelier_egress_connections: [],
  atelier_sockets_crowded_total: [],
  atelier_log_lines_dropped_total: [],
  atelier_failed_total: [],
  atelier_troubles_total: ['kind'],
  atelier_info: ['version'],
  atelier_start_time_seconds: [],
  atelier_engine_up: [],
  atelier_store_up: [],
  atelier_containers: ['status'],
  atelier_containers_memory_bytes: [],
  atelier_containers_cpus: [],
  atelier_host_memory_bytes: [],
  atelier_transfers_running: [],
  atelier_kept_output_bytes: [],
  atelier_kept_output_limit_bytes: [],
  atelier_builds_running: [],
  atelier_builds_queued: [],
  atelier_heap_limit_bytes: [],
}

export const familyOf = (name: string): string => name.replace(/_(bucket|sum|count)$/, '')

/** every label is one of the list, with a value of the list */
export function checkLabels(samples: readonly Sample[]) {
  for (const { name, labels } of samples.filter((one) => one.name.startsWith('atelier_'))) {
    const known = labelsOf[name] ?? labelsOf[familyOf(name)]
    assert.ok(known, `${name} is not in the list`)
    const wanted = name.endsWith('_bucket') ? [...known, 'le'] : known
    assert.deepEqual(new Set(Object.keys(labels)), new Set(wanted), name)
    for (const [label, value] of Object.entries(labels))
      assert.ok(labelValues[label]?.(value), `${name} ${label}="${value}"`)
  }
}
