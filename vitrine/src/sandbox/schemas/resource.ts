// How resource types are written down: their attributes, and how each relationship is shown.
export interface Relation {
  readonly type: string
  readonly many: boolean
  readonly links: boolean
  readonly data: boolean
  readonly unasked: boolean
}

export interface ResourceSchema {
  readonly version: 'v1' | 'v2'
  readonly attributes: readonly string[]
  readonly relations: ReadonlyMap<string, Relation>
}

// Each list is words divided by spaces; a relationship is `name`, or `name:type` where the two differ.
export interface ResourceText {
  readonly attributes?: string
  readonly one?: string
  readonly oneLinked?: string
  readonly unasked?: string
  readonly many?: string
  readonly manyBare?: string
  readonly linked?: string
  readonly version?: 'v2'
}

// `unasked` answers a quirk: an asset placement names its image or video even when it was not included.
const shapes = {
  one: { many: false, links: false, data: true, unasked: false },
  oneLinked: { many: false, links: true, data: true, unasked: false },
  unasked: { many: false, links: false, data: true, unasked: true },
  many: { many: true, links: true, data: true, unasked: false },
  manyBare: { many: true, links: false, data: true, unasked: false },
  linked: { many: true, links: true, data: false, unasked: false },
} as const

export const splitWords = (text: string | undefined): string[] =>
  text === undefined ? [] : text.split(/\s+/).filter((word) => word !== '')

export function resourceSchema(text: ResourceText): ResourceSchema {
  const relations = new Map<string, Relation>()
  for (const [shape, traits] of Object.entries(shapes)) {
    for (const word of splitWords(text[shape as keyof typeof shapes])) {
      const [name = word, type = name] = word.split(':')
      relations.set(name, { type, ...traits })
    }
  }
  return { version: text.version ?? 'v1', attributes: splitWords(text.attributes), relations }
}
