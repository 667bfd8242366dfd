// The doctor of a running service, with the checks of `vitrine doctor`, for the operator endpoint.
import type { DoctorInput } from '../doctor/installation.ts'
import type { Doctor } from '../management/examination.ts'

/** `read`: the current settings; throws an Error that says what is wrong with them */
export const createDoctor = (read: () => DoctorInput): Doctor => ({
  ids() {
    try {
      return Object.keys(read().settings.connections)
    } catch {
      // the checks report it
      return []
    }
  },
  // loaded with the first run
  async examine(round) {
    const { checkInstallation } = await import('../doctor/installation-check.ts')
    const { titleOf } = await import('../doctor/checks.ts')
    await checkInstallation({
      ids: round.ids,
      signal: round.signal,
      started: round.begin,
      asItComes: true,
      read,
      unknown(id) {
        throw new Error(`there is no connection ${id} any more`)
      },
      report: (finding) => round.tell({ ...finding, title: titleOf(finding.id) }),
    })
  },
})
