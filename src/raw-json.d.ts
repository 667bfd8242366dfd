// JSON source text access, which the bundled library types do not know yet.
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
