// A part of one core for a process, given by the kernel: its control group may run so long in each period, on that core.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
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

/** `part` of one core */
export function makeShare(name, part) {
  const folder = join(existsSync(first) ? first : second, `vitrine-bench-${name}`)
  mkdirSync(folder)
  process.once('exit', () => {
    try {
      rmdirSync(folder)
    } catch {
      // removed before, or it still holds a process that ends a moment later
    }
  })
  write(folder, part)
  return {
    take: (pid) => writeFileSync(join(folder, 'cgroup.procs'), String(pid)),
    remove: () => rmdirSync(folder),
  }
}

/** all threads of a running process on one core */
export const pin = (pid, core) => execFileSync('taskset', ['-acp', String(core), String(pid)], { stdio: 'ignore' })

function findReason() {
  if (availableParallelism() < 2) return 'there is one core'
  try {
    makeShare(`${process.pid}-trial`, 1).remove()
    pin(process.pid, `0-${availableParallelism() - 1}`)
    return undefined
  } catch (error) {
    return `no process can be held to a part of a core: ${error.message}`
  }
}

/** why no process can have a part of a core here */
export const whyNotHeld = findReason()
