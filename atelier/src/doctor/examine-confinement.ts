// Checks whether the engine applies the seccomp profile, in a container of the first base image that the engine has.
import type { Engine } from '../engine/port.ts'
import type { ImageRecord } from '../store/image-rows.ts'
import type { Finding } from './finding.ts'

const fix =
  "Let Podman read deploy/seccomp.json of the package: if it runs on another file system, copy the file there and name its path in engine.seccompProfile. A profile of your own must refuse the same calls, and the engine's runtime must apply it."

export async function examineConfinement(engine: Engine, bases: readonly ImageRecord[]): Promise<Finding[]> {
  try {
    for (const { engineId } of bases) {
      if (engineId === null || !(await engine.image(engineId))) continue
      const problem = await engine.confinement(engineId)
      return problem === undefined ? [] : [{ problem: `${problem} No container can be created.`, fix }]
    }
    return []
  } catch {
    // another check reports that the engine is away
    return []
  }
}
