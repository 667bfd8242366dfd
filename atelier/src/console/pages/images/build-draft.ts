// What is filled in for a build, and the request that it becomes: JSON, or with a context two parts of a form.
import type { Faults } from '../../fault-focus.ts'
import { pairsOf } from '../../lines.ts'

export const blank = {
  name: '',
  dockerfile: '',
  buildArgs: '',
  context: undefined as File | undefined,
}

export type BuildDraft = Readonly<typeof blank>

export function faultsOf({ name, dockerfile, buildArgs }: BuildDraft): Faults {
  const found = [
    ['name', name.trim() === '' && 'Enter a name.'],
    ['dockerfile', dockerfile.trim() === '' && 'Enter a Dockerfile, or load one from a file.'],
    ['buildArgs', !pairsOf(buildArgs) && 'Write NAME=value on each line.'],
  ] as const
  return Object.fromEntries(found.filter(([, fault]) => fault)) as Faults
}

const specOf = ({ name, dockerfile, buildArgs }: BuildDraft) => ({
  name: name.trim(),
  dockerfile,
  buildArgs: pairsOf(buildArgs) ?? {},
})

/** of the same content it is the same */
export const contentOf = (draft: BuildDraft): string => {
  const { context } = draft
  return JSON.stringify([specOf(draft), context && [context.name, context.size, context.lastModified]])
}

export function requestOf(draft: BuildDraft): { readonly body: object } | { readonly content: FormData } {
  if (!draft.context) return { body: specOf(draft) }
  const form = new FormData()
  form.append('spec', new Blob([JSON.stringify(specOf(draft))], { type: 'application/json' }))
  form.append('context', new Blob([draft.context], { type: 'application/x-tar' }))
  return { content: form }
}
