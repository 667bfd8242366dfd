// Every resource type the sandbox knows by its platform name, looked up by untrusted words, hence a map.
// The families beside this file hold the words themselves.
import { appsWords } from './apps.ts'
import { buildsWords } from './builds.ts'
import { commerceWords } from './commerce.ts'
import { marketingWords } from './marketing.ts'
import type { ResourceWords } from './resource.ts'

const words: ReadonlyMap<string, ResourceWords> = new Map<string, ResourceWords>(
  Object.entries({ ...appsWords, ...buildsWords, ...commerceWords, ...marketingWords }),
)

export function wordsFor(type: string): ResourceWords {
  const found = words.get(type)
  if (found === undefined) throw new Error(`The sandbox has no words for the resource type ${type}`)
  return found
}

export function fieldNames(type: string): string[] {
  const { attributes, relations } = wordsFor(type)
  return [...attributes, ...relations.keys()]
}
