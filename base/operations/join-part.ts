// Joins hand-written parts of a typed client into its one file, which imports nothing.

/** Removes the imports of a part, and the `export` of names that the parts have for each other only. */
export function joinPart(part: string, inner: readonly string[]): string {
  const exported = new RegExp(
    String.raw`^export (?=(?:const|(?:async )?function\*?|class|interface|type) (?:${inner.join('|')})\b)`,
    'gm',
  )
  return part
    .replaceAll(/^import [^']*'[^']+'\n/gm, '')
    .replaceAll(exported, '')
    .trim()
}
