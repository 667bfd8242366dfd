import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { LightAbort } from '../../../base/core/abort.ts'
import { onEveryWay } from '../engines.ts'
import { mebibytes } from './one-call-at-a-time.ts'
import { filesOn, growthOf, refusal } from './rig.ts'
import { collect } from './tars.ts'

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

onEveryWay('bytes go in and come out the same, whatever their number', async (on) => {
  const { put, get, out } = await filesOn(on)
  for (const size of [0, 1, 511, 512, 513, 65_536, 1_048_577, 4_194_304, 9_000_000]) {
    const bytes = randomBytes(size)
    const written = await put('/tmp/b', bytes)
    assert.deepEqual(written, { path: '/tmp/b', sizeBytes: size, sha256: sha256(bytes), mode: '0644' })
    assert.equal((await out('sha256sum </tmp/b')).split(' ')[0], sha256(bytes))
    const { content, sizeBytes, mode, modifiedAt } = await get('/tmp/b')
    assert.ok(content.equals(bytes))
    assert.deepEqual([sizeBytes, mode], [size, '0644'])
    assert.ok(Math.abs(modifiedAt.getTime() - Date.now()) < 60_000)
  }
})

onEveryWay("a file has the container's user, its mode, and the present time", async (on) => {
  const { put, out, files, at } = await filesOn(on)
  for (const mode of [0, 0o600, 0o755, 0o777]) {
    await put(`/tmp/m${mode}`, 'x', { mode })
    assert.equal(await out(`stat -c %a:%u:%g /tmp/m${mode}`), `${mode.toString(8)}:1000:1000\n`)
    assert.equal((await files.statFile(at(`/tmp/m${mode}`))).mode, mode.toString(8).padStart(4, '0'))
  }
  await put('/tmp/other', 'x', {}, { uid: 7, gid: 8 })
  assert.equal(await out('stat -c %u:%g /tmp/other'), '7:8\n')
  await put('/tmp/other', 'shorter than before'.slice(0, 5))
  assert.equal(await out('cat /tmp/other'), 'short')
})

onEveryWay('missing parents are refused, or made for the user; those that are there stay as they are', async (on) => {
  const { put, out, get } = await filesOn(on)
  await assert.rejects(put('/tmp/p/q/f', 'x'), refusal('parent_not_found'))
  await put('/tmp/p/q/f', 'x', { createParents: true })
  assert.equal(await out('stat -c "%a %u:%g" /tmp/p /tmp/p/q'), '755 1000:1000\n755 1000:1000\n')
  await out('mkdir -p /tmp/keep && chmod 700 /tmp/keep')
  await put('/tmp/keep/n/f', 'x', { createParents: true })
  assert.equal(await out('stat -c "%a %u" /tmp/keep /tmp'), '700 1000\n1777 0\n')
  const deep = `/tmp/${Array.from({ length: 40 }, () => 'abcdefghij').join('/')}/f`
  await put(deep, 'deep', { createParents: true })
  assert.equal((await get(deep)).content.toString(), 'deep')
})

onEveryWay('of several that write a file if it is absent, one does', async (on) => {
  const { put, get } = await filesOn(on)
  const results = await Promise.allSettled(['1', '2', '3', '4'].map((one) => put('/tmp/once', one, { ifAbsent: true })))
  assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected', 'rejected', 'rejected'])
  await assert.rejects(put('/tmp/once', '5', { ifAbsent: true }), refusal('file_exists'))
  const winner = results.findIndex(({ status }) => status === 'fulfilled')
  assert.equal((await get('/tmp/once')).content.toString(), String(winner + 1))
})

onEveryWay('what is no regular file is neither written nor read', async (on) => {
  const { put, get, out } = await filesOn(on)
  await out('cd /tmp; mkdir d; echo x >f; ln -s f l; ln -s d ld; mkfifo ff; ln -s nowhere dangling; ln -s c1 c2; ln -s c2 c1')
  await assert.rejects(put('/tmp/d', 'x'), refusal('is_directory'))
  await assert.rejects(get('/tmp/d'), refusal('is_directory'))
  for (const path of ['/tmp/l', '/tmp/ld', '/tmp/ff', '/tmp/dangling', '/tmp/c1']) {
    await assert.rejects(put(path, 'x'), refusal('not_regular'), path)
    await assert.rejects(get(path), refusal('not_regular'), path)
  }
  for (const path of ['/tmp/f/x', '/tmp/f/x/y', '/tmp/c1/x', '/tmp/ff/x']) {
    await assert.rejects(put(path, 'x', { createParents: true }), refusal('not_directory'), path)
    await assert.rejects(get(path), refusal('not_directory'), path)
  }
  await assert.rejects(put('/tmp/dangling/x', 'x', { createParents: true }), refusal('parent_not_found'))
  for (const path of ['/tmp/none', '/no/such/f', '/tmp/dangling/x'])
    await assert.rejects(get(path), refusal('file_not_found'), path)
  assert.equal(await out('cat /tmp/f; ls /tmp/nowhere 2>&1 | wc -l; readlink /tmp/l'), 'x\n1\nf\n')
}) // prettier-ignore

onEveryWay('links among the parents are followed, but not to what is the kernel\'s', async (on) => {
  const { put, get, out } = await filesOn(on)
  await out('cd /tmp; mkdir -p real/sub; ln -s /tmp/real abs; ln -s real/sub rel; ln -s ../tmp/abs/sub chain; ln -s ../.. real/sub/up')
  for (const [path, place] of [['/tmp/abs/a', 'real/a'], ['/tmp/rel/b', 'real/sub/b'], ['/tmp/chain/c', 'real/sub/c'], ['/tmp/rel/up/d', 'd'], ['/tmp/abs/n/e', 'real/n/e']] as const) {
    await put(path, path, { createParents: true })
    assert.equal(await out(`cat /tmp/${place}`), path)
    assert.equal((await get(path)).content.toString(), path)
  }
  for (const place of ['/proc', '/sys', '/dev', '/proc/self/root', '/dev/../proc']) {
    await out(`ln -sfn ${place} /tmp/esc`)
    const isRefused = (error: { code?: string }) => /^(not_directory|parent_not_found|file_not_found)$/.test(error.code ?? '')
    await assert.rejects(put('/tmp/esc/version', 'x', { createParents: true }), isRefused, place)
    await assert.rejects(get('/tmp/esc/version'), isRefused, place)
  }
}) // prettier-ignore

onEveryWay('a name is kept exactly, and never taken for a pattern', async (on) => {
  const { put, get, out } = await filesOn(on)
  await out('cd /tmp; for f in aXb aYb X a b; do echo decoy >$f; done; mkdir glob; echo decoy >glob/aXb')
  for (const name of ['a b', 'é日😀', '%2e%2e', 'a&b=c', 'a+b', '-rf', 'a"\'\\b', '#?', 'n'.repeat(255), '...', 'a?b', 'a[X]b', 'a\\Xb', '[!a]', 'a\nb']) {
    await put(`/tmp/${name}`, name)
    assert.equal((await get(`/tmp/${name}`)).content.toString(), name)
    assert.equal(await out(`cat '/tmp/${name.replaceAll("'", "'\\''")}'`), Buffer.from(name).toString('latin1'))
  }
  for (const name of ['a?b', 'a[X]b', 'a[W-Z]b', '?Xb', 'a\\Xb'])
    await assert.rejects(get(`/tmp/glob/${name}`), refusal('file_not_found'))
  await put('/tmp/d[1]?/e[2]/f', 'in', { createParents: true })
  assert.equal(await out('cat "/tmp/d[1]?/e[2]/f"'), 'in')
}) // prettier-ignore

onEveryWay("the engine's own mounts and a read-only root are not written to", async (on) => {
  const open = await filesOn(on)
  for (const path of ['/etc/hosts', '/run/podman-init', '/sbin/docker-init', '/run/.containerenv']) {
    const act = open.put(path, 'x')
    await assert.rejects(act, (error: { code?: string }) => /^(read_only|parent_not_found)$/.test(error.code ?? ''), path)
  }
  const closed = await filesOn(on, { readOnlyRootfs: true })
  const area = { writable: '/home/u' }
  await closed.put('/home/u/g', 'gg', {}, area)
  await closed.put('/home/u/n/g', 'gg', { createParents: true }, area)
  assert.equal(await closed.out('cat /home/u/g; stat -c %u /home/u/n'), 'gg1000\n')
  for (const path of ['/etc/g', '/tmp/g', '/home/u-other', '/home/u-2'])
    await assert.rejects(closed.put(path, 'x', {}, area), refusal('read_only'), path)
  await assert.rejects(closed.put('/home/u-x/y', 'x', { createParents: true }, area), refusal('read_only'))
  await assert.rejects(closed.put('/tmp/g', 'x', {}, { writable: '/' }), refusal('read_only'))
}) // prettier-ignore

onEveryWay('what is too large is refused before a byte is read', async (on) => {
  const { files, at, signal, out, get } = await filesOn(on, {}, { fileBytes: 4_000_000, archiveEntries: 10 })
  const unread = () => new Readable({ read: () => assert.fail('it was read') })
  const options = { mode: 0o644, createParents: false, ifAbsent: false }
  const small = at('/tmp/f', { diskMiB: 2 })
  await assert.rejects(files.putFile(small, unread(), 4_000_001, options, signal), refusal('too_large', { limit: 4_000_000 }))
  await assert.rejects(files.putFile(small, unread(), 3_000_000, options, signal), refusal('disk_full'))
  await out('head -c 4000001 /dev/zero >/tmp/over')
  await assert.rejects(get('/tmp/over'), refusal('too_large', { limit: 4_000_000 }))
}) // prettier-ignore

onEveryWay('a transfer ends with its signal and leaves no whole file', async (on) => {
  const { files, at, out } = await filesOn(on)
  for (const size of [5_000_000, 1_000_000]) {
    const signal = new LightAbort()
    const body = new Readable({ read: () => undefined })
    body.push(Buffer.alloc(500_000))
    const act = files.putFile(at('/tmp/half'), body, size, { mode: 0o644, createParents: false, ifAbsent: false }, signal)
    const gone = new Error('the caller is gone')
    setTimeout(() => signal.abort(gone), 300)
    await assert.rejects(act, (error) => error === gone)
    await new Promise((ok) => setTimeout(ok, 200))
    assert.notEqual(await out('stat -c %s /tmp/half 2>/dev/null || echo none'), `${size}\n`)
  }
  await out('head -c 30000000 /dev/zero >/tmp/big')
  const signal = new LightAbort()
  const { body } = await files.getFile(at('/tmp/big'), signal)
  signal.abort(new Error('the caller is gone'))
  await assert.rejects(collect(body), /gone/)
  assert.equal(await out('echo on'), 'on\n')
}) // prettier-ignore

onEveryWay('256 MiB go in and come out in less than 64 MiB more memory', async (on) => {
  const { files, at, signal, out } = await filesOn(on)
  const size = 256 * 2 ** 20
  const body = Readable.from(mebibytes(256), { objectMode: false })
  const options = { mode: 0o644, createParents: false, ifAbsent: false }
  let sum = ''
  const into = await growthOf(async () => ({ sha256: sum } = await files.putFile(at('/tmp/big'), body, size, options, signal)))
  const hash = createHash('sha256')
  const back = await growthOf(async () => {
    for await (const chunk of (await files.getFile(at('/tmp/big'), signal)).body) hash.update(chunk as Buffer)
  })
  assert.ok(into < 64 && back < 64, `${Math.round(into)} and ${Math.round(back)} MiB`)
  assert.equal(hash.digest('hex'), sum)
  assert.equal((await out('sha256sum </tmp/big; rm /tmp/big')).split(' ')[0], sum)
}) // prettier-ignore
