// SFTP as programs use it: sftp, scp and rsync of OpenSSH, and what an editor asks.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { until } from '../../../base/test/until.ts'
import { onGateway, type Ran, type Rig, type Session } from './rig.ts'
import { sftpOf } from './sftp-client.ts'

const run = promisify(execFile)

function succeeded({ stdout, stderr, code }: Ran): string {
  assert.equal(code, 0, stderr)
  return String(stdout)
}

/** the program of this machine and its libraries, in the container at the same paths */
async function install(rig: Rig, session: Session, program: string) {
  const { stdout: found } = await run('sh', ['-c', `command -v ${program}`])
  const path = found.trim()
  const { stdout: needs } = await run('ldd', [path])
  const files = [path, ...[...needs.matchAll(/(\/\S+) \(/g)].map(([, file]) => file ?? '')]
  const { stdout: tar } = await run('tar', ['-ch', '-C', '/', '-f', '-', ...files.map((file) => file.slice(1))], {
    encoding: 'buffer',
    maxBuffer: 2 ** 28,
  })
  await rig.putTree(session.containerId, '/', tar)
}

async function makeTree(folder: string): Promise<Buffer> {
  const bytes = randomBytes(700_001)
  await mkdir(join(folder, 'sub/empty'), { recursive: true })
  await writeFile(join(folder, 'data'), bytes)
  await writeFile(join(folder, 'sub/a run'), '#!/bin/sh\n')
  await writeFile(join(folder, 'none'), '')
  await chmod(join(folder, 'sub/a run'), 0o750)
  for (const name of ['data', 'sub/a run']) await utimes(join(folder, name), 1_600_000_000, 1_500_000_000)
  return bytes
}

async function checkTree(folder: string, bytes: Buffer) {
  assert.deepEqual(await readFile(join(folder, 'data')), bytes)
  assert.equal((await readFile(join(folder, 'none'))).length, 0)
  const { mode, mtimeMs } = await stat(join(folder, 'sub/a run'))
  assert.deepEqual([mode & 0o777, mtimeMs], [0o750, 1_500_000_000_000])
  assert.ok((await stat(join(folder, 'sub/empty'))).isDirectory())
}

onGateway('sftp puts, lists, renames, reads and removes', async (rig) => {
  const session = await rig.open(await rig.make())
  const [local, back] = [join(rig.folder, 'local'), join(rig.folder, 'back')]
  const bytes = randomBytes(5_000_003)
  await writeFile(local, bytes)
  const make = ['pwd', 'mkdir one', 'cd one', `put ${local} x`, 'chmod 640 x', 'rename x y', 'ln -s y z', 'ls -l']
  const remove = ['rm z', 'rename y ../y', 'cd ..', 'rmdir one', `get y ${back}`, 'rm y', 'ls', 'rm y']
  const { stdout, stderr, code } = await rig.copy(session, 'sftp', ['-b', '-', 'box'], [...make, ...remove].join('\n'))
  assert.match(String(stdout), /Remote working directory: \/home\/u\n/)
  assert.match(String(stdout), /-rw-r----- +1 1000 +1000 +5000003 .* y\n.*lrwxrwxrwx .* z\n/)
  assert.deepEqual(await readFile(back), bytes)
  assert.equal(code, 1)
  assert.match(stderr, /No such file or directory/i)
})

onGateway('scp carries a tree there and back, with modes and times', async (rig) => {
  const session = await rig.open(await rig.make({ workingDir: '/tmp' }))
  const [tree, back] = [join(rig.folder, 'tree'), join(rig.folder, 'back')]
  const bytes = await makeTree(tree)
  succeeded(await rig.copy(session, 'scp', ['-pr', tree, 'box:~/there']))
  succeeded(await rig.copy(session, 'scp', ['-pr', 'box:/tmp/there', back]))
  await checkTree(back, bytes)
})

onGateway('the older form of scp, and rsync, run as commands where the image has them', async (rig) => {
  const session = await rig.open(await rig.make({ workingDir: '/tmp', limits: { diskMiB: 512 } }))
  const missing = await rig.copy(session, 'scp', ['-O', '/etc/hostname', 'box:name'])
  assert.match(missing.stderr, /scp: not found/)
  const tree = join(rig.folder, 'tree')
  const bytes = await makeTree(tree)
  for (const program of ['scp', 'rsync'] as const) {
    const back = join(rig.folder, `back-${program}`)
    await install(rig, session, program)
    const [flags, from] = program === 'scp' ? [['-Opr'], tree] : [['-a'], `${tree}/`]
    succeeded(await rig.copy(session, program, [...flags, from, `box:/tmp/${program}`]))
    succeeded(
      await rig.copy(session, program, [...flags, `box:/tmp/${program}${program === 'rsync' ? '/' : ''}`, back]),
    )
    await checkTree(back, bytes)
  }
})

onGateway('an editor reads and writes at any offset, and replaces a file by a rename', async (rig) => {
  const client = await rig.connect(await rig.open(await rig.make()))
  const sftp = await sftpOf(client)
  const bytes = randomBytes(900_000)
  const handle = await sftp.open('file', 'w+')
  await sftp.write(handle, bytes, 0, 300_000, 600_000)
  await sftp.write(handle, bytes, 0, 300_000, 0)
  await sftp.write(handle, Buffer.from('odd'), 0, 3, 777_777)
  const expected = Buffer.alloc(900_000)
  bytes.copy(expected, 600_000, 0, 300_000)
  bytes.copy(expected, 0, 0, 300_000)
  expected.write('odd', 777_777)
  for (const [at, length] of [
    [0, 10],
    [262_140, 10],
    [777_775, 9],
    [299_999, 2],
    [899_999, 100],
    [5, 100_000],
  ] as const)
    assert.deepEqual(await sftp.read(handle, at, length), expected.subarray(at, at + length), `${at}`)
  assert.deepEqual(await sftp.read(handle, 900_000, 1), Buffer.alloc(0))
  await sftp.close(handle)
  assert.deepEqual(await sftp.readFile('file'), expected)
  await sftp.setstat('file', { size: 3 })
  await sftp.appendFile('file', 'more')
  assert.deepEqual(await sftp.readFile('../u/./file'), Buffer.concat([expected.subarray(0, 3), Buffer.from('more')]))
  await assert.rejects(sftp.open('file', 'wx'), /There is a file or directory of this name/)
  await sftp.writeFile('draft', 'new', { mode: 0o600 })
  await assert.rejects(sftp.rename('draft', 'file'), /There is a file or directory of this name/)
  const old = await sftp.open('file', 'r')
  await sftp.replace('draft', 'file')
  await assert.rejects(sftp.read(old, 0, 1), /replaced or removed while it was open/)
  const { mode, uid } = await sftp.stat('file')
  assert.deepEqual([mode, uid, String(await sftp.readFile('file'))], [0o100600, 1000, 'new'])
  client.end()
})

onGateway('files are those of the user of the container, within its limits', async (rig) => {
  const container = await rig.make({ readOnlyRootfs: true, limits: { diskMiB: 64 } })
  const client = await rig.connect(await rig.open(container))
  const sftp = await sftpOf(client)
  await assert.rejects(sftp.writeFile('/bin/x', 'x'), /is read-only|not allowed/)
  await assert.rejects(sftp.writeFile('/etc/passwd', 'x'), /is read-only|not allowed/)
  await assert.rejects(sftp.mkdir('/var/x'), /is read-only|not allowed/)
  await sftp.writeFile('mine', 'x')
  await assert.rejects(sftp.setstat('mine', { uid: 0, gid: 0 }), /Owners cannot be changed/)
  await sftp.setstat('mine', { uid: 1000, gid: 1000 })
  await assert.rejects(sftp.setstat('mine', { mode: 0o4755 }), /setuid, setgid and sticky/)
  await assert.rejects(sftp.setstat('mine', { size: 65 * 2 ** 20 }), /larger than the container allows/)
  const handle = await sftp.open('mine', 'r+')
  await assert.rejects(sftp.write(handle, Buffer.from('x'), 0, 1, 64 * 2 ** 20), /larger than the container allows/)
  assert.equal((await sftp.stat('mine')).size, 1)
  client.end()
})

onGateway('a write that finds the disk full says so, and the channel goes on', async (rig) => {
  const container = await rig.make({ readOnlyRootfs: true, limits: { diskMiB: 256, cpu: 2 } })
  const client = await rig.connect(await rig.open(container))
  const sftp = await sftpOf(client)
  await assert.rejects(sftp.writeFile('/tmp/big', Buffer.alloc(70_000_000)), /The disk is full/)
  assert.ok((await sftp.stat('/tmp/big')).size < 2 ** 26 + 1)
  await sftp.unlink('/tmp/big')
  await sftp.writeFile('/tmp/small', 'text')
  assert.equal(String(await sftp.readFile('/tmp/small')), 'text')
  client.end()
})

onGateway(
  'channels that read or write are transfers of the account',
  async (rig) => {
    const container = await rig.make()
    const clients = await Promise.all([1, 2].map(async () => rig.connect(await rig.open(container))))
    const [one, other] = (await Promise.all(clients.map(sftpOf))) as [
      Awaited<ReturnType<typeof sftpOf>>,
      Awaited<ReturnType<typeof sftpOf>>,
    ]
    const handle = await one.open('file', 'w+')
    await one.write(handle, Buffer.from('text'), 0, 4, 0)
    assert.equal((await other.stat('file')).size, 4)
    await assert.rejects(other.readFile('file'), /Too many transfers run at once/)
    await one.close(handle)
    assert.equal(String(await other.readFile('file')), 'text')
    for (const client of clients) client.end()
  },
  { settings: { limits: { files: 1 } } },
)

onGateway('SFTP says in plain words that the container lacks a shell', async (rig) => {
  const session = await rig.open(await rig.make({ user: '0:0' }))
  succeeded(await rig.run(session, ['rm /bin/sh']))
  const { stderr, code } = await rig.copy(session, 'sftp', ['box'])
  assert.match(stderr, /The shell of the container could not be started\./)
  assert.notEqual(code, 0)
})

onGateway('a session that ends takes its SFTP channel along', async (rig) => {
  const container = await rig.make()
  const { key, text } = await rig.makeKey()
  const client = await rig.connect(await rig.open(container, {}, text))
  const sftp = await sftpOf(client)
  await sftp.open('file', 'w')
  assert.ok(await rig.alive(container, 'sftp'))
  const closed = new Promise<void>((ok) => client.once('close', () => ok()))
  await rig.store.keys.revoke(key.id, Date.now())
  await closed
  await until(async () => !(await rig.alive(container, 'sftp')))
})
