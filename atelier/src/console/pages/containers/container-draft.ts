// What is filled in for a new container, and the request that it becomes. The API checks it; here only what it could not read.
import type { Faults } from '../../fault-focus.ts'
import { argvOf, pairsOf } from '../../lines.ts'

export const blank = {
  image: '',
  name: '',
  /** one argument on each line */
  command: '',
  cpu: '0.5',
  memoryMiB: '512',
  pids: '256',
  diskMiB: '1024',
  ttlSeconds: '3600',
  idleSeconds: '900',
  env: '',
  labels: '',
  workingDir: '',
  user: '',
  readOnlyRootfs: false,
  network: 'none' as 'none' | 'egress',
}

export type ContainerDraft = Readonly<typeof blank>

export interface ContainerForm {
  readonly draft: ContainerDraft
  readonly faults: Faults
  readonly change: (changed: Partial<ContainerDraft>) => void
}

/** by seconds */
export const lifetimes: Readonly<Record<string, string>> = {
  '900': '15 minutes',
  '3600': '1 hour',
  '14400': '4 hours',
  '43200': '12 hours',
  '86400': '1 day',
}
export const idleTimes: Readonly<Record<string, string>> = {
  '300': '5 minutes',
  '900': '15 minutes',
  '3600': '1 hour',
  '14400': '4 hours',
  never: 'Never',
}

const limits = ['cpu', 'memoryMiB', 'pids', 'diskMiB'] as const

export function faultsOf(draft: ContainerDraft): Faults {
  const found = [
    ['image', draft.image.trim() === '' && 'Choose an image.'],
    ...limits.map((name) => [`limits.${name}`, !/^\s*\d+(\.\d+)?\s*$/.test(draft[name]) && 'Enter a number.']),
    ['env', !pairsOf(draft.env) && 'Write NAME=value on each line.'],
    ['labels', !pairsOf(draft.labels) && 'Write name=value on each line.'],
  ] as const
  return Object.fromEntries(found.filter(([, fault]) => fault)) as Faults
}

const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

export function bodyOf(draft: ContainerDraft) {
  const { image, name, command, ttlSeconds, idleSeconds, workingDir, user, readOnlyRootfs, network } = draft
  return {
    image: image.trim(),
    name: orNull(name),
    command: argvOf(command),
    env: pairsOf(draft.env) ?? {},
    labels: pairsOf(draft.labels) ?? {},
    workingDir: orNull(workingDir),
    user: orNull(user),
    limits: Object.fromEntries(limits.map((limit) => [limit, Number(draft[limit])])),
    network,
    readOnlyRootfs,
    ttlSeconds: Number(ttlSeconds),
    idleTimeoutSeconds: idleSeconds === 'never' ? null : Number(idleSeconds),
  }
}

const members = ['image', 'name', 'command', 'env', 'labels', 'workingDir', 'user', 'network'].concat(
  limits.map((name) => `limits.${name}`),
)

/** the field that shows a fault of this member of the request, or of something in it */
export const fieldOf = (param = ''): string | undefined =>
  members.find((name) => param === name || param.startsWith(`${name}.`) || param.startsWith(`${name}[`))
