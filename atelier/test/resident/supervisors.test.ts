// Commands that attack the resident and its supervisors, and what they can read of them.
import assert from 'node:assert/strict'
import test from 'node:test'
import { untilEqual } from '../../../base/test/until.ts'
import { whole } from './client.ts'
import { types } from './frames.ts'
import { asProcess1, openAt, outside, places } from './own-user.ts'

for (const place of places) {
  const title = (promise: string) => `${place.name}: ${promise}`
  const { skip } = place

  test(title('a command that kills its supervisor ends by signal 9, with all it started'), { skip }, async (t) => {
    const { client, ids } = openAt(t, place)
    await client.hello()
    client.start(1, ['sh', '-c', 'sleep 1000 & echo other; wait'])
    await client.next(1, 'output')
    const usual = ids()
    for (let id = 2; id < 12; id++) {
      client.start(id, [
        'sh',
        '-c',
        'echo out; (setsid sleep 1000 &); sleep 1000 & kill -9 $PPID; while :; do sleep 0.01; done',
      ])
      assert.deepEqual(await whole(client, id), {
        type: types.exit,
        value: 9,
        errno: undefined,
        stdout: 'out\n',
        stderr: '',
      })
      await untilEqual(async () => ids(), usual)
    }
  })

  test(title('a stopped supervisor goes on at once'), { skip }, async (t) => {
    const { client, ids } = openAt(t, place)
    await client.hello()
    const usual = ids()
    client.start(1, ['sh', '-c', 'kill -STOP $PPID; exit 8'])
    assert.equal((await whole(client, 1)).value >> 8, 8)
    await untilEqual(async () => ids(), usual)
  })

  test(
    title('no command reads the memory or the descriptors of the resident and of supervisors'),
    { skip },
    async (t) => {
      const { client } = openAt(t, place)
      const script = `for id in $PPID $(grep PPid: /proc/$PPID/status | cut -f2); do
      for name in environ maps mem fd/0 fd/1 fd/3 cwd exe; do { true </proc/$id/$name; } 2>/dev/null && echo $id $name; done
      ls /proc/$id/fd /proc/$id/cwd/ 2>/dev/null
    done; echo end`
      client.start(1, ['sh', '-c', script])
      assert.equal((await whole(client, 1)).stdout, 'end\n')
    },
  )

  test(title('where no process can be started, START is refused and others go on'), { skip }, async (t) => {
    const { client } = openAt(t, place, 12)
    const fill =
      'while (1) { my $p = fork; if (!defined $p) { print "full\\n"; $| = 1; sleep 1000 } elsif (!$p) { sleep 1000; exit } }'
    client.start(1, ['perl', '-e', `$| = 1; ${fill}`])
    await client.next(1, 'output')
    client.start(2, ['true'])
    assert.deepEqual(await whole(client, 2).then(({ type, value, errno }) => [type, value, errno]), [
      types.failed,
      3,
      11,
    ])
    client.send(7, 1)
    await client.next(1, 'killed')
    client.start(3, ['true'])
    assert.equal((await whole(client, 3)).value, 0)
  })
}

test(
  'a command that kills all it can is alone in its harm: the resident as process 1 goes on',
  { skip: asProcess1.skip },
  async (t) => {
    const { client, ids } = openAt(t, asProcess1)
    await client.hello()
    const usual = ids()
    client.start(1, ['sleep', '1000'])
    await client.next(1, 'started')
    client.start(2, ['sh', '-c', 'kill -9 -1; sleep 1000'])
    assert.deepEqual([(await whole(client, 1)).value, (await whole(client, 2)).value], [9, 9])
    await untilEqual(async () => ids(), usual)
    client.start(3, ['echo', 'on'])
    assert.equal((await whole(client, 3)).stdout, 'on\n')
  },
)

test('a resident that is killed takes its supervisors with it', { skip: outside.skip }, async (t) => {
  const { client, ids } = openAt(t, outside)
  await client.hello()
  client.start(1, ['sh', '-c', 'kill -9 $(grep PPid: /proc/$PPID/status | cut -f2); exec sleep 1000'])
  const { payload } = await client.next(1, 'started')
  await untilEqual(async () => ids(), [payload.readUInt32BE()])
})
