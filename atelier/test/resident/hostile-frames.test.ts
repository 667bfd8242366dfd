// Random and damaged frames neither crash the resident nor make it hang.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import test from 'node:test'
import { untilEqual } from '../../../base/test/until.ts'
import { randomOf } from '../exec/process-trees.ts'
import { frame, startPayload } from './frames.ts'
import { asProcess1, openAt, outside } from './own-user.ts'

const streams = 10_000
const padding = Buffer.alloc(65_536 + 16)

const randomBuffer = (random: (most: number) => number, length: number): Buffer =>
  Buffer.from(Array.from({ length }, () => random(256)))

/** frames of known and unknown types, whole, damaged or cut */
function makeStream(seed: number): Buffer {
  const random = randomOf(seed)
  const parts = Array.from({ length: 1 + random(6) }, () => {
    const type = [1, 2, 2, 3, 4, 5, 6, 7, 8, 12, 0, 65, 200][random(13)] as number
    const command = random(4)
    const start = startPayload(['/bin/true'], { flags: random(10), credit: random(3), env: ['A=b'] })
    const payload =
      type === 2 || type === 12 ? start : randomBuffer(random, [0, 4, 5, 8, 17, random(300)][random(6)] as number)
    const bytes = frame(type, command, payload)
    for (let damage = random(3) === 0 ? 1 + random(3) : 0; damage > 0; damage--)
      bytes[random(bytes.length)] = random(256)
    return random(5) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes
  })
  return random(10) === 0 ? randomBuffer(random, random(2000)) : Buffer.concat(parts)
}

test(
  `${streams} random streams leave the resident of a container answering HELLO, and nothing else`,
  { skip: asProcess1.skip, timeout: 300_000 },
  async (t) => {
    const { client, ids } = openAt(t, asProcess1)
    await client.hello()
    const usual = ids()
    for (let seed = 1; seed <= streams; seed++) {
      client.child.stdin!.write(Buffer.concat([makeStream(seed), padding]))
      await client.hello()
      assert.ok(!client.ended, `seed ${seed}`)
      client.frames.length = 0
    }
    await untilEqual(async () => ids(), usual)
  },
)

test(
  'random streams end a resident with 0 or 1, and leave nothing',
  { skip: outside.skip, timeout: 300_000 },
  async (t) => {
    for (let seed = 1; seed <= 60; seed++) {
      const { client, ids } = openAt(t, outside)
      const ended = once(client.child, 'exit')
      client.child.stdin!.end(makeStream(seed))
      const [code, signal] = (await ended) as [number | null, string | null]
      assert.ok(code === 0 || code === 1, `seed ${seed}: ${code} ${signal}`)
      if (seed % 20 === 0) await untilEqual(async () => ids(), [])
    }
  },
)
