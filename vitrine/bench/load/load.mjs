// One round of load in a process of its own: wrk, or a program of our own for several
// origins and where wrk is not installed. Targets are asked for in turn.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { start, stop } from '../child.mjs'
import { temporaryFolder } from '../leftovers.mjs'

const folder = temporaryFolder()
let files = 0

/** what `program given` says of its version, or undefined where it is not installed; wrk tells it and ends with status 1 */
export function versionOf(program, given, pattern) {
  try {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' })
    const told = execFileSync('sh', ['-c', `${program} ${given} 2>&1 || :`], { encoding: 'utf8' })
    return pattern.exec(told)?.[1] ?? 'of unknown version'
  } catch {
    return undefined
  }
}

const wrk = versionOf('wrk', '-v', /^wrk (\S+)/)
export const generator = wrk === undefined ? 'sockets of Node.js' : `wrk ${wrk}`

function commandOf({ isShared, isWhole = isShared, ...orders }) {
  const { origins, targets, connections, seconds } = orders
  const file = join(folder, `targets-${files++}`)
  if (wrk === undefined || isWhole) {
    writeFileSync(file, JSON.stringify(orders))
    return [process.execPath, join(import.meta.dirname, 'sockets.mjs'), file]
  }
  const line = ({ path, headers = {} }) =>
    `${path}\t${headers['authorization'] ?? ''}\t${headers['if-none-match'] ?? ''}\n`
  writeFileSync(file, targets.map(line).join(''))
  const script = join(import.meta.dirname, 'wrk.lua')
  const given = ['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '--timeout', '20s', '-s', script]
  return ['wrk', ...given, origins[0], '--', file]
}

/**
 * -> { answers, seconds, bytes, p50, p95, p99, most, cpuMs, outcomes }; times in ms, `cpuMs` is the generator's own.
 * `isWhole`: what is under way at the end is waited for. `isShared`: also, the load has what the subjects leave of all cores.
 */
export async function runLoad(orders) {
  const child = await start(commandOf(orders), { core: orders.isShared ? undefined : 'others' })
  const lines = []
  child.child.stdout.on('data', (part) => lines.push(String(part)))
  while (!child.hasEnded()) await new Promise((ok) => child.child.once('exit', ok))
  await stop(child)
  const told = lines
    .join('')
    .split('\n')
    .findLast((line) => line.startsWith('{'))
  if (told === undefined) throw new Error(`no figures from ${generator}: ${lines.join('')}`)
  return JSON.parse(told)
}
