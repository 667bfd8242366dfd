// Types of JSON source text access, which TypeScript's library lacks.
interface RawJson {
  readonly rawJSON: string
}
interface JSON {
  rawJSON(text: string): RawJson
  isRawJSON(value: unknown): value is RawJson
  parse(
    text: string,
    reviver: (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown
}
