// What one answer of the platform may weigh and how long each part of it may take.

export const limits = {
  /** compressed bytes */
  wire: 4 * 1024 * 1024,
  /** bytes of the document itself */
  decoded: 8 * 1024 * 1024,
  /** nesting of the JSON */
  depth: 64,
  connections: 64,
  connectMs: 2_000,
  idleMs: 5_000,
  /** what the body of a refusal may take: its status is known already */
  refusalMs: 1_000,
  headerBytes: 16 * 1024,
} as const
