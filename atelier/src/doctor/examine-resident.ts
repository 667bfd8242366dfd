// Whether commands can be started by the resident: a program for the engine's processors, and base images that carry it.
import { labels } from '../engine/link.ts'
import type { Engine } from '../engine/port.ts'
import { hasResidentFor } from '../engine/resident.ts'
import type { ImageRecord } from '../store/image-rows.ts'
import type { Finding } from './finding.ts'

const instead = 'Commands are started by the engine, which takes 50 to 90 ms each.'

export async function examineResident(engine: Engine, bases: readonly ImageRecord[]): Promise<Finding[]> {
  try {
    const { architecture } = await engine.info()
    if (!hasResidentFor(architecture)) {
      const problem = `There is no resident for processors of the kind ${architecture}. ${instead}`
      return [{ problem, fix: 'Set engine.commands to engine, which says that this is meant.' }]
    }
    const found: Finding[] = []
    for (const { name, engineId } of bases) {
      const image = await engine.image(engineId ?? '')
      if (!image || image.labels[labels.resident] !== undefined) continue
      const problem = `The base image ${name} was imported without the resident. ${instead}`
      found.push({ problem, fix: `Import it again: atelier images import --name ${name} --reference REFERENCE` })
    }
    return found
  } catch {
    // that the engine is away is said elsewhere
    return []
  }
}
