// A part of one core for a process, given by the kernel: its control group may run so long in each period, on that core. Where
// control groups cannot be made, the process has the core as far as others leave it.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** short, so that who has used up its part does not stand still for long */
const periodUs = 10_000
const first = '/sys/fs/cgroup/cpu'
const second = '/sys/fs/cgroup'

function write(folder, part) {
  if (folder.startsWith(first)) {
    writeFileSync(join(folder, 'cpu.cfs_period_us'), String(periodUs))
    writeFileSync(join(folder, 'cpu.cfs_quota_us'), String(Math.round(periodUs * part)))
  } else writeFileSync(join(folder, 'cpu.max'), `${Math.round(periodUs * part)} ${periodUs}`)
}

/** `part` of one core; undefined where the kernel gives no such thing here */
export function makeShare(name, part) {
  const folder = join(existsSync(first) ? first : second, `vitrine-bench-${process.pid}-${name}`)
  try {
    mkdirSync(folder)
    write(folder, part)
  } catch {
    return undefined
  }
  process.once('exit', () => {
    try {
      rmdirSync(folder)
    } catch {
      // it still holds a process that ends a moment later
    }
  })
  return {
    take: (pid) => writeFileSync(join(folder, 'cgroup.procs'), String(pid)),
    /** how often it was made to wait */
    throttled: () => Number(/nr_throttled (\d+)/.exec(readFileSync(join(folder, 'cpu.stat'), 'utf8'))?.[1]),
    remove: () => rmdirSync(folder),
  }
}

/** all threads of a running process on one core, where this machine can do that */
export function pin(pid, core) {
  try {
    execFileSync('taskset', ['-acp', String(core), String(pid)], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
