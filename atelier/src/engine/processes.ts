// How many processes a container has. Podman reads a counter of the kernel for it, and needs 150 ms for a list; Docker lists them
// in 15 ms by the `ps` of its host, and needs a second for the counter.
import { type EngineReply, readJson } from './client.ts'
import { containerFailure, type EngineLink, limits } from './link.ts'

interface ProcessList {
  readonly Processes?: readonly unknown[] | null
}

interface Statistics {
  readonly pids_stats?: { readonly current?: number }
}

export async function countProcesses(link: EngineLink, id: string): Promise<number> {
  const get = async (action: string, query: Readonly<Record<string, string>> = {}): Promise<EngineReply> => {
    const path = `/containers/${encodeURIComponent(id)}/${action}`
    return link.client.call({ method: 'GET', path, query, timeoutMs: limits.look })
  }
  const list = (await link.isPodman()) ? undefined : await get('top')
  if (list && list.status < 400) return (readJson(list) as ProcessList).Processes?.length ?? 0
  const counter = await get('stats', { stream: 'false', 'one-shot': 'true' })
  if (counter.status >= 400) throw await containerFailure(link, id, counter)
  return (readJson(counter) as Statistics).pids_stats?.current ?? 0
}
