// What an engine lacks: versions that were never tried, and images that the store knows.
import type { Engine, EngineInfo } from '../engine/port.ts'
import type { ImageRecord } from '../store/image-rows.ts'
import type { Finding } from './finding.ts'

/** the oldest that the tests run with */
const oldest = { podman: [4, 3], docker: [20, 10] } as const

export function examineVersion({ dialect, version }: Pick<EngineInfo, 'dialect' | 'version'>): readonly Finding[] {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [leastMajor, leastMinor] = oldest[dialect]
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return []
  const name = { podman: 'Podman', docker: 'Docker' }[dialect]
  const fix = `Install ${name} ${leastMajor}.${leastMinor} or newer.`
  return [{ problem: `${name} ${version} is older than what this service was tried with.`, fix }]
}

/** after a restore, or on another machine, rows may be there without their images */
export async function examineImages(engine: Pick<Engine, 'images'>, known: readonly ImageRecord[]): Promise<Finding[]> {
  // an engine that does not answer is a finding of its own
  const there = await engine.images().catch(() => undefined)
  if (!there) return []
  const missing = known.filter(({ id, engineId }) => engineId !== null && !there.has(id))
  const own = missing.filter(({ account }) => account !== null).length
  const ofBase = missing.flatMap(({ account, name }) => {
    if (account !== null) return []
    const fix = `Import it again: atelier images import --name ${name} --reference REFERENCE`
    return [{ problem: `The engine no longer has the base image ${name}: no container can be created from it.`, fix }]
  })
  if (own === 0) return ofBase
  const problem = `The engine no longer has ${own} ${own === 1 ? 'image' : 'images'} of accounts: containers cannot be created from them.`
  return [...ofBase, { problem, fix: 'Ask their holders to delete and build them again.' }]
}
