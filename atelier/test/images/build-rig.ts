// A builder on a real engine with a store of its own, and short words for what a test asks of it.
import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { writeTar, type TarItem } from '../../src/files/write-tar.ts'
import { makeId } from '../../src/ids.ts'
import { Builder } from '../../src/images/builder.ts'
import { Checkpoints } from '../../src/images/cache/checkpoints.ts'
import type { Worth } from '../../src/images/cache/worth.ts'
import { createImages } from '../../src/images/images.ts'
import type { BuildFile, BuildLimits, BuildSpec } from '../../src/images/port.ts'
import type { CheckpointBounds } from '../../src/store/checkpoint-rows.ts'
import type { ImageRecord } from '../../src/store/image-rows.ts'
import { openStore } from '../../src/store/store.ts'
import { baseImage, run, startContainer, type TestEngine } from '../engines.ts'

export const buildLimits: BuildLimits = {
  builds: 3,
  images: 20,
  imageBytes: 10_737_418_240,
  contextBytes: 268_435_456,
  archiveEntries: 20_000,
  buildLogBytes: 8_388_608,
  buildLogsBytes: 67_108_864,
  endedBuilds: 100,
}

export const text = (path: string, content: string, mode = '0644'): BuildFile => ({
  path,
  mode,
  contentBase64: Buffer.from(content).toString('base64'),
})

/** a checkpoint after every step, or none: nothing depends on how long a step takes */
export const worthOf = (isWorth: boolean): Worth => ({
  ran() {},
  saved() {},
  isWorthAfter: () => isWorth,
  isWorthBefore: () => isWorth,
})

export interface RigOptions {
  readonly isCaching?: boolean
  readonly bounds?: CheckpointBounds
  readonly now?: () => number
}

interface BuildWish extends Partial<Omit<BuildSpec, 'dockerfile'>> {
  readonly limits?: Partial<BuildLimits>
  readonly context?: Readable
  readonly account?: string
}

const wide: CheckpointBounds = { checkpoints: 50, bytes: 2 ** 31 }

export type Rig = Awaited<ReturnType<typeof openRig>>

async function openRig({ engine }: TestEngine, { isCaching = false, bounds = wide, now = Date.now }: RigOptions) {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-images-'))
  const store = await openStore(`sqlite:${join(folder, 'atelier.db')}`)
  const account = makeId('acc')
  const baseId = makeId('img')
  const found = (await engine.image(baseImage))!
  const config = { command: null, entrypoint: null, workingDir: '/var/tmp', user: null, labels: {} }
  const env = { PATH: '/bin:/usr/bin:/sbin:/usr/sbin' }
  const times = { createdAt: 1, finishedAt: 1, deletedAt: null }
  const base = { id: baseId, account: null, name: 'base', status: 'ready', error: null, base: null } as const
  await store.images.addBase({ ...base, ...times, sizeBytes: 1, config: { ...config, env }, engineId: found.id })
  const checkpoints = new Checkpoints({ engine, rows: store.checkpoints, bounds, now })
  const createWorth = () => worthOf(isCaching)
  const rooms = { engine, rows: store.images, checkpoints, now, observe: () => {} }
  const builder = new Builder({ ...rooms, folder, createWorth })
  const images = createImages({ ...rooms, containers: store.containers, builder })
  let built = 0

  const submit = (dockerfile: string, { limits, context, account: owner = account, ...spec }: BuildWish = {}) =>
    builder.submit({
      id: makeId('img'),
      account: owner,
      spec: { name: `i${++built}`, dockerfile, ...spec },
      limits: { ...buildLimits, ...limits },
      ...(context && { context }),
    })
  const logOf = (id: string) => store.images.log(id, 0, { lines: 100_000, bytes: Infinity })

  async function ended(id: string): Promise<ImageRecord> {
    const { promise, resolve } = Promise.withResolvers<ImageRecord>()
    const look = () =>
      void store.images.find(id).then((image) => image!.finishedAt !== null && resolve(image as ImageRecord))
    const leave = builder.watch(id, look)
    look()
    const image = await promise
    leave()
    return image
  }

  return {
    engine,
    account,
    builder,
    images,
    checkpoints,
    store,
    submit,
    ended,
    logOf,
    folder,
    build: async (dockerfile: string, wish?: BuildWish) => ended((await submit(dockerfile, wish)).id),
    async ready(dockerfile: string, wish?: BuildWish) {
      const image = await ended((await submit(dockerfile, wish)).id)
      assert.equal(image.status, 'ready', JSON.stringify([image.error, (await logOf(image.id)).slice(-3)]))
      return image
    },
    /** the steps that the log says were taken from the cache */
    cachedIn: async ({ id }: ImageRecord) =>
      (await logOf(id)).flatMap(({ stream, data, step }) =>
        stream === 'service' && data === 'cached\n' ? [step] : [],
      ),
    /** what a script prints in a container of the image */
    async within({ engineId }: ImageRecord, script: string) {
      const id = await startContainer(engine, { image: engineId!, workingDir: '/', user: '0:0' })
      const result = await run(engine, id, ['/bin/sh', '-c', script], { workingDir: '/', user: '0:0' })
      await engine.remove(id)
      return result.stdout + result.stderr
    },
    async assertNothingLeft(...images: readonly { readonly id: string }[]) {
      assert.deepEqual(await engine.list(), [])
      assert.deepEqual([...(await engine.images()).keys()].toSorted(), images.map(({ id }) => id).toSorted())
      assert.deepEqual(
        (await readdir(folder)).filter((name) => name.startsWith('context')),
        [],
      )
    },
  }
}

export async function withRig(at: TestEngine, work: (rig: Rig) => Promise<void>, options: RigOptions = {}) {
  const rig = await openRig(at, options)
  try {
    await work(rig)
  } finally {
    await rig.builder.close()
    await rig.store.close()
    await rm(rig.folder, { recursive: true })
  }
}

export const item = (path: string, more: Partial<TarItem> & { content?: string } = {}): TarItem => {
  const { content = '', ...rest } = more
  const body = Buffer.from(content)
  const common = { mode: 0o644, size: body.length, linkTarget: null, modifiedAt: new Date(0) }
  return { path, type: 'file', ...common, body, ...rest }
}

export const contextOf = (...items: TarItem[]) => Readable.from(writeTar(items, { uid: 7, gid: 7 }))
