// G10: the platform treats one tenant badly; the other one's answers must not show it. The platform takes 100 ms for an answer,
// which is quick for the real one, so that the figure is not that of two processes on one core.
import { setTimeout as wait } from 'node:timers/promises'
import { atMost, exactly, good, p99, shownTally, timesOf, told } from './measures.mjs'
import { assetPath } from './scene.mjs'
import { keyIdOf } from './service.mjs'

const delayMs = 100
const troubles = [
  ['quiet', undefined],
  ['hung', { kind: 'hang' }],
  ['401', { kind: 'status', status: 401 }],
  ['429', { kind: 'status', status: 429 }],
  ['bombs', { kind: 'bomb' }],
]

async function oneTrouble(scene, [name, trouble], seconds) {
  // bombs are packed before the first request
  const platform = await scene.platform({ '*': { delayMs }, warm: { bad: [{ kind: 'bomb' }] } })
  const service = await scene.service({ platform: platform.origin, connections: ['a', 'b'] })
  const caller = scene.caller(service)
  const both = (time) => Promise.all(['a', 'b'].map((id) => caller.pace(50, { seconds: time, pathOf: assetPath(id) })))
  await both(2)
  if (trouble) await platform.rule({ '*': { delayMs }, [keyIdOf('a')]: { bad: [trouble] } })
  const [a, b] = await both(seconds)
  // what hangs still, ends with the service
  await wait(100)
  await service.close()
  await platform.close()
  return { name, a, b, p99: p99(timesOf(b)) }
}

export const tenants = {
  ids: ['G10'],
  about: "Tenant isolation: A's platform is in trouble, B asks 50 times a second",
  async run(scene, { full, say }) {
    const seconds = full ? 120 : 8
    const seen = []
    for (const trouble of troubles) {
      const one = await oneTrouble(scene, trouble, seconds)
      say(`  A ${one.name}: A ${shownTally(one.a)}; B ${shownTally(one.b)}, p99 ${one.p99.toFixed(1)} ms`)
      seen.push(one)
    }
    const [quiet, ...others] = seen
    return [
      told('G10', "B's p99 while all is quiet", quiet.p99, { unit: 'ms' }),
      ...others.flatMap(({ name, a, b, p99: slow }) => [
        exactly('G10', `B's failures while A's platform is ${name}`, b.length - good(b).length, 0, {
          note: `A: ${shownTally(a)}`,
        }),
        atMost('G10', `B's p99 then, as part of the quiet one`, slow / quiet.p99, 1.2, {
          note: `${slow.toFixed(1)} ms`,
        }),
      ]),
    ]
  },
}
