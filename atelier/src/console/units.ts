// Amounts as people read them.
import { whole } from '../../../base/console/format.ts'

/** `512 MiB`, `1.5 GiB` */
export const memory = (mib: number): string =>
  mib < 1_024 ? `${whole(mib)} MiB` : `${whole(Math.round((mib / 1_024) * 10) / 10)} GiB`

export function mebibytes(bytes: number): string {
  if (bytes < 1_024) return `${whole(bytes)} bytes`
  const mib = bytes / 1_048_576
  return mib < 1 ? `${whole(Math.round(bytes / 1_024))} KiB` : memory(Math.round(mib * 10) / 10)
}

/** `1 hour`, `90 min`, `2 days` */
export function span(seconds: number): string {
  if (seconds % 86_400 === 0) return seconds === 86_400 ? '1 day' : `${seconds / 86_400} days`
  if (seconds % 3_600 === 0) return seconds === 3_600 ? '1 hour' : `${seconds / 3_600} hours`
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${whole(seconds)} s`
}
