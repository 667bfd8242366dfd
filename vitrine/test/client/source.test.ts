// The promises of the client, tested on its source.
import { promiseAnswers } from './answers.ts'
import { promiseArguments } from './arguments.ts'
import { promiseClocks } from './clocks.ts'
import { promiseFailures } from './failures.ts'
import { promiseHostile } from './hostile.ts'
import { promiseLists } from './lists.ts'

const load = () => import('../../client/vitrine.ts')

for (const promise of [promiseAnswers, promiseArguments, promiseLists, promiseFailures, promiseClocks, promiseHostile])
  promise('source', load)
