// What OpenSSH's client gets.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { until } from '../../../base/test/until.ts'
import { onGateway } from './rig.ts'

const allBytes = Buffer.from(Array.from({ length: 256 }, (_, at) => at))

onGateway('a command runs in the container: bytes whole both ways, errors apart, its exit code', async (rig) => {
  const session = await rig.open(await rig.make({ env: { IN: 'container' }, workingDir: '/tmp' }))
  const said = await rig.run(session, ['echo out; echo err >&2; id -u; pwd; echo $IN; exit 6'])
  assert.deepEqual([String(said.stdout), said.stderr, said.code], ['out\n1000\n/tmp\ncontainer\n', 'err\n', 6])
  const input = Buffer.concat(Array.from({ length: 12_000 }, () => allBytes))
  const { stdout } = await rig.run(session, ['cat'], { input })
  assert.ok(stdout.equals(input), `${stdout.length}`)
  assert.equal(
    String((await rig.run(session, [], { flags: ['-T'], input: 'echo $((40+2))\nexit 3\n' })).stdout),
    '42\n',
  )
  assert.equal((await rig.run(session, ['kill -TERM $$'])).code, 143)
  assert.equal((await rig.run(session, ['nothing-of-this-name'])).code, 127)
  const { key } = rig
  const opened = { kind: 'ssh_opened', sessionId: session.sessionId, containerId: session.containerId, keyId: key.id }
  assert.deepEqual(
    rig.events.find(({ kind }) => kind === 'ssh_opened'),
    { ...opened, from: '127.0.0.1' },
  )
  await until(() => rig.events.filter(({ kind }) => kind === 'ssh_closed').length === 5)
})

onGateway('the answer names the session, and its host key is the one of the file', async (rig) => {
  const container = await rig.make()
  const session = await rig.open(container, { ttlSeconds: 60 })
  const blob = Buffer.from(session.hostKey.split(' ')[1] ?? '', 'base64')
  const fingerprint = createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')
  assert.equal(session.hostKeyFingerprint, `SHA256:${fingerprint}`)
  assert.match(session.username, /^ssh_[0-9a-z]{26}$/)
  assert.equal(session.command, `ssh -p 2222 ${session.username}@127.0.0.1`)
  assert.ok(Math.abs(Date.parse(session.expiresAt) - Date.now() - 60_000) < 3_000)
  const wish = { containerId: container, publicKey: 'nonsense' }
  const { status, body } = await rig.call('/containers/ssh', wish)
  assert.deepEqual([status, body.error.type], [400, 'invalid_public_key'])
})

onGateway('keys are exchanged anew in the middle of a transfer', async (rig) => {
  const session = await rig.open(await rig.make())
  const input = Buffer.alloc(20_000_000, 'abc')
  const { stdout, code } = await rig.run(session, ['cat'], { input, flags: ['-o', 'RekeyLimit=300K'] })
  assert.ok(stdout.equals(input), `${stdout.length}`)
  assert.equal(code, 0)
})

onGateway('LANG, LC_* and TERM pass, other environment does not', async (rig) => {
  const session = await rig.open(await rig.make())
  const env = 'SetEnv=LANG=xx LC_ALL=yy EVIL=1 LD_PRELOAD=/x ATELIER_EXEC=init LC_=no PATH=/tmp'
  const { stdout } = await rig.run(session, ['echo $LANG:$LC_ALL:$EVIL:$LD_PRELOAD:$LC_:$PATH'], { flags: ['-o', env] })
  assert.equal(String(stdout), 'xx:yy::::/bin:/usr/bin:/sbin:/usr/sbin\n')
})

onGateway('another key, another user and a password are refused', async (rig) => {
  const container = await rig.make()
  const [one, two] = [await rig.open(container), await rig.open(container)]
  const fails = async (ran: ReturnType<typeof rig.run>) => assert.equal((await ran).code, 255)
  await fails(rig.run({ ...two, sessionId: `${two.sessionId}-x`, privateKey: one.privateKey }, ['id']))
  for (const user of ['root', container, one.username.toUpperCase(), `${one.username}x`, '']) {
    if (user !== '') await fails(rig.run(one, ['id'], { user }))
  }
  await fails(rig.run(one, ['id'], { flags: ['-o', 'PubkeyAuthentication=no'] }))
  assert.equal((await rig.run(one, ['true'])).code, 0)
})

onGateway('nothing is forwarded', async (rig) => {
  const session = await rig.open(await rig.make())
  for (const place of ['127.0.0.1:0:127.0.0.1:22', '/tmp/s:/tmp/t']) {
    const flags = ['-o', 'ExitOnForwardFailure=yes', '-R', place]
    assert.equal((await rig.run(session, ['true'], { flags })).code, 255, place)
  }
  assert.notEqual((await rig.run(session, ['netconf'], { flags: ['-s'] })).code, 0)
  const through = await rig.run(session, [], { flags: ['-W', `127.0.0.1:${rig.port}`] })
  assert.equal(through.code, 255)
  assert.equal(String(through.stdout), '')
  const { stdout } = await rig.run(session, ['echo $SSH_AUTH_SOCK$DISPLAY'], { flags: ['-A', '-X'] })
  assert.equal(String(stdout), '\n')
})

onGateway('a client that goes takes its command along', async (rig) => {
  const container = await rig.make()
  const session = await rig.open(container)
  for (const flags of [[], ['-tt']]) {
    const child = await rig.start(session, ['sleep 54321 & sleep 54321'], { flags })
    await until(() => rig.alive(container, 'sleep 54321'))
    child.kill('SIGKILL')
    await until(async () => !(await rig.alive(container, 'sleep 54321')), 5_000)
  }
  assert.equal((await rig.run(session, ['echo on'])).code, 0)
})

onGateway('a session ends with its API key, its container and its time, and so do open connections', async (rig) => {
  const container = await rig.make()
  const { key, text } = await rig.makeKey()
  const sessions = [await rig.open(container, {}, text), await rig.open(container), await rig.open(container)] as const
  await rig.store.db.run('UPDATE ssh_sessions SET ends_at = ? WHERE id = ?', [
    Date.now() + 4_000,
    sessions[1].sessionId,
  ])
  const runs = sessions.map((session) => rig.run(session, ['sleep 6543']))
  const endedWithin = async (at: number, mostMs: number) => {
    const began = Date.now()
    assert.equal((await runs[at])?.code, 255)
    assert.ok(Date.now() - began < mostMs, `${Date.now() - began} ms`)
    assert.equal((await rig.run(sessions[at]!, ['id'])).code, 255)
  }
  await until(() => rig.events.filter(({ kind }) => kind === 'ssh_opened').length === 3)
  await rig.store.keys.revoke(key.id, Date.now())
  await endedWithin(0, 5_000)
  await endedWithin(1, 5_000)
  await rig.remove(container)
  await endedWithin(2, 3_000)
})

onGateway('the sessions of a container are limited; an ended one makes room', async (rig) => {
  const container = await rig.make()
  const { key, text } = await rig.makeKey()
  const wish = { ttlSeconds: 90 }
  await rig.open(container, wish, text)
  for (let at = 0; at < 3; at++) await rig.open(container)
  const { status, headers, body } = await rig.call('/containers/ssh', { containerId: container })
  assert.deepEqual([status, body.error.type, body.error.details], [429, 'ssh_limit', { limit: 4, current: 4 }])
  const seconds = Number(headers.get('retry-after'))
  assert.ok(seconds > 80 && seconds <= 90, `${seconds}`)
  await rig.store.keys.revoke(key.id, Date.now())
  await rig.open(container)
})

onGateway('when the service stops, connections close and their commands end', async (rig) => {
  const container = await rig.make()
  const session = await rig.open(container)
  const running = rig.run(session, ['sleep 7654'])
  await until(() => rig.alive(container, 'sleep 7654'))
  const began = Date.now()
  await rig.service.close()
  assert.equal((await running).code, 255)
  assert.ok(Date.now() - began < 5_000)
})

onGateway(
  'without the gateway there is no session, and no host key',
  async (rig) => {
    const { status, body } = await rig.call('/containers/ssh', { containerId: await rig.make() })
    assert.deepEqual([status, body.error.type], [503, 'no_capacity'])
    await assert.rejects(rig.hostKeyFile(), { code: 'ENOENT' })
  },
  { settings: { ssh: { enabled: false } } },
)
