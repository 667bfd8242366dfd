// Describes a plan in words: each platform call, its purpose, and what a lookup compares. No call is made.
import type { Route } from '../catalogue/define.ts'
import { appScopeOf } from '../catalogue/ownership.ts'
import { listingStep } from './ownership.ts'
import type { Plan, Step } from './plan.ts'
import type { Purpose } from './port.ts'

export interface ExplainedStep {
  readonly purpose: string
  readonly get: string
  readonly query: Readonly<Record<string, string>>
  readonly accept: string
  readonly looksFor?: string
}

export const purposeWords: Readonly<Record<Purpose, string>> = {
  locale: 'find the one localization with exactly this locale; every page is read',
  membership: 'prove that the child belongs to the parent; pages are read until it is found',
  owner: 'prove that the parent exists: a filter by an absent one would find nothing',
  parents: 'list the parents; the lists below them are read one after the other, by id',
  ownership: 'prove that the resource hangs below an app of the key; lists are remembered for a minute',
  answer: 'read the answer',
}

/** ids that only the lookup can find stay placeholders in braces */
const filled = (path: string, ids: Step['ids']): string =>
  path.replaceAll(/\{(\w+)\}/g, (hole, name: string) => (name in ids ? encodeURIComponent(ids[name] ?? '') : hole))

const explainStep = (purpose: Purpose, { endpoint, ids, asked, accept }: Step): ExplainedStep => ({
  purpose: purposeWords[purpose],
  get: filled(endpoint, ids),
  query: Object.fromEntries(asked.map(({ name, value }) => [name, value])),
  accept,
})

/** the listings with which a key for some apps proves that it may read; parents that they find stay in braces */
export const explainProof = (route: Route): ExplainedStep[] =>
  appScopeOf(route).chain.map((link) => ({ ...explainStep('ownership', listingStep(link, {})), looksFor: link.child }))

export function explainPlan({ lookup, read }: Plan): ExplainedStep[] {
  if (!lookup) return [explainStep('answer', read)]
  const { purpose, wanted } = lookup
  const first = { ...explainStep(purpose, lookup), ...(purpose !== 'parents' && { looksFor: wanted }) }
  return [first, explainStep('answer', read)]
}
