// Counts that the kernel keeps for each user over all containers: one container can use up those of inotify.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { attempt } from '../../../base/core/attempt.ts'
import type { Finding } from './finding.ts'

/** with so many, the memory of a container is used up before the count of its user */
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
