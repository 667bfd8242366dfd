// What one answer of the platform may weigh. How long its parts may take is the operator's choice (pools.ts).

export const limits = {
  /** compressed bytes */
  wire: 4 * 1024 * 1024,
  /** bytes of the document itself */
  decoded: 8 * 1024 * 1024,
  /** nesting of the JSON */
  depth: 64,
  /** values of the JSON, which hold everybody up while they are parsed; 200 apps unasked are 37,000 */
  values: 80_000,
  /** of one read: the first, and two repeats */
  calls: 3,
  /** what the body of a refusal may take: its status is known already */
  refusalMs: 1_000,
  headerBytes: 16 * 1024,
} as const
