// How requests ended in the last hour, how long they and the platform took, and what was asked for most.
import { isoOf } from '../moment.ts'
import { base, type Operation } from './operation.ts'

const minutes = 60

export const healthOperation: Operation = {
  // the page /healthz is `getHealth`
  ...{ method: 'GET', path: `${base}/health`, operationId: 'getHealthOfHour', tag: 'status', watches: true },
  summary: 'How the requests of the last hour ended, how long they took, and what was asked for most',
  description:
    'Of callers at the public door, its open pages apart. Minute by minute, oldest first; the last one is under way. Lengths of time are within some 7 %; null: none was measured. In memory: it begins anew with a restart.',
  ...{ act: 'service.health', status: 200, answer: 'Health', refusals: [] },
  run: async (_, { picture, history, now }) => {
    await picture()
    const [last, at] = [history.minute(), now()]
    return {
      ...{ at: isoOf(at), stepSec: 60 },
      minutes: Array.from({ length: minutes }, (_, i) => isoOf(history.beganAt(last - minutes + 1 + i, at))),
      ...history.service(last),
    }
  },
}
