// A container as callers see it. Values of environment variables are never shown.
import type { ContainerRecord } from '../store/container-rows.ts'

const timeOf = (ms: number): string => new Date(ms).toISOString()
export const timeOrNull = (ms: number | null): string | null => (ms === null ? null : timeOf(ms))

export function presentContainer(record: ContainerRecord) {
  const {
    id,
    name,
    status,
    reason,
    exitCode,
    image,
    spec,
    createdAt,
    startedAt,
    activeAt,
    expiresAt,
    idleMs,
    deletedAt,
  } = record
  const { imageName, command, workingDir, user, envNames, labels, limits, network, readOnlyRootfs } = spec
  return {
    id,
    name,
    status,
    statusReason: reason,
    exitCode,
    image: { id: image, name: imageName },
    command,
    workingDir,
    user,
    envNames,
    labels,
    limits,
    network,
    readOnlyRootfs,
    createdAt: timeOf(createdAt),
    startedAt: timeOrNull(startedAt),
    lastActivityAt: timeOf(activeAt),
    expiresAt: timeOf(expiresAt),
    idleTimeoutSeconds: idleMs === null ? null : idleMs / 1_000,
    deletedAt: timeOrNull(deletedAt),
  }
}
