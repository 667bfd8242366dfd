import assert from 'node:assert/strict'
import { onEveryWay } from '../engines.ts'
import { readEntries } from '../../src/files/tar-entries.ts'
import { filesOn, refusal } from './rig.ts'
import { hostileTars } from './hostile-tars.ts'
import { collect, dir, file, streamOf, symlink } from './tars.ts'
import { Readable } from 'node:stream'

async function listOf(bytes: Buffer) {
  const list: { name: string; kind: string; mode: number; link: string; content: string }[] = []
  for await (const { name, kind, mode, link, body } of readEntries(streamOf([bytes])))
    list.push({ name: name.toString(), kind, mode, link: link.toString(), content: (await collect(body)).toString() })
  return list.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

onEveryWay("a tree goes in: files, directories, links and modes, with the container's user", async (on) => {
  const { putTree, out } = await filesOn(on)
  const parts = [dir('a'), file('a/f', 'hello', { mode: 0o751 }), file('empty', ''), symlink('a/l', 'f'), symlink('up', './a/../a/f'), file('x/y/z', '1')]
  await out('mkdir /tmp/t')
  assert.deepEqual(await putTree('/tmp/t', parts), { path: '/tmp/t', entries: 6, sizeBytes: 6 })
  assert.equal(await out('cd /tmp/t; cat a/l up; stat -c "%a %u:%g" a/f a x x/y; stat -c %u:%g a/l; readlink up'),
    'hellohello751 1000:1000\n755 1000:1000\n755 1000:1000\n755 1000:1000\n1000:1000\n./a/../a/f\n')
  assert.deepEqual(await putTree('/tmp/t', [dir('./'), file('./a/f', 'new'), dir('./a'), dir('late', { mode: 0o700 }), file('late/x')]), { path: '/tmp/t', entries: 4, sizeBytes: 4 })
  assert.equal(await out('cd /tmp/t; cat a/f empty x/y/z; stat -c %a late'), 'new1700\n')
}) // prettier-ignore

onEveryWay('the directory of a tree exists, or is made', async (on) => {
  const { putTree, out } = await filesOn(on)
  await assert.rejects(putTree('/tmp/n/t', [file('a')]), refusal('parent_not_found'))
  assert.equal((await putTree('/tmp/n/t', [file('a', '1')], true)).entries, 1)
  assert.equal((await putTree('/tmp/e/t', [], true)).entries, 0)
  assert.equal(await out('cat /tmp/n/t/a; stat -c "%a %u" /tmp/n /tmp/n/t /tmp/e/t'), '1755 1000\n755 1000\n755 1000\n')
  await out('echo x >/tmp/afile; ln -s /tmp /tmp/alink')
  for (const path of ['/tmp/afile', '/tmp/alink'])
    await assert.rejects(putTree(path, [file('a')], true), refusal('not_directory'))
  await assert.rejects(putTree('/tmp/afile/x', [file('a')], true), refusal('not_directory'))
})

onEveryWay('a directory that exists keeps its owner and mode', async (on) => {
  const { putTree, out } = await filesOn(on)
  await putTree('/', [dir('etc', { mode: 0o777 }), dir('tmp', { mode: 0o700 }), file('tmp/in', '1')])
  assert.equal(await out('stat -c "%a %u" /etc /tmp; cat /tmp/in'), '755 0\n1777 0\n1')
})

onEveryWay('what stands in the way in the container is refused, and nothing is written through it', async (on) => {
  const { putTree, out } = await filesOn(on)
  await out('cd /tmp; mkdir t target t/folder; echo keep >kept; ln -s /tmp/target t/way; ln -s /tmp/kept t/f; ln -s nowhere t/dangling; mkfifo t/pipe; echo x >t/plain')
  for (const [reason, entry, parts] of [
    ['existing_symlink', 'way/x', [file('way/x')]],
    ['existing_symlink', 'way/x/y', [file('way/x/y')]],
    ['existing_symlink', 'way', [dir('way')]],
    ['existing_symlink', 'f', [file('f')]],
    ['existing_symlink', 'f', [symlink('f', 'good')]],
    ['existing_symlink', 'dangling', [file('dangling')]],
    ['existing_symlink', 'dangling/x', [file('dangling/x')]],
    ['existing_directory', 'folder', [file('folder')]],
    ['existing_directory', 'folder', [symlink('folder', 'good')]],
    ['existing_file', 'plain', [dir('plain')]],
    ['existing_file', 'plain/x', [file('plain/x')]],
    ['existing_special', 'pipe', [file('pipe')]],
  ] as const)
    await assert.rejects(putTree('/tmp/t', [...parts, file('after')]), refusal('invalid_archive', { reason, entry }))
  assert.equal(await out('cd /tmp; ls target; cat kept; ls t | sort | xargs; test -p t/pipe'), 'keep\ndangling f folder pipe plain way\n')
  await putTree('/tmp/t', [symlink('plain', 'folder')])
  assert.equal(await out('readlink /tmp/t/plain'), 'folder\n')
}) // prettier-ignore

onEveryWay("a tree cannot reach what is the kernel's or the engine's", async (on) => {
  const { putTree } = await filesOn(on)
  for (const name of ['proc/x', 'dev/null', 'sys/x', 'etc/hosts', 'run/podman-init', 'sbin/docker-init'])
    await assert.rejects(
      putTree('/', [file(name)]),
      refusal('invalid_archive', { reason: 'engine_mount', entry: name }),
    )
  const closed = await filesOn(on, { readOnlyRootfs: true })
  await assert.rejects(closed.putTree('/tmp', [file('a')], false, { writable: '/home/u' }), refusal('read_only'))
  await closed.putTree('/home/u/t', [file('a', '1')], true, { writable: '/home/u' })
  assert.equal(await closed.out('cat /home/u/t/a'), '1')
})

onEveryWay('hostile tars leave nothing behind that was in them or came after', async (on) => {
  const { files, at, signal, out } = await filesOn(on)
  await out('mkdir /tmp/t')
  const before = await out('find / -xdev -not -path "/proc/*" -not -path "/sys/*" | sort | md5sum')
  for (const { bytes, title } of hostileTars) {
    const act = files.putTree(at('/tmp/t'), Readable.from([bytes]), { createParents: false }, signal)
    await assert.rejects(act, refusal('invalid_archive'), title)
  }
  assert.equal(await out('find / -xdev -not -path "/proc/*" -not -path "/sys/*" | sort | md5sum'), before)
})

onEveryWay('a tree comes out: names relative, owner 0, modes masked, kinds filtered, hard links kept', async (on) => {
  const { getTree, out } = await filesOn(on)
  await out('mkdir /tmp/t; cd /tmp/t; mkdir -p s/u; echo one >a; echo two >s/b; ln -s a l; ln -s /etc/passwd abs; chmod 640 a; mkfifo p; chmod 4755 s/b; ln a hard; : >"sp ace"; : >é; : >t; mkdir t2; : >t2/t')
  const list = await listOf(await getTree('/tmp/t'))
  assert.deepEqual(list.map(({ name, kind }) => `${name} ${['a', 'hard'].includes(name) ? '' : kind}`),
    ['a ', 'abs 2', 'hard ', 'l 2', 's/ 5', 's/b 0', 's/u/ 5', 'sp ace 0', 't 0', 't2/ 5', 't2/t 0', 'é 0'])
  assert.ok(list.every(({ mode }) => mode <= 0o777))
  const by = Object.fromEntries(list.map((one) => [one.name, one]))
  assert.deepEqual([by['abs']?.link, by['s/b']?.mode], ['/etc/passwd', 0o755])
  // the one that comes first is the file
  const [file, link] = by['a']?.kind === '0' ? [by['a'], by['hard']] : [by['hard'], by['a']]
  assert.deepEqual([file?.kind, file?.content, file?.mode, link?.kind, link?.link], ['0', 'one\n', 0o640, '1', file?.name])
}) // prettier-ignore

onEveryWay('a hard link to the outside of a tree comes as a file', async (on) => {
  const { getTree, out } = await filesOn(on)
  await out('cd /tmp; mkdir t; echo one >outside; ln outside t/inside')
  const [only] = await listOf(await getTree('/tmp/t'))
  assert.deepEqual([only?.name, only?.kind, only?.content], ['inside', '0', 'one\n'])
})

onEveryWay('the root comes without what is the kernel\'s; names that are no text stay as they are', async (on) => {
  const { getTree, out } = await filesOn(on)
  const names = (await listOf(await getTree('/'))).map(({ name }) => name)
  assert.ok(names.includes('etc/passwd') && names.includes('bin/busybox'))
  assert.deepEqual(names.filter((name) => /^(proc|sys|dev)\/./.test(name) || name.startsWith('/')), [])
  await out(`mkdir /tmp/t && cd /tmp/t && : >"$(printf 'a\\377b')" && mkdir ${'d'.repeat(120)} && : >${'d'.repeat(120)}/x`)
  const bytes = await getTree('/tmp/t')
  assert.ok(bytes.includes(Buffer.from([0x61, 0xff, 0x62, 0])))
  assert.ok((await listOf(bytes)).some(({ name }) => name === `${'d'.repeat(120)}/x`))
}) // prettier-ignore

onEveryWay('what came out goes in again and is the same', async (on) => {
  const { getTree, files, at, signal, out } = await filesOn(on)
  await out(
    `mkdir /tmp/t /tmp/v; cd /tmp/t; mkdir -p x/y; seq 1 5000 >x/y/n; ln -s y x/l; head -c 6000000 /dev/urandom >big; echo v >${'w'.repeat(200)}; chmod 600 x/y/n`,
  )
  await files.putTree(at('/tmp/v'), Readable.from([await getTree('/tmp/t')]), { createParents: false }, signal)
  const sums =
    'find . -type f | sort | xargs sha256sum; find . -mindepth 1 | sort | xargs stat -c "%n %a %F"; readlink x/l'
  assert.equal(await out(`cd /tmp/v; ${sums}`), await out(`cd /tmp/t; ${sums}`))
})

onEveryWay('a tree beyond the limits is refused, or breaks off', async (on) => {
  const { putTree, getTree, out, files, at } = await filesOn(on, {}, { fileBytes: 1_000_000, archiveEntries: 10 })
  await out('mkdir /tmp/t')
  await assert.rejects(putTree('/tmp/t', Array.from({ length: 11 }, (_, i) => file(`f${i}`))), refusal('too_large', { limit: 10 }))
  await assert.rejects(putTree('/tmp/t', [file('a', Buffer.alloc(600_000)), file('b', Buffer.alloc(600_000))]), refusal('too_large', { limit: 1_000_000 }))
  await assert.rejects(putTree('/tmp/t', [file('a', Buffer.alloc(900_000))], false, { diskMiB: 0.5 }), refusal('disk_full'))
  await out('cd /tmp/t; head -c 1100000 /dev/zero >over')
  await assert.rejects(getTree('/tmp/t'), refusal('too_large'))
  await out('cd /tmp/t; rm over; for i in 1 2 3 4 5 6 7 8 9 10 11; do : >$i; done')
  await assert.rejects(getTree('/tmp/t'), refusal('too_large'))
  await files.statTree(at('/tmp/t'))
  await assert.rejects(files.statTree(at('/tmp/t/1')), refusal('not_directory'))
  await assert.rejects(files.statTree(at('/tmp/none')), refusal('file_not_found'))
  await assert.rejects(getTree('/tmp/none'), refusal('file_not_found'))
}) // prettier-ignore

onEveryWay('many files go in, and over themselves', async (on) => {
  const { putTree, out } = await filesOn(on)
  await out('mkdir /tmp/t')
  const many = (letter: string) => Array.from({ length: 1200 }, (_, i) => file(`d${i % 30}/f${i}`, `${letter}${i}`))
  assert.equal((await putTree('/tmp/t', many('a'))).entries, 1200)
  assert.equal((await putTree('/tmp/t', many('b'))).entries, 1200)
  assert.equal(await out('find /tmp/t -type f | wc -l; cat /tmp/t/d7/f97'), '1200\nb97')
})
