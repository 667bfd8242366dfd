// Examines the limits of inotify: the kernel counts each user over all containers, so one container can use them up.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { attempt } from '../../../base/core/attempt.ts'
import type { Finding } from './finding.ts'

/** at this limit, a container runs out of memory before it uses up the count of its user */
const wanted = 1_048_576
const names = ['fs.inotify.max_user_instances', 'fs.inotify.max_user_watches'] as const

export function examineKernelLimits(place = '/proc/sys'): Finding[] {
  const low = names.flatMap((name) => {
    const text = attempt(() => readFileSync(join(place, ...name.split('.')), 'utf8'))
    return text !== undefined && Number(text) < wanted ? [{ name, value: text.trim() }] : []
  })
  if (low.length === 0) return []
  const found = low.map(({ name, value }) => `${name} is ${value}`).join(' and ')
  const problem = `${found}: one container can use that up for others, and on Podman for root of this machine.`
  const fix = `sysctl -w ${low.map(({ name }) => `${name}=${wanted}`).join(' ')}, and the same in /etc/sysctl.d.`
  return [{ problem, fix, isAdvice: true }]
}
