// Writes the stamps of a review into the definitions of a checkout, each file atomically.
import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Review } from '../review/review.ts'
import { restamp, whyNotStamped } from '../review/stamps.ts'
import { UserError } from '../../../base/cli/user-error.ts'

export const ownCatalogue = fileURLToPath(new URL('../catalogue', import.meta.url))

export interface Stamping {
  readonly stamped: readonly string[]
  readonly left: readonly { readonly operation: string; readonly why: string }[]
}

function writeWhole(file: string, text: string) {
  const draft = `${file}.stamping`
  try {
    writeFileSync(draft, text, { mode: statSync(file).mode })
    renameSync(draft, file)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** checks that all files are writable before it writes the first */
function writeAll(texts: ReadonlyMap<string, string>) {
  try {
    for (const file of texts.keys()) accessSync(file, constants.W_OK)
    for (const [file, text] of texts) writeWhole(file, text)
  } catch (error) {
    const reason = (error as Error).message
    throw new UserError(`the stamps could not all be written: ${reason}; see \`git status\``, { cause: error })
  }
}

export function writeStamps({ routes, document }: Review, date: string, folder: string): Stamping {
  if (!existsSync(join(folder, 'define.ts')))
    throw new UserError('stamps are written into a checkout, and this is an installed package; run it from a checkout')
  const texts = new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith('.ts'))
      .map((name) => [join(folder, name), readFileSync(join(folder, name), 'utf8')] as const),
  )
  const before = new Map(texts)
  const left: { operation: string; why: string }[] = []
  const stamped: string[] = []
  for (const reviewed of routes) {
    const { operation } = reviewed.route
    const why = whyNotStamped(reviewed)
    if (why !== undefined) {
      left.push({ operation, why })
      continue
    }
    const stamp = { version: document.version, date, hash: reviewed.hash ?? '' }
    const found = [...texts].map(([file, text]) => [file, restamp(text, operation, stamp)] as const)
    const [file, text] = found.find(([, text]) => text !== undefined) ?? []
    if (file === undefined || text === undefined)
      throw new UserError(`no definition of ${operation} with a stamp was found in ${folder}; nothing was written`)
    texts.set(file, text)
    stamped.push(operation)
  }
  writeAll(new Map([...texts].filter(([file, text]) => text !== before.get(file))))
  return { stamped, left }
}
