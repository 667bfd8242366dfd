// The tool that tells what an error means and what to do about it, by its code or by its type.
import { refuse } from '../engine/given.ts'
import { quote } from '../engine/quote.ts'
import { explainedWords, explanationOf } from '../explanations.ts'
import type { Desk, Told } from './desk.ts'

export function explainError({ code }: { code: string }, { glass }: Desk): Told {
  const explained = explanationOf(code)
  if (!explained) throw refuse('value_not_allowed', 'code', `There is no error ${quote(code)}.`, explainedWords, code)
  return { code, ...explained, docUrl: `${glass.origin}/errors/${code}` }
}
