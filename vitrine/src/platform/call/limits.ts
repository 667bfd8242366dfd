// Limits of one platform call. How long its parts may take is in the settings (pools.ts).

export const limits = {
  compressedBytes: 4 * 1024 * 1024,
  documentBytes: 8 * 1024 * 1024,
  depth: 64,
  /** JSON values, since parsing blocks the process; 200 apps with all fields have 37,000 */
  values: 80_000,
  /** calls for one read: the first and two retries */
  calls: 3,
  /** how long we wait for the body of a refusal, whose status is known */
  refusalMs: 1_000,
  headerBytes: 16 * 1024,
} as const
