// How much containers have written: their own layer, and the volumes of the read-only ones.
import { readJson, refusalOf } from './client.ts'
import { listRaw } from './containers.ts'
import { type EngineLink, expectOk, labels, limits } from './link.ts'
import { EngineError } from './port.ts'

interface DiskUsage {
  readonly Volumes?: readonly { readonly Name: string; readonly UsageData?: { readonly Size: number } | null }[] | null
}

export async function containerSize(link: EngineLink, id: string): Promise<number> {
  const path = `/containers/${encodeURIComponent(id)}/json`
  const wish = { method: 'GET', path, query: { size: '1' }, timeoutMs: limits.list } as const
  const reply = await link.client.call(wish)
  if (reply.status === 404) throw refusalOf(reply, 'container_gone')
  const { SizeRw } = readJson(expectOk(reply)) as { readonly SizeRw?: number }
  if (SizeRw === undefined) throw new EngineError('failed', 'the engine did not say the size')
  return SizeRw
}

const mostTries = 3

async function volumeSizes(link: EngineLink, tries = 1): Promise<ReadonlyMap<string, number>> {
  const reply = await link.client.call({ method: 'GET', path: '/system/df', timeoutMs: limits.change })
  // Podman's whole answer fails where one container goes meanwhile
  if (reply.status === 500 && tries < mostTries) return volumeSizes(link, tries + 1)
  const { Volumes } = readJson(expectOk(reply)) as DiskUsage
  return new Map(Volumes?.map(({ Name, UsageData }) => [Name, Math.max(0, UsageData?.Size ?? 0)]))
}

export async function containerSizes(link: EngineLink): Promise<ReadonlyMap<string, number>> {
  const running = await listRaw(link, { size: '1' })
  const hasVolumes = running.some(({ Mounts }) => Mounts?.some(({ Type }) => Type === 'volume'))
  const volumes = hasVolumes ? await volumeSizes(link) : new Map<string, number>()
  const sizes = new Map<string, number>()
  for (const { Labels, SizeRw, Mounts } of running) {
    const id = Labels?.[labels.id]
    if (id === undefined) continue
    const own = Mounts?.map(({ Name }) => volumes.get(Name ?? '') ?? 0) ?? []
    sizes.set(
      id,
      own.reduce((sum, size) => sum + size, SizeRw ?? 0),
    )
  }
  return sizes
}
