// A fault planted in the product's code, a promise broken on purpose: the simulation of its subject must find it.
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export interface Mutant {
  readonly name: string
  /** from the root of the repository */
  readonly file: string
  readonly from: string
  readonly to: string
  /** the first that finds it; none yet where it is left out */
  readonly seed?: number
  /** runs in short test runs too */
  readonly isShort?: boolean
}

const root = join(import.meta.dirname, '../../..')

/** throws where the text to change is not there once */
export function mutantText({ file, from, to, name }: Mutant): string {
  const text = readFileSync(join(root, file), 'utf8')
  if (text.split(from).length !== 2) throw new Error(`${name}: the code that it changes is not there once`)
  return text.replace(from, () => to)
}

/** every module that is loaded from now on sees the changed file */
export function plant(mutant: Mutant) {
  const changed = pathToFileURL(join(root, mutant.file)).href
  const text = mutantText(mutant)
  registerHooks({
    load: (url, context, next) =>
      url === changed ? { format: 'module-typescript', source: text, shortCircuit: true } : next(url, context),
  })
}
