// The review stamp of a route as a sentence: who compared what with what, and when.
import type { Route } from '../catalogue/define.ts'

export const reviewedWords = ({ reviewed, from }: Pick<Route, 'reviewed' | 'from'>): string =>
  `Reviewed against platform ${reviewed.version}, \`GET ${from.read}\`, on ${reviewed.date}.`
