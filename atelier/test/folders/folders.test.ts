// Directories of a container as they are listed, with whatever names they hold, and what is removed in them.
import assert from 'node:assert/strict'
import { onGateway, type Rig } from '../ssh/rig.ts'

async function caller(rig: Rig, container: string) {
  const headers = { authorization: `Bearer ${(await rig.makeKey()).text}` }
  const at = (place: string, more: string) => `${rig.url}/containers/files${place}?containerId=${container}&${more}`
  return {
    async list(path: string, limit?: number) {
      const wish = limit === undefined ? '' : `&limit=${limit}`
      const answer = await fetch(at('/entries', `path=${encodeURIComponent(path)}${wish}`), { headers })
      return { status: answer.status, body: await answer.json() }
    },
    async remove(path: string, recursive = false) {
      const place = at('', `path=${encodeURIComponent(path)}${recursive ? '&recursive=true' : ''}`)
      const answer = await fetch(place, { method: 'DELETE', headers })
      const refused = answer.status === 204 ? undefined : await answer.json()
      return refused ? refused.error.type : answer.status
    },
    async sh(script: string) {
      const { body } = await rig.call('/containers/exec', { containerId: container, command: ['sh', '-c', script] })
      return String(body.stdout)
    },
  }
}

onGateway('a directory is listed whole and exact, or says that it is not; what is removed is gone', async (rig) => {
  const box = await caller(rig, await rig.make())
  await box.sh(
    'mkdir d d/sub; printf 12345 > d/a; chmod 640 d/a; touch -d "2020-01-02 03:04:05" d/a; ln -s /nowhere d/ln',
  )
  await box.sh(
    `cd d; touch "$(printf 'new\\nline')" "$(printf 'bad\\377name')" 'st*r' -- '-rf' "$(printf '\\342\\200\\256gpj.exe')"`,
  )
  const { status, body } = await box.list('/home/u/d')
  assert.deepEqual([status, body.total, body.isComplete, body.path], [200, 8, true, '/home/u/d'])
  const shown = body.entries.map(({ name, type, isReachable }: any) => [name, type, isReachable])
  assert.deepEqual(shown, [
    ['-rf', 'file', true],
    ['a', 'file', true],
    ['bad\ufffdname', 'file', false],
    ['ln', 'symlink', true],
    ['new\nline', 'file', true],
    ['st*r', 'file', false],
    ['sub', 'directory', true],
    ['\u202egpj.exe', 'file', true],
  ])
  assert.equal(Buffer.from(body.entries[2].nameBase64, 'base64').toString('latin1'), 'bad\xffname')
  const { modifiedAt, ...file } = body.entries[1]
  assert.deepEqual(file, { name: 'a', nameBase64: null, type: 'file', mode: '0640', sizeBytes: 5, isReachable: true })
  assert.equal(modifiedAt, '2020-01-02T03:04:05.000Z')
  const part = (await box.list('/home/u/d', 2)).body
  assert.deepEqual([part.entries.length, part.total, part.isComplete], [2, 8, false])
  assert.deepEqual((await box.list('/')).body.entries.find(({ name }: any) => name === 'proc').isReachable, false)
  for (const [path, type] of [
    ['/home/u/none', 'file_not_found'],
    ['/home/u/d/a', 'not_directory'],
    ['/proc', 'invalid_request'],
  ] as const)
    assert.equal((await box.list(path)).body.error.type, type)
  await box.sh('mkdir locked; touch locked/x; chmod 0 locked; ln -s /proc d/sub/p; touch d/sub/y')
  assert.equal((await box.list('/home/u/locked')).body.error.type, 'forbidden')
  assert.equal((await box.list('/home/u/d/sub/p')).body.error.type, 'not_directory')
  assert.equal(await box.remove('/home/u/d/sub'), 'directory_not_empty')
  for (const name of ['a', 'ln', 'new\nline', '-rf', 'sub/p'])
    assert.equal(await box.remove(`/home/u/d/${name}`), 204, name)
  assert.equal(await box.remove('/home/u/d/a'), 'file_not_found')
  assert.equal(await box.remove('/bin/busybox'), 'forbidden')
  assert.equal(await box.remove('/home/u/d', true), 204)
  assert.match(await box.sh('ls; ls -d /proc'), /^locked\n\/proc\n$/)
})

onGateway(
  'a directory with more entries than the limit is refused',
  async (rig) => {
    const box = await caller(rig, await rig.make())
    await box.sh('mkdir d; cd d; for i in 1 2 3 4 5 6; do touch $i; done')
    const { status, body } = await box.list('/home/u/d')
    assert.deepEqual([status, body.error.type, body.error.details], [413, 'too_large', { limit: 5 }])
    await box.sh('cd d; rm 6')
    assert.equal((await box.list('/home/u/d')).body.total, 5)
  },
  { settings: { limits: { archiveEntries: 5 } } },
)
