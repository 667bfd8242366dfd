// SFTP as an attacker speaks it, with a session of their own, and from inside the container.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import type { Client } from 'ssh2'
import { until } from '../../../base/test/until.ts'
import { onGateway, type Rig } from './rig.ts'
import { framed, rawSftp, sftpOf, str, types, u32, u64 } from './sftp-client.ts'

const status = { end: 1 }
const writing = 0x1a
const none = u32(0)

const connect = async (rig: Rig, container: string): Promise<Client> => rig.connect(await rig.open(container))

async function checkService(rig: Rig, container: string) {
  const client = await connect(rig, container)
  assert.equal(await (await sftpOf(client)).realpath('.'), '/home/u')
  client.end()
  await rig.store.sshSessions.removeOf(container)
}

onGateway('of ten thousand files and directories that a client opens, 128 are open', async (rig) => {
  const container = await rig.make()
  const client = await connect(rig, container)
  const raw = await rawSftp(client)
  for (let at = 0; at < 64; at++) {
    await raw.open(`/home/u/${at}`, writing)
    await raw.handleOf(raw.ask(types.opendir, str('/home/u')))
  }
  const ids = Array.from({ length: 10_000 }, (_, at) =>
    raw.send(at % 2 ? types.opendir : types.open, str('/home/u/0'), ...(at % 2 ? [] : [u32(1), none])),
  )
  for (const id of ids) assert.match((await raw.answer(id)).words, /At most 128 files and directories/)
  client.end()
  await checkService(rig, container)
})

onGateway('reads and writes beyond every bound are refused, and so are handles of no file', async (rig) => {
  const container = await rig.make()
  const client = await connect(rig, container)
  const raw = await rawSftp(client)
  const file = await raw.open('file', writing | 1)
  const folder = await raw.handleOf(raw.ask(types.opendir, str('.')))
  assert.equal((await raw.ask(types.write, str(file), u64(0n), str('text'))).status, 0)
  const beyond = [4n, 2n ** 31n, 2n ** 40n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n - 1n]
  for (const offset of beyond)
    assert.equal((await raw.ask(types.read, str(file), u64(offset), u32(10))).status, status.end, `${offset}`)
  for (const offset of beyond.slice(2)) {
    const { words } = await raw.ask(types.write, str(file), u64(offset), str('x'))
    assert.match(words, /larger than the container allows/, `${offset}`)
  }
  const { body } = await raw.ask(types.read, str(file), u64(1n), u32(2 ** 32 - 1))
  assert.equal(String(body.subarray(4)), 'ext')
  for (const handle of [folder, randomBytes(8), Buffer.alloc(0), randomBytes(200)])
    assert.match((await raw.ask(types.read, str(handle), u64(0n), u32(1))).words, /not one of an open file/)
  assert.match((await raw.ask(types.readdir, str(file))).words, /not one of an open directory/)
  assert.equal((await raw.ask(types.close, str(file))).status, 0)
  assert.match((await raw.ask(types.close, str(file))).words, /not open/)
  assert.match((await raw.ask(types.write, str(file), u64(0n), str('x'))).words, /not one of an open file/)
  client.end()
})

onGateway('no path leads around the rules of the file routes', async (rig) => {
  const container = await rig.make()
  const session = await rig.open(container)
  const links =
    'ln -s /proc/self out; ln -s /etc etc; ln -s /proc/self/environ env; ln -s /etc/passwd pass; mkfifo pipe'
  assert.equal((await rig.run(session, [links])).code, 0)
  const client = await rig.connect(session)
  const raw = await rawSftp(client)
  const refuses = async (path: Buffer | string, words: RegExp) => {
    for (const rest of [
      [u32(1), none],
      [u32(writing), none],
    ]) {
      const answer = await raw.ask(types.open, str(path), ...rest)
      assert.match(answer.words, words, String(path))
    }
  }
  await refuses('a\0b', /holds a NUL/)
  await refuses(Buffer.of(0x61, 0xff), /not UTF-8/)
  await refuses('/proc/self/environ', /at or below \/proc, \/sys or \/dev/)
  await refuses('../../../../../dev/null', /at or below/)
  await refuses('out/environ', /at or below/)
  await refuses('etc/../out/environ', /at or below/)
  await refuses('env', /is a symlink, which is not followed/)
  await refuses('pass', /is a symlink, which is not followed/)
  await refuses('pipe', /not a regular file/)
  await refuses('etc', /is a symlink/)
  await refuses('.', /is a directory/)
  await refuses('/', /root directory/)
  await refuses('/x'.repeat(65), /more than 64 levels/)
  await refuses('x'.repeat(256), /segment of more than 255 bytes/)
  await refuses('/xxxxxxx'.repeat(1_000), /longer than 4096|levels/)
  await refuses('a*', /holds a \*/)
  assert.match((await raw.ask(types.stat, str('env'))).words, /at or below/)
  assert.match((await raw.ask(types.realpath, str('out/x'))).words, /at or below/)
  assert.match((await raw.ask(types.opendir, str('out'))).words, /at or below/)
  const sftp = await sftpOf(client)
  await assert.rejects(sftp.symlink('/proc/1', 'more'), /at or below/)
  await assert.rejects(sftp.symlink('../../../dev/x', 'more'), /at or below/)
  await assert.rejects(sftp.unlink('/etc/hosts'), /belongs to the container engine|not allowed/)
  client.end()
})

onGateway(
  'a directory is listed up to the bound of entries, and refused beyond it',
  async (rig) => {
    const session = await rig.open(await rig.make())
    const make = (count: number) => `mkdir d${count}; cd d${count}; for n in $(seq ${count}); do : >file-$n; done`
    for (const count of [2_000, 2_001]) assert.equal((await rig.run(session, [make(count)])).code, 0)
    const client = await rig.connect(session)
    const sftp = await sftpOf(client)
    const names = (await sftp.readdir('d2000')).map(({ filename }) => filename)
    assert.deepEqual(new Set(names), new Set(Array.from({ length: 2_000 }, (_, at) => `file-${at + 1}`)))
    await assert.rejects(sftp.readdir('d2001'), /more entries than the service lists/)
    client.end()
  },
  { settings: { limits: { archiveEntries: 2_000 } } },
)

onGateway('a client that ends its side gets its answers, and the end', async (rig) => {
  const container = await rig.make()
  const client = await connect(rig, container)
  const raw = await rawSftp(client)
  const ids = Array.from({ length: 50 }, () => raw.send(types.stat, str('/home/u')))
  // a packet that never becomes whole
  raw.write(Buffer.concat([u32(1_000), Buffer.of(types.stat)]))
  raw.channel.end()
  await raw.closed()
  for (const id of ids) assert.equal((await raw.answer(id)).status, undefined)
  assert.deepEqual(raw.exit.slice(0, 1), [0])
  await until(async () => !(await rig.alive(container, 'sftp')))
  client.end()
})

onGateway('broken packets end their channel alone', async (rig) => {
  const container = await rig.make()
  const client = await connect(rig, container)
  const meet = framed(Buffer.of(types.init), u32(3))
  const broken = [
    u32(0),
    u32(2 ** 32 - 1),
    u32(300_000),
    framed(Buffer.of(types.stat), u32(1), str('/')),
    Buffer.concat([meet, meet]),
    Buffer.concat([meet, framed(Buffer.of(99), u32(1))]),
    Buffer.concat([meet, framed(Buffer.of(types.stat), u32(1))]),
    Buffer.concat([meet, framed(Buffer.of(types.stat), u32(1), u32(2 ** 31), Buffer.from('x'))]),
    Buffer.concat([meet, framed(Buffer.of(types.open), u32(1), str('x'), u32(1))]),
    Buffer.concat([meet, randomBytes(5_000).fill(0, 0, 1)]),
  ]
  for (const [at, bytes] of broken.entries()) {
    const raw = await rawSftp(client, false)
    raw.write(bytes)
    raw.channel.end()
    await raw.closed()
    assert.match(raw.stderr, /The client does not speak SFTP/, `packet ${at}`)
  }
  const sftp = await sftpOf(client)
  assert.equal(await sftp.realpath('x/../y'), '/home/u/y')
  client.end()
})

onGateway('a client that reads no answers keeps what it asked for, and takes no memory', async (rig) => {
  const container = await rig.make()
  const client = await connect(rig, container)
  const sftp = await sftpOf(client)
  await sftp.writeFile('file', randomBytes(2_000_000))
  sftp.sftp.end()
  const raw = await rawSftp(client)
  const file = await raw.open('file')
  const before = process.memoryUsage().arrayBuffers
  raw.channel.pause()
  const ids = Array.from({ length: 1_000 }, () => raw.send(types.read, str(file), u64(0n), u32(131_072)))
  const other = await sftpOf(client)
  for (let at = 0; at < 20; at++) await other.stat('file')
  const more = process.memoryUsage().arrayBuffers - before
  assert.ok(more < 32 * 2 ** 20, `${more} bytes more`)
  raw.channel.resume()
  for (const id of ids.slice(0, 20)) assert.equal((await raw.answer(id)).body.length, 131_076)
  client.end()
})

onGateway('what answers in place of the script ends its channel, and nothing else', async (rig) => {
  const say = String.raw`printf "ok\0"; read x; read x; read x;`
  const shells = [
    'yes',
    'exit 3',
    'head -c 30000000 /dev/zero',
    String.raw`printf "no dd\0"`,
    String.raw`${say} printf "ok 1 2 3 4 5\0"; cat`,
    String.raw`${say} head -c 30000000 /dev/zero | tr "\0" x`,
    `${say} kill -9 $$`,
  ]
  for (const shell of shells) {
    const container = await rig.make({ user: '0:0' })
    const session = await rig.open(container)
    const input = `#!/bin/busybox sh\n${shell}\n`
    const replace = 'cat >/bin/other; chmod 755 /bin/other; mv -f /bin/other /bin/sh'
    assert.equal((await rig.run(session, [replace], { input })).code, 0)
    const client = await rig.connect(session)
    const raw = await rawSftp(client)
    raw.send(types.stat, str('file'))
    await raw.closed()
    // one whose script cannot be killed is stopped, and its connections end
    assert.match(
      raw.stderr,
      shell.includes('no dd') ? /SFTP needs the program dd/ : /^(|The container ended SFTP.*)\s*$/,
    )
    assert.equal(raw.answers.size, 0)
    client.end()
    await rig.remove(container)
  }
  await checkService(rig, await rig.make())
})

onGateway('a name is a name: nothing of it is a script, an option or a pattern', async (rig) => {
  const session = await rig.open(await rig.make({ limits: { cpu: 2 } }))
  const client = await rig.connect(session)
  const sftp = await sftpOf(client)
  const forShells = [
    '$(touch made)',
    '`touch made`',
    '; touch made',
    "a'b",
    'a"b',
    'a\\b',
    '[ab]?',
    '~',
    '#',
    '!',
    '$IFS',
  ]
  const forTools = ['-rf', '--', ' spaces ', '...', '%s%n', 'x', 'naïve ✓']
  const forTheScript = ['line\nend', 'ends\n', '\n', 'ok ', 'no error']
  const names = [...forShells, ...forTools, ...forTheScript]
  const folder = '/home/u/$(touch made)\n-d'
  await sftp.mkdir(folder)
  for (const [at, name] of names.entries()) {
    const path = `${folder}/${name}`
    await sftp.writeFile(path, `content ${at}`)
    assert.equal(String(await sftp.readFile(path)), `content ${at}`)
    assert.equal((await sftp.stat(path)).size, `content ${at}`.length)
    await sftp.symlink(name, `${folder}/link`)
    assert.equal(await sftp.readlink(`${folder}/link`), name)
    await sftp.unlink(`${folder}/link`)
  }
  const listed = (await sftp.readdir(folder)).map(({ filename }) => filename)
  assert.deepEqual(listed.toSorted(), names.toSorted())
  for (const name of listed) {
    await sftp.rename(`${folder}/${name}`, `${folder}/${name}-`)
    await sftp.unlink(`${folder}/${name}-`)
  }
  await sftp.rmdir(folder)
  assert.deepEqual(await sftp.readdir('/home/u'), [])
  client.end()
})
