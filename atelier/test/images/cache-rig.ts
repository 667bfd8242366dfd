// Builds over an engine in memory and a store of its own, by a process that can be killed and started again.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { until } from '../../../base/test/until.ts'
import { makeId } from '../../src/ids.ts'
import { Builder } from '../../src/images/builder.ts'
import { Checkpoints } from '../../src/images/cache/checkpoints.ts'
import type { BuildSpec } from '../../src/images/port.ts'
import { createImages } from '../../src/images/images.ts'
import type { CheckpointBounds } from '../../src/store/checkpoint-rows.ts'
import { openDatabase } from '../../src/store/open.ts'
import { type Store, storeOver } from '../../src/store/store.ts'
import { FakeEngine } from '../fake-engine.ts'
import { FakeProcess } from '../service-rig.ts'
import { buildLimits, worthOf } from './build-rig.ts'

export interface CacheRigOptions {
  readonly bounds?: CheckpointBounds
  readonly now?: () => number
}

const usual: CheckpointBounds = { checkpoints: 50, bytes: 2 ** 31 }

async function addBase({ images }: Store) {
  const config = { command: null, entrypoint: null, workingDir: '/', user: null, env: {}, labels: {} }
  const about = { account: null, name: 'base', status: 'ready', error: null, base: null, sizeBytes: 1 } as const
  const times = { createdAt: 1, finishedAt: 1, deletedAt: null }
  await images.addBase({ id: makeId('img'), ...about, ...times, config, engineId: 'sha256:base' })
}

async function openProcess(folder: string, fake: FakeEngine, { bounds = usual, now = Date.now }: CacheRigOptions) {
  const process = new FakeProcess()
  const db = await openDatabase(`sqlite:${join(folder, 'atelier.db')}`)
  const store = storeOver(process.database(db))
  const engine = fake.connect(process.gate)
  const checkpoints = new Checkpoints({ engine, rows: store.checkpoints, bounds, now })
  const rooms = { engine, rows: store.images, checkpoints, now, observe: () => {} }
  const builder = new Builder({ ...rooms, folder, createWorth: () => worthOf(true) })
  const images = createImages({ ...rooms, containers: store.containers, builder })
  return { process, db, store, checkpoints, builder, images }
}

export async function openCacheRig(t: TestContext, options: CacheRigOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-cache-'))
  const engine = new FakeEngine()
  let at = await openProcess(folder, engine, options)
  await addBase(at.store)
  const account: string = makeId('acc')
  t.after(async () => {
    at.process.isDead = true
    await at.db.close()
    rmSync(folder, { recursive: true, force: true })
  })
  let built = 0

  const submit = (dockerfile: string, owner = account, more: Partial<BuildSpec> = {}) =>
    at.builder.submit({
      id: makeId('img'),
      account: owner,
      spec: { name: `i${++built}`, dockerfile, ...more },
      limits: { ...buildLimits, images: 1_000 },
    })

  async function cachedIn(id: string) {
    const lines = await at.store.images.log(id, 0, { lines: 10_000, bytes: Infinity })
    return lines.flatMap(({ data, step }) => (data === 'cached\n' ? [step] : []))
  }

  return {
    engine,
    account,
    get process() {
      return at
    },
    submit,
    kept: (owner = account) => at.store.checkpoints.of(owner),
    /** the image, and which of its steps were cached */
    async build(dockerfile: string, owner?: string, more?: Partial<BuildSpec>) {
      const { id } = await submit(dockerfile, owner, more)
      await until(() => !at.builder.isAtWork(id))
      const image = (await at.store.images.find(id))!
      assert.equal(image.status, 'ready', JSON.stringify(image.error))
      return { image, cached: await cachedIn(id) }
    },
    /** the process ends without a word; the next one does what it does at its start */
    async restart() {
      at.process.isDead = true
      await at.db.close()
      at = await openProcess(folder, engine, options)
      await at.images.endInterrupted()
      // the sweep of containers does this
      engine.containers.clear()
      // images without a row go when they are seen twice
      for (let sweep = 0; sweep < 2; sweep++) await at.images.reconcile()
    },
    /** every image of the engine has a row that says so, and the other way round */
    async assertAccounted() {
      const rows = await at.store.checkpoints.all()
      assert.deepEqual(rows.filter(({ status }) => status !== 'ready'), []) // prettier-ignore
      const images = (await at.store.images.living()).filter(({ account: owner }) => owner !== null)
      const ready = images.filter(({ status }) => status === 'ready')
      const wanted = [...rows, ...ready].map(({ id }) => id)
      assert.deepEqual([...engine.images.keys()].toSorted(), wanted.toSorted())
      for (const { id, engineId } of rows) assert.equal(engine.images.get(id), engineId)
    },
  }
}
