// What is measured: each work by the service, by the engine's own calls and, where it has one, by its command line.
import { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { timeWays } from './measure.ts'
import type { Raw } from './raw.ts'
import { expectStatus, image, type Subject } from './subject.ts'

export interface Figure {
  readonly name: string
  readonly unit: string
  readonly service: number
  readonly raw?: number
  readonly cli?: number
  /** of service and raw where there is a raw figure, else of the service */
  readonly most: number
}

export interface Bench {
  readonly subject: Subject
  readonly raw: Raw
  readonly rounds: number
  readonly containers: number
}

const mebibyte = 2 ** 20

const createOne = async (subject: Subject): Promise<string> =>
  (await expectStatus(201, subject.call({ method: 'POST', path: '/containers', json: { image } }))).id

export const removeOne = (subject: Subject, id: string): Promise<unknown> =>
  expectStatus(200, subject.call({ method: 'DELETE', path: `/containers?id=${id}&graceSeconds=0` }))

export async function measureCreation({ subject, raw, rounds }: Bench): Promise<Figure> {
  const { service = 0, ...others } = await timeWays(rounds, {
    service: async () =>
      (
        (id) => () =>
          removeOne(subject, id)
      )(await createOne(subject)),
    raw: async () =>
      (
        (id) => () =>
          raw.remove(id)
      )(await raw.create()),
    cli: async () =>
      (
        (id) => () =>
          raw.remove(id)
      )(await raw.cli.create()),
  })
  return { name: 'create and start', unit: 'ms', service, ...others, most: 1.3 }
}

async function withContainer<T>(subject: Subject, work: (id: string) => Promise<T>): Promise<T> {
  const id = await createOne(subject)
  try {
    return await work(id)
  } finally {
    await removeOne(subject, id)
  }
}

export const measureFirstByte = ({ subject, raw, rounds }: Bench): Promise<Figure> =>
  withContainer(subject, async (id) => {
    const words = ['/bin/sh', '-c', 'echo x; sleep 0.1']
    const headers = { accept: 'application/x-ndjson' }
    const service = async () => {
      const json = { containerId: id, command: words }
      const response = await subject.open({ method: 'POST', path: '/containers/exec', json, headers })
      let text = ''
      await new Promise((ok) =>
        response.on('data', (piece: Buffer) => {
          text += piece.toString()
          if (text.includes('"stdout"')) ok(undefined)
        }),
      )
      return () => finished(response)
    }
    const times = await timeWays(rounds, { service, raw: () => raw.firstByte(id, words) })
    return {
      name: 'first byte of a stream',
      unit: 'ms',
      service: times['service'] ?? 0,
      raw: times['raw'] ?? 0,
      most: 1.3,
    }
  })

const piece = Buffer.alloc(mebibyte, 'atelier')
async function* pieces(count: number) {
  for (let i = 0; i < count; i++) yield piece
}

const drop = () => new Writable({ highWaterMark: mebibyte, write: (_, __, done) => done() })

/** both ways, and the memory that the service takes meanwhile */
export const measureFiles = ({ subject, raw, rounds }: Bench, count: number): Promise<readonly Figure[]> =>
  withContainer(subject, async (id) => {
    const path = (name: string) => `/containers/files?containerId=${id}&path=/tmp/${name}`
    const { Readable } = await import('node:stream')
    const put = async () => {
      const headers = { 'content-length': String(count * mebibyte), 'content-type': 'application/octet-stream' }
      const body = Readable.from(pieces(count), { objectMode: false })
      await expectStatus(200, subject.call({ method: 'PUT', path: path('s'), body, headers }))
    }
    const get = async () => {
      const response = await subject.open({ method: 'GET', path: path('s') })
      await finished(response.pipe(drop()))
    }
    const before = subject.memory()
    subject.resetMostMemory()
    const putTimes = await timeWays(rounds, {
      service: put,
      raw: () => raw.put(id, 'r', count * mebibyte, pieces(count)),
    })
    const getTimes = await timeWays(rounds, { service: get, raw: () => raw.get(id, '/tmp/r', drop()) })
    const name = `${count} MiB`
    const inverse = 1 / 0.6
    const figure = (way: string, { service = 0, raw: own = 0 }: Record<string, number>) =>
      ({ name: `${name} ${way}`, unit: 'ms', service, raw: own, most: inverse }) as const
    const more = { name: `more memory for ${name}`, unit: 'MiB', service: subject.mostMemory() - before, most: 64 }
    return [figure('in', putTimes), figure('out', getTimes), more]
  })

const dockerfile = (base: string) =>
  `FROM ${base}\nUSER 0\nRUN echo one > /one\nRUN echo two > /two\nRUN cat /one /two > /both\n`

export async function measureBuild({ subject, raw, rounds }: Bench): Promise<Figure> {
  let count = 0
  const service = async () => {
    const json = { name: `b-${++count}`, dockerfile: dockerfile(image) }
    const { id } = await expectStatus(202, subject.call({ method: 'POST', path: '/images', json }))
    const { text } = await subject.call({ method: 'GET', path: `/images/${id}/logs?follow=true` })
    if (!text.includes('"ready"')) throw new Error(text.slice(-300))
    return async () => void (await subject.call({ method: 'DELETE', path: `/images/${id}` }))
  }
  const own = async () => {
    const name = `localhost/bench-${process.pid}:${++count}`
    await raw.build(name, dockerfile('localhost/base-busybox:1'))
    return () => raw.removeImage(name)
  }
  const times = await timeWays(Math.ceil(rounds / 3), { service, raw: own })
  return { name: 'build of three steps', unit: 'ms', service: times['service'] ?? 0, raw: times['raw'] ?? 0, most: 0.7 }
}

/** each step works for some 100 ms, and the last one copies the file that changes */
const tenSteps = [
  `FROM ${image}`,
  'USER 0',
  ...Array.from({ length: 7 }, (_, n) => `RUN echo ${n} > /${n}; i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done`),
  'COPY changed /changed',
].join('\n')

/** the second build, with one changed file, beside the first one */
export async function measureCache({ subject, rounds }: Bench): Promise<Figure> {
  let count = 0
  const build = async (noCache: boolean) => {
    const files = [{ path: 'changed', contentBase64: Buffer.from(`${++count}`).toString('base64') }]
    const json = { name: `c-${count}`, dockerfile: tenSteps, files, noCache }
    const { id } = await expectStatus(202, subject.call({ method: 'POST', path: '/images', json }))
    const { text } = await subject.call({ method: 'GET', path: `/images/${id}/logs?follow=true` })
    if (!text.includes('"ready"') || text.includes('"cached') === noCache) throw new Error(text.slice(-300))
    return id
  }
  const made: string[] = []
  const remove = (id: string) => subject.call({ method: 'DELETE', path: `/images/${id}` })
  // the first image stays to the end: with its last image an account loses what is kept
  made.push(await build(true))
  const times = await timeWays(Math.ceil(rounds / 3), {
    first: async () => void made.push(await build(true)),
    second: async () => void made.push(await build(false)),
  })
  for (const id of made) await remove(id)
  const [service, raw] = [times['second'] ?? 0, times['first'] ?? 0]
  return { name: 'ten steps, one file changed', unit: 'ms', service, raw, most: 0.3 }
}

/** half of the containers, at rest, and a list of all */
export async function measureMany({ subject, containers, rounds }: Bench): Promise<readonly Figure[]> {
  const made: string[] = []
  const makeUpTo = async (count: number) => {
    while (made.length < count) made.push(...(await Promise.all([createOne(subject), createOne(subject)])))
    await sleep(5_000)
  }
  try {
    await makeUpTo(2)
    const before = subject.memory()
    await makeUpTo(containers / 2)
    const each = (subject.memory() - before) / (made.length - 2)
    await makeUpTo(containers)
    const list = () => expectStatus(200, subject.call({ method: 'GET', path: '/containers?limit=200' })).then(() => 0)
    const { service = 0 } = await timeWays(rounds * 3, { service: list })
    return [
      { name: `memory for each of ${containers / 2} containers`, unit: 'MiB', service: each, most: 1.2 },
      { name: `list of ${containers}`, unit: 'ms', service, most: 15 },
    ]
  } finally {
    for (let i = 0; i < made.length; i += 4) await Promise.all(made.slice(i, i + 4).map((id) => removeOne(subject, id)))
  }
}
