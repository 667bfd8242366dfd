// The doctor of a running service: the same round as that of `vitrine doctor`, for the operator's door.
import type { Own } from '../doctor/patient.ts'
import { checkCacheGroups } from '../http/cache.ts'
import type { Doctor } from '../http/operator/examination.ts'

/** `read`: the settings as they are now; throws an Error that says what is wrong with them */
export function createDoctor(read: () => Own): Doctor {
  return {
    ids() {
      try {
        return Object.keys(read().settings.connections)
      } catch {
        // the round itself says what is wrong with them
        return []
      }
    },
    // loaded for the first round
    async examine(round) {
      const { examine } = await import('../doctor/examination.ts')
      const { titleOf } = await import('../doctor/checks.ts')
      await examine({
        ...round,
        asItComes: true,
        read() {
          const own = read()
          checkCacheGroups(own.settings)
          return own
        },
        unknown(id) {
          throw new Error(`there is no connection ${id} any more`)
        },
        tell: (finding) => round.tell({ ...finding, title: titleOf(finding.id) }),
      })
    },
  }
}
