// The resident as the last layer of an image: it is there, whole and alone, whatever a Dockerfile put in its place.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { makeId } from '../../src/ids.ts'
import { baseImage, containerTemplate, onEveryEngine, shell, startContainer } from '../engines.ts'
import { withRig } from './build-rig.ts'

const label = 'atelier.resident'
const sumOf = (architecture: string): string =>
  createHash('sha256')
    .update(readFileSync(`resident/bin/resident-${architecture}`))
    .digest('hex')

const look = 'stat -c "%a %u %g" /.atelier /.atelier/resident; sha256sum /.atelier/resident; ls -A /.atelier'
const wanted = (sum: string) => `755 0 0\n755 0 0\n${sum}  /.atelier/resident\nresident\n`

onEveryEngine('an image is given the resident at its adoption, once', async ({ engine }) => {
  const sum = sumOf((await engine.info()).architecture)
  const first = await engine.adopt(baseImage, makeId('img'))
  assert.equal((await engine.image(first))?.labels[label], `2-${sum.slice(0, 16)}`)
  assert.equal(await engine.adopt(first, makeId('img')), first)
  const id = await startContainer(engine, { image: first })
  assert.equal((await shell(engine, id, look, { user: '0:0' })).stdout, wanted(sum))
  assert.deepEqual(await engine.resident(id), { isFirst: true, user: '1000:1000', readsFiles: true })
  assert.deepEqual((await engine.list()).map((one) => one.id), [id]) // prettier-ignore
}, { usesResident: true }) // prettier-ignore

onEveryEngine('an engine that is to start commands itself gives no image the resident, and no container uses it', async ({ engine }) => {
  const plain = await engine.adopt(baseImage, makeId('img'))
  assert.equal((await engine.image(plain))?.labels[label], undefined)
  const id = await startContainer(engine, { image: plain })
  assert.equal(await engine.resident(id), undefined)
}) // prettier-ignore

const hostile = {
  'a program of its own': 'mkdir /.atelier && echo "#!/bin/sh" >/.atelier/resident && chmod 4777 /.atelier/resident',
  'a program of another user': 'mkdir -m 700 /.atelier && cp /bin/busybox /.atelier/resident && chown -R 7:7 /.atelier',
  'a link to another program': 'mkdir /.atelier && ln -s /bin/busybox /.atelier/resident',
}

onEveryEngine('what a build puts in place of the resident is replaced, and nothing else is written to', (at) =>
  withRig(at, async (rig) => {
    const sum = sumOf((await at.engine.info()).architecture)
    const before = await rig.within(await rig.ready('FROM base'), 'sha256sum /bin/busybox')
    for (const [name, script] of Object.entries(hostile)) {
      const image = await rig.ready(`FROM base\nRUN ${script}`)
      assert.equal((await at.engine.image(image.engineId!))?.labels[label], `2-${sum.slice(0, 16)}`)
      assert.equal(await rig.within(image, look), wanted(sum), name)
      assert.equal(await rig.within(image, 'sha256sum /bin/busybox'), before, name)
    }
  }), { usesResident: true, timeoutMs: 240_000 }) // prettier-ignore

onEveryEngine('a build that leaves no room for the resident fails, and writes nowhere else', (at) =>
  withRig(at, async (rig) => {
    for (const script of [
      'ln -s /etc /.atelier',
      'echo x >/.atelier',
      'mkdir -p /.atelier/resident/x',
      'ln -s /proc/1/root /.atelier',
    ]) {
      const image = await rig.build(`FROM base\nRUN ${script}`)
      assert.deepEqual([image.status, image.error?.type], ['failed', 'step_failed'], script)
    }
    await rig.assertNothingLeft()
  }), { usesResident: true, timeoutMs: 240_000 }) // prettier-ignore

onEveryEngine('an image built on one with the resident, or on nothing, has it', (at) =>
  withRig(at, async (rig) => {
    const first = await rig.ready('FROM base\nRUN echo one >/one')
    const second = await rig.ready(`FROM ${first.id}\nRUN echo two >/two`)
    assert.equal(await rig.within(second, 'cat /one /two'), 'one\ntwo\n')
    const bare = await rig.ready('FROM scratch\nLABEL a=b')
    const template = containerTemplate({ image: bare.engineId!, workingDir: '/' })
    await at.engine.create(template)
    await at.engine.start(template.id)
    assert.equal((await at.engine.state(template.id))?.running, true)
  }), { usesResident: true, timeoutMs: 240_000 }) // prettier-ignore

onEveryEngine(
  'an adoption goes on if a service at work removes its container, at whatever step',
  async ({ engine }) => {
    for (let round = 0; round < 3; round++) {
      const id = makeId('img')
      const now = { removed: 0, isOver: false }
      const adoption = engine.adopt(baseImage, id).finally(() => (now.isOver = true))
      const removals = (async () => {
        while (now.removed < 2 && !now.isOver)
          for (const found of await engine.list())
            if (found.id === id) {
              await engine.remove(id)
              now.removed++
            }
      })()
      assert.equal((await engine.image(await adoption))?.id, await adoption)
      await removals
      await engine.removeImage(id)
    }
  },
  { usesResident: true },
)
