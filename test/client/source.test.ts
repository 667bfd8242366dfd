// The client's promises, shown on its source.
import { promiseAnswers } from './answers.ts'
import { promiseArguments } from './arguments.ts'
import { promiseClocks } from './clocks.ts'
import { promiseFailures } from './failures.ts'
import { promiseStrangers } from './strangers.ts'
import { promiseWalks } from './walks.ts'

const load = () => import('../../client/vitrine.ts')

for (const promise of [
  promiseAnswers,
  promiseArguments,
  promiseWalks,
  promiseFailures,
  promiseClocks,
  promiseStrangers,
])
  promise('source', load)
