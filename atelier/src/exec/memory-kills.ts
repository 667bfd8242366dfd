// Whether the kernel killed a process of a container for its memory limit. Podman never reports it, and Docker reports it for ever after.
import { LRUCache } from 'lru-cache'
import { type OwnProgramParts, startOwnProgram } from './own-program.ts'

/** cgroup v2, and v1; a container sees its own cgroup here */
const files = ['/sys/fs/cgroup/memory.events', '/sys/fs/cgroup/memory/memory.oom_control']
const patienceMs = 2_000
const mostBytes = 8_192

interface Kills {
  readonly count: number
  readonly grewAt: number
}

/** A container's own `/bin/cat` may never end: it is killed. */
async function readCount(container: string, parts: OwnProgramParts): Promise<number | undefined> {
  const { exec, ended, kill } = await startOwnProgram({ container, argv: ['/bin/cat', ...files], user: '0:0' }, parts)
  const stop = () => {
    kill()
    exec.leave()
  }
  const late = setTimeout(stop, patienceMs)
  let text = ''
  try {
    for await (const { stream, data } of exec.output)
      if (stream === 'stdout' && text.length < mostBytes) text += data.toString('latin1')
    if ((await exec.exitCode(patienceMs)) !== undefined) ended()
  } finally {
    clearTimeout(late)
    stop()
  }
  const [, count] = /^oom_kill (\d+)$/m.exec(text) ?? []
  return count === undefined ? undefined : Number(count)
}

export function createMemoryKills(parts: OwnProgramParts) {
  const known = new LRUCache<string, Kills>({ max: 10_000 })

  async function look(container: string): Promise<Kills | undefined> {
    const count = await readCount(container, parts).catch(() => undefined)
    if (count === undefined) return undefined
    const before = known.get(container) ?? { count: 0, grewAt: -Infinity }
    const now = count > before.count ? { count, grewAt: performance.now() } : before
    known.set(container, now)
    return now
  }

  return {
    look,
    /** undefined: it is unknown. A kill that no earlier command reported counts for the first one that asks. */
    async since(container: string, beganAt: number): Promise<boolean | undefined> {
      const kills = await look(container)
      return kills && kills.grewAt >= beganAt
    },
  }
}

export type MemoryKills = ReturnType<typeof createMemoryKills>
