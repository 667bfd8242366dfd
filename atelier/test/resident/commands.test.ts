// How commands start and end.
import assert from 'node:assert/strict'
import test from 'node:test'
import { openResident, whole } from './client.ts'
import { types } from './frames.ts'

const exited = (code: number) => code << 8
const env = { PATH: '/usr/bin:/bin', HOME: '/nowhere', GREETING: 'own' }

test('a command has the arguments, the folder and the environment of its START, laid over those of the resident', async (t) => {
  const client = openResident(t, { env, cwd: '/usr' })
  const script = 'echo "$1|$2|$PWD|$HOME|$GREETING|$MORE"; umask; echo err >&2; exit 3'
  const argv = ['sh', '-c', script, 'sh', 'one two', '']
  client.start(1, argv, { folder: '/tmp', env: ['GREETING=given', 'MORE=a=b'] })
  const stdout = 'one two||/tmp|/nowhere|given|a=b\n0022\n'
  assert.deepEqual(await whole(client, 1), {
    type: types.exit,
    value: exited(3),
    errno: undefined,
    stdout,
    stderr: 'err\n',
  })
  client.start(2, ['pwd'])
  assert.equal((await whole(client, 2)).stdout, '/usr\n')
})

test('a program is found as execvp finds it, along the PATH of the command, and no shell is added', async (t) => {
  const client = openResident(t, { env })
  const fails = async (id: number, stage: number, errno: number, argv: string[], more: object = {}) => {
    client.start(id, argv, more)
    const end = await whole(client, id)
    assert.deepEqual([end.type, end.value, end.errno], [types.failed, stage, errno], argv.join(' '))
  }
  await fails(1, 2, 2, ['no-such-program'])
  await fails(2, 2, 2, ['true'], { env: ['PATH=/nowhere:/etc/passwd'] })
  await fails(3, 2, 13, ['passwd'], { env: ['PATH=/etc'] })
  await fails(4, 2, 13, ['/etc'])
  await fails(5, 2, 2, [''])
  await fails(6, 1, 2, ['true'], { folder: '/no/such/folder' })
  await fails(7, 1, 20, ['true'], { folder: '/etc/passwd' })
  await fails(8, 4, 22, [])
  await fails(9, 4, 22, ['true'], { env: ['no equals sign'] })
  await fails(10, 4, 22, ['true', 'a\0b'])
  client.start(12, ['./true'], { folder: '/bin' })
  assert.equal((await whole(client, 12)).value, 0)
  client.start(13, ['true'], { env: ['PATH=/nowhere::/usr/bin'] })
  assert.equal((await whole(client, 13)).value, 0)
})

test('the wait status is the one of the first process, by exit and by signal', async (t) => {
  const client = openResident(t)
  for (const [id, script, status] of [
    [1, 'exit 255', exited(255)],
    [2, 'kill -9 $$', 9],
    [3, 'kill -TERM $$', 15],
    [4, 'sleep 0.01 & exit 7', exited(7)],
  ] as const) {
    client.start(id, ['sh', '-c', script])
    assert.equal((await whole(client, id)).value, status)
  }
})

test('a command has no descriptor but its three, default signals, and its own session', async (t) => {
  const client = openResident(t)
  const outputOf = async (id: number, argv: string[]): Promise<string> => {
    client.start(id, argv)
    return (await whole(client, id)).stdout
  }
  // the last one is the folder that it reads
  assert.equal(await outputOf(1, ['ls', '/proc/self/fd']), '0\n1\n2\n3\n')
  assert.equal(await outputOf(2, ['readlink', '/proc/self/fd/0']), '/dev/null\n')
  const status = await outputOf(3, ['cat', '/proc/self/status'])
  for (const line of ['SigBlk', 'SigIgn', 'SigCgt']) assert.match(status, new RegExp(`${line}:\\s0+\\n`))
  const [id, group, session] = (await outputOf(4, ['cut', '-d ', '-f1,5,6', '/proc/self/stat'])).trim().split(' ')
  assert.deepEqual([group, session], [id, id])
})
