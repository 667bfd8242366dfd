// The apps of connections by name, read as the explorer reads: every page of a connection, or its refusal.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { askText } from '../../../../../base/console/api.ts'
import { type ApiRefusal, asRefusal } from '../../../../../base/console/refusal.ts'
import { itemsIn, nextCursorIn, readAnswerOf, refusalIn } from '../explorer/read-answer.ts'

export interface NamedApp {
  readonly id: string
  readonly name: string
  readonly connection: string
}

async function listApps(connection: string, signal: AbortSignal): Promise<NamedApp[]> {
  const apps: NamedApp[] = []
  let cursor: string | undefined
  do {
    const query = new URLSearchParams({ limit: '200', fields: 'name', ...(cursor !== undefined && { cursor }) })
    const body = { connection, target: `/apps?${query.toString()}` }
    const answer = readAnswerOf(await askText('/read', { method: 'POST', body, signal }))
    const refusal = refusalIn(answer)
    if (refusal) throw refusal
    for (const item of itemsIn(answer) ?? []) {
      const [id, name] = [item.get('id'), item.get('name')]
      if (typeof id === 'string') apps.push({ id, name: typeof name === 'string' ? name : id, connection })
    }
    cursor = nextCursorIn(answer)
  } while (cursor !== undefined)
  return apps
}

type Listed = { readonly apps: readonly NamedApp[] } | { readonly refusal: ApiRefusal }

/** `connections` undefined: not wanted yet. A connection that was read is not read again. */
export function useApps(connections: readonly string[] | undefined) {
  const read = useSignal<ReadonlyMap<string, Listed>>(new Map())
  const turn = useSignal(0)
  const wanted = connections?.toSorted().join(',')
  useEffect(() => {
    const leaving = new AbortController()
    const load = async () => {
      for (const connection of connections ?? []) {
        if (leaving.signal.aborted) return
        const known = read.peek().get(connection)
        if (known && 'apps' in known) continue
        const listed = await listApps(connection, leaving.signal).then(
          (apps): Listed => ({ apps }),
          (error: unknown): Listed => ({ refusal: asRefusal(error) }),
        )
        if (!leaving.signal.aborted) read.value = new Map([...read.peek(), [connection, listed]])
      }
    }
    void load()
    return () => leaving.abort()
  }, [wanted, turn.value])
  const all = (connections ?? []).map((id) => [id, read.value.get(id)] as const)
  return {
    apps: all.flatMap(([, listed]) => (listed && 'apps' in listed ? listed.apps : [])),
    refusals: all.flatMap(([id, listed]) => (listed && 'refusal' in listed ? [{ id, refusal: listed.refusal }] : [])),
    busy: all.some(([, listed]) => listed === undefined),
    again: () => {
      read.value = new Map([...read.peek()].filter(([, listed]) => 'apps' in listed))
      turn.value++
    },
  }
}
