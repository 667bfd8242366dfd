// G27: two facade keys over one platform key that may ask 120 times an hour. One asks as fast as it can, the other now and then.
import { setTimeout as wait } from 'node:timers/promises'
import { atLeast, atMost, exactly, good, shownTally, told } from './measures.mjs'
import { assetPath } from './scene.mjs'
import { keyIdOf } from './service.mjs'

const hourly = 120
const share = hourly / 2

export const quota = {
  ids: ['G27'],
  about: 'Fair quota: a greedy key and a modest one over 120 calls an hour',
  async run(scene, { full }) {
    const platform = await scene.platform({ '*': { hourly, delayMs: 20 } })
    const service = await scene.service({ platform: platform.origin })
    const [greedy, modest] = await Promise.all([service.makeKey(), service.makeKey()])
    const [one, other] = [greedy, modest].map((key) => scene.caller({ ...service, key }))
    // its share to the last call but one, over the whole time
    const seconds = full ? 120 : 30
    let isOver = false
    const wants = other.pace((share - 1) / seconds, { seconds, pathOf: assetPath('a', 1_000_000) })
    await wait(200)
    const takes = greedyLoad(one, () => isOver)
    const modestly = await wants
    isOver = true
    const greedily = await takes
    const { calls, refused } = (await platform.counts())[keyIdOf('a')]
    return [
      atLeast('G27', "of the modest key's requests, answered 200", good(modestly).length / modestly.length, 0.9, {
        note: shownTally(modestly),
      }),
      exactly('G27', "the platform's own 429s", refused, 0),
      atMost('G27', 'calls in the hour', calls, hourly),
      told('G27', 'of the greedy key, answered 200', good(greedily).length, { note: shownTally(greedily) }),
    ]
  },
}

/** four at a time, without a pause but for a refusal, which it does not respect for more than 50 ms */
async function greedyLoad(caller, isOver) {
  const answers = []
  let next = 0
  const one = async () => {
    while (!isOver()) {
      const answer = await caller.ask(assetPath('a', 2_000_000)(next++))
      answers.push(answer)
      if (answer.status !== 200) await wait(50)
    }
  }
  await Promise.all([one(), one(), one(), one()])
  return answers
}
