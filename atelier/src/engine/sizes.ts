// How much containers have written: their own layer, and the volumes of the read-only ones.
import { getArchive } from './archive.ts'
import { readJson, refusalOf } from './client.ts'
import { type Listed, listRaw } from './containers.ts'
import { type EngineLink, expectOk, inspectState, labels, limits } from './link.ts'
import { EngineError } from './port.ts'

type Size = number | null

interface DiskUsage {
  readonly Volumes?: readonly { readonly Name: string; readonly UsageData?: { readonly Size: number } | null }[] | null
}

const mostTries = 3
const atOnce = 4
/** above every `diskMiB`, so that reading a volume ends */
const mostRead = 16 * 1024 ** 3
const blockBytes = 512
const typeAt = 156
const extended = 'x'.charCodeAt(0)
const longestPath = 3_000

/** -1 stands for a size that Docker could not determine */
const known = (size: number | undefined): Size => (size === undefined || size < 0 ? null : size)

/** both engines leave out a size of 0 */
const listSized = async (link: EngineLink, query: Readonly<Record<string, string>>) =>
  (await listRaw(link, { ...query, size: '1' })).map((one) => ({ ...one, SizeRw: one.SizeRw ?? 0 }))

const isRefused = (error: unknown) => error instanceof EngineError && error.fault === 'failed'

/** a list of one: Podman's inspect reports 0 for a size that it could not determine */
async function sizeAlone(link: EngineLink, engineId: string): Promise<Size | undefined> {
  try {
    const [found] = await listSized(link, { all: '1', ...link.filters({ id: [engineId] }) })
    return found && known(found.SizeRw)
  } catch (error) {
    if (isRefused(error)) return null
    throw error
  }
}

export async function containerSize(link: EngineLink, id: string): Promise<number> {
  const found = await inspectState(link, id)
  const size = found && (await sizeAlone(link, found.Id))
  if (size === undefined) throw new EngineError('container_gone')
  if (size === null) throw new EngineError('failed', 'the engine cannot determine the size')
  return size
}

async function volumeSizes(link: EngineLink, tries = 1): Promise<ReadonlyMap<string, Size>> {
  const reply = await link.client.call({ method: 'GET', path: '/system/df', timeoutMs: limits.change })
  // Podman's whole answer fails where one container goes meanwhile
  if (reply.status === 500 && tries < mostTries) return volumeSizes(link, tries + 1)
  // one volume that cannot be measured fails the answer for all of them: each is then read
  if (reply.status === 500) return new Map()
  if (reply.status >= 400) throw refusalOf(reply)
  const { Volumes } = readJson(expectOk(reply)) as DiskUsage
  return new Map(Volumes?.map(({ Name, UsageData }) => [Name, known(UsageData?.Size)]))
}

/** Adds up a tar. Podman leaves out in silence what comes after a path that is too long for it: then the size is unknown. */
async function sizeOfTar(tar: AsyncIterable<Buffer>): Promise<Size> {
  let bytes = 0
  let header = Buffer.alloc(0)
  let toSkip = 0
  for await (const chunk of tar) {
    bytes += chunk.length
    if (bytes > mostRead) return bytes
    for (let at = 0; at < chunk.length;) {
      const skipped = Math.min(toSkip, chunk.length - at)
      toSkip -= skipped
      const part = chunk.subarray(at + skipped, at + skipped + blockBytes - header.length)
      at += skipped + part.length
      header = Buffer.concat([header, part])
      if (header.length < blockBytes) continue
      const size = sizeIn(header)
      if (header[typeAt] === extended && size > longestPath) return null
      toSkip = Math.ceil(size / blockBytes) * blockBytes
      header = Buffer.alloc(0)
    }
  }
  return bytes
}

function sizeIn(header: Buffer): number {
  const field = header.subarray(124, 136)
  return field[0]! & 0x80 ? field.readUIntBE(6, 6) : Number.parseInt(field.toString('latin1'), 8) || 0
}

async function readVolume(link: EngineLink, engineId: string, path: string): Promise<Size> {
  try {
    const tar = await getArchive(link, engineId, path)
    const late = setTimeout(() => tar.destroy(new EngineError('timeout')), limits.transfer)
    return await sizeOfTar(tar).finally(() => clearTimeout(late))
  } catch (error) {
    if (error instanceof EngineError && error.fault === 'unavailable') throw error
    return null
  }
}

async function sizeWithVolumes(link: EngineLink, one: Listed, volumes: ReadonlyMap<string, Size>) {
  const own = known(one.SizeRw)
  let total = own ?? (await sizeAlone(link, one.Id))
  for (const { Type, Name, Destination } of one.Mounts ?? []) {
    if (Type !== 'volume' || total === undefined || total === null) continue
    const size = volumes.get(Name ?? '') ?? (await readVolume(link, one.Id, Destination))
    total = size === null ? null : total + size
  }
  return total
}

/** One list for all; if it fails, each container is asked for alone. */
async function listWithSizes(link: EngineLink): Promise<readonly Listed[]> {
  try {
    return await listSized(link, {})
  } catch (error) {
    if (error instanceof EngineError && error.fault === 'unavailable') throw error
    return listRaw(link, {})
  }
}

export async function containerSizes(link: EngineLink): Promise<ReadonlyMap<string, Size>> {
  const running = await listWithSizes(link)
  const hasVolumes = running.some(({ Mounts }) => Mounts?.some(({ Type }) => Type === 'volume'))
  const volumes = hasVolumes ? await volumeSizes(link) : new Map<string, Size>()
  const sizes = new Map<string, Size>()
  const late: string[] = []
  const rest = running.values()
  const measure = async () => {
    for (const one of rest) {
      const id = one.Labels?.[labels.id]
      if (id === undefined) continue
      try {
        const size = await sizeWithVolumes(link, one, volumes)
        if (size !== undefined) sizes.set(id, size)
      } catch (error) {
        if (!(error instanceof EngineError && error.fault === 'timeout')) throw error
        late.push(id)
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, measure))
  // if all of them time out, the engine is slow, and no single container is the cause
  if (sizes.size > 0) for (const id of late) sizes.set(id, null)
  return sizes
}
