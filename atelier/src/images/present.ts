// An image as callers see it. Values of its environment are never shown.
import { timeOrNull } from '../containers/present.ts'
import type { ImageRecord } from '../store/image-rows.ts'

export function presentImage(image: ImageRecord) {
  const { id, account, name, status, error, sizeBytes, config, base, createdAt, finishedAt } = image
  const { command, entrypoint, workingDir, user, env, labels } = config
  return {
    id,
    name,
    scope: account === null ? ('base' as const) : ('own' as const),
    status,
    error,
    sizeBytes,
    config: { command, entrypoint, workingDir, user, envNames: Object.keys(env).toSorted(), labels },
    baseImage: base,
    createdAt: timeOrNull(createdAt),
    finishedAt: timeOrNull(finishedAt),
    durationMs: finishedAt === null ? null : finishedAt - createdAt,
  }
}
