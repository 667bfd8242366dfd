// The source files of base and of both services, as lines and as syntax trees.
import { globSync, readFileSync } from 'node:fs'
import { parseSync } from 'vite'

/** not written by hand */
const derived = new Set(['vitrine/src/version.ts', 'vitrine/client/vitrine.ts', 'atelier/client/atelier.ts'])

/** what runs in the service, in the browser and in callers' programs; tests and scripts apart */
export const sources = globSync(
  '{base,vitrine/src,vitrine/client,atelier/src,atelier/client}/**/*.{ts,tsx,js,mjs}',
).filter((file) => !file.startsWith('base/test/') && !file.endsWith('.d.ts') && !derived.has(file))

export const testSources = globSync('{base/test,vitrine/test,atelier/test}/**/*.{ts,mjs}')

export const readText = (file: string): string => readFileSync(file, 'utf8')
export const linesOf = (file: string): string[] => readText(file).trimEnd().split('\n')

export interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [member: string]: unknown
}

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string'

export function parse(file: string): Node {
  const lang = file.endsWith('x') ? 'tsx' : file.endsWith('ts') ? 'ts' : 'js'
  return parseSync(file, readText(file), { lang }).program as unknown as Node
}

/** every node below this one, in the order of the text */
export function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap((value) =>
    Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [],
  )
}
