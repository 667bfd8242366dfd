// The machine: its facts, which cores serve whom, and what the kernel says of a process (nothing where there is no /proc).
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, platform, release, totalmem } from 'node:os'

function attempt(read) {
  try {
    return read()
  } catch {
    return undefined
  }
}

const statusLine = (pid, name) =>
  attempt(() => readFileSync(`/proc/${pid}/status`, 'utf8').match(new RegExp(`^${name}:\\s*(.+)$`, 'm'))?.[1])

/** `0-1,4` -> [0, 1, 4] */
const readList = (list) =>
  list.split(',').flatMap((part) => {
    const [first, last = first] = part.split('-').map(Number)
    return Array.from({ length: last - first + 1 }, (_, i) => first + i)
  })

function findCores() {
  const allowed = readList(statusLine('self', 'Cpus_allowed_list') ?? '0')
  if (allowed.length < 2 || !attempt(() => execFileSync('taskset', ['--version']))) return undefined
  return { subject: String(allowed[0]), others: allowed.slice(1).join(',') }
}

const cores = findCores()

/** the command on the cores of its role, `subject` or `others`, where this machine can do that */
export const pinned = (command, role) => (cores && role ? ['taskset', '-c', cores[role], ...command] : command)

/** milliseconds of processor time that a process has used so far */
export function cpuMsOf(pid) {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  // the name of the program may hold spaces, and ends with the last bracket
  const [user, system] =
    stat
      ?.slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number) ?? []
  return user === undefined ? undefined : (user + system) * 10
}

/** the largest resident memory that a process has had, in MiB */
export function peakMiBOf(pid) {
  const peak = statusLine(pid, 'VmHWM')
  return peak === undefined ? undefined : Math.round(Number.parseInt(peak, 10) / 102.4) / 10
}

export const machineFacts = () => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: availableParallelism(),
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  system: `${platform()} ${release()}`,
  node: process.version,
  pinning: cores ? `subject on core ${cores.subject}, platform and load on ${cores.others}` : 'none',
})
