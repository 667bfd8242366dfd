// A container as callers see it. Values of environment variables are never shown.
import type { ContainerRecord, ContainerSpec } from '../store/container-rows.ts'

const timeOf = (ms: number): string => new Date(ms).toISOString()
export const timeOrNull = (ms: number | null): string | null => (ms === null ? null : timeOf(ms))

/** what the caller chose; the additions to the contract are shown where they were asked for */
function presentSpec({ command, workingDir, user, envNames, labels, limits, ...rest }: ContainerSpec) {
  const { network, egress, secrets, readOnlyRootfs } = rest
  const added = { ...(egress && { egress }), ...(secrets && { secrets }) }
  return { command, workingDir, user, envNames, labels, limits, network, ...added, readOnlyRootfs }
}

export function presentContainer(record: ContainerRecord) {
  const { id, name, status, reason, exitCode, image, spec, createdAt, startedAt, activeAt, expiresAt } = record
  const { idleMs, deletedAt } = record
  return {
    id,
    name,
    status,
    statusReason: reason,
    exitCode,
    image: { id: image, name: spec.imageName },
    ...presentSpec(spec),
    createdAt: timeOf(createdAt),
    startedAt: timeOrNull(startedAt),
    lastActivityAt: timeOf(activeAt),
    expiresAt: timeOf(expiresAt),
    idleTimeoutSeconds: idleMs === null ? null : idleMs / 1_000,
    deletedAt: timeOrNull(deletedAt),
  }
}
