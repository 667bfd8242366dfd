// Decides whether a request's Accept header admits what an endpoint answers with.
// The platform's 406 has a plain-text body, unlike every other refusal.
import { textAnswer } from './answer.ts'
import { overviewMediaType } from './overview.ts'
import { Refusal } from './refusal.ts'

export function requireMediaType(accept: string | undefined, isOverview: boolean): void {
  const items = (accept ?? '*/*').split(',')
  const offered = new Set(items.map((item) => item.split(';')[0]?.trim().toLowerCase()))
  const wanted = isOverview ? [overviewMediaType] : ['application/json', 'application/*', '*/*']
  if (wanted.some((type) => offered.has(type))) return
  throw new Refusal(textAnswer(406, `Not Acceptable: the answer is of type ${wanted[0] ?? ''}`))
}
