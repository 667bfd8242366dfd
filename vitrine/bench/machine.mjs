// The machine: its facts, which cores serve whom, and what the kernel says of a process (nothing where there is no /proc).
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
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

const namesIn = (folder) => attempt(() => readdirSync(folder)) ?? []
const fileOf = (path) => attempt(() => readFileSync(path, 'utf8'))

/** the process, and all that it has started */
export const treeOf = (pid) => [
  pid,
  ...namesIn(`/proc/${pid}/task`)
    .flatMap((task) => (fileOf(`/proc/${pid}/task/${task}/children`) ?? '').split(' ').filter(Boolean))
    .flatMap((child) => treeOf(Number(child))),
]

/** in steps of 10 ms, with the time of threads that have ended */
function coarseMsOf(pid) {
  const stat = fileOf(`/proc/${pid}/stat`)
  // the name of the program may hold spaces, and ends with the last bracket
  const [user, system] =
    stat
      ?.slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number) ?? []
  return user === undefined ? undefined : (user + system) * 10
}

/** milliseconds of processor time that a process, with all that it has started, has used so far */
export function cpuMsOf(pid) {
  const threads = treeOf(pid)
    .flatMap((one) => namesIn(`/proc/${one}/task`).map((task) => `/proc/${one}/task/${task}/schedstat`))
    .map(fileOf)
    .filter((text) => text !== undefined)
  if (threads.length === 0) return coarseMsOf(pid)
  return threads.reduce((sum, text) => sum + Number(text.split(' ', 1)[0]), 0) / 1e6
}

const mibOf = (line) => (line === undefined ? undefined : Math.round(Number.parseInt(line, 10) / 102.4) / 10)

/** the resident memory of a process, in MiB */
export const residentMiBOf = (pid) => mibOf(statusLine(pid, 'VmRSS'))

/** the largest resident memory that a process has had, in MiB */
export const peakMiBOf = (pid) => mibOf(statusLine(pid, 'VmHWM'))

export const machineFacts = () => ({
  cpu: cpus()[0]?.model.trim() ?? 'unknown',
  cores: availableParallelism(),
  memoryGiB: Math.round(totalmem() / 2 ** 30),
  system: `${platform()} ${release()}`,
  node: process.version,
  pinning: cores ? `subject on core ${cores.subject}, platform and load on ${cores.others}` : 'none',
})
