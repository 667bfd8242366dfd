// Commands: one after the other, the first of a container, several at once, and much output; beside the engine's own exec.
import { timeWays } from './measure.ts'
import { expectStatus, image, type Subject } from './subject.ts'
import { type Bench, type Figure, removeOne } from './works.ts'

const word = ['/bin/true']
const atOnce = 8
const outputMiB = 256
const output = ['/bin/dd', 'if=/dev/zero', 'bs=65536', `count=${outputMiB * 16}`]
/** below the limit of a stream */
const streamMiB = 60
const streamed = ['/bin/dd', 'if=/dev/zero', 'bs=65536', `count=${streamMiB * 16}`]
/** commands that compute share it */
const limits = { cpu: 2 }

const create = async (subject: Subject): Promise<string> =>
  (await expectStatus(201, subject.call({ method: 'POST', path: '/containers', json: { image, limits } }))).id

const exec = (subject: Subject, containerId: string, command: readonly string[]) =>
  expectStatus(200, subject.call({ method: 'POST', path: '/containers/exec', json: { containerId, command } }))

async function stream(subject: Subject, containerId: string) {
  const headers = { accept: 'application/x-ndjson' }
  const json = { containerId, command: streamed, outputEncoding: 'base64' }
  const response = await subject.open({ method: 'POST', path: '/containers/exec', json, headers })
  let last = ''
  for await (const piece of response as AsyncIterable<Buffer>) last = (last + piece.toString('latin1')).slice(-1_000)
  if (!last.includes(`"stdoutBytes":${streamMiB * 2 ** 20}`)) throw new Error(last)
}

async function withContainers<T>({ subject, raw }: Bench, work: (own: string, other: string) => Promise<T>) {
  const [own, other] = [await create(subject), await raw.create()]
  try {
    return await work(own, other)
  } finally {
    await Promise.all([removeOne(subject, own), raw.remove(other)])
  }
}

const together = async (work: () => Promise<unknown>) => {
  await Promise.all(Array.from({ length: atOnce }, work))
}

/** in a container that no command has run in before */
async function measureFirst({ subject, raw, rounds }: Bench): Promise<Figure> {
  const own: string[] = []
  const others: string[] = []
  for (let round = 0; round <= rounds; round++) {
    own.push(await create(subject))
    others.push(await raw.create())
  }
  const removal = (id: string, remove: (id: string) => Promise<unknown>) => () => remove(id)
  const first = async (
    ids: string[],
    run: (id: string) => Promise<unknown>,
    remove: (id: string) => Promise<unknown>,
  ) => {
    const id = ids.shift() ?? ''
    await run(id)
    return removal(id, remove)
  }
  const { service = 0, ...rest } = await timeWays(rounds, {
    service: () => first(own, (id) => exec(subject, id, word), (id) => removeOne(subject, id)),
    raw: () => first(others, (id) => raw.exec(id, word), (id) => raw.remove(id)),
  }) // prettier-ignore
  return { name: 'first command of a container', unit: 'ms', service, ...rest, most: 1.3 }
}

const measureSeries = (bench: Bench): Promise<readonly Figure[]> =>
  withContainers(bench, async (own, other) => {
    const { subject, raw, rounds } = bench
    const one = await timeWays(rounds * 4, {
      service: () => exec(subject, own, word).then(() => 0),
      raw: () => raw.exec(other, word),
      cli: () => raw.cli.exec(other, word),
    })
    const many = await timeWays(rounds, {
      service: () => together(() => exec(subject, own, word)),
      raw: () => together(() => raw.exec(other, word)),
    })
    const much = await timeWays(Math.ceil(rounds / 3), {
      service: () => exec(subject, own, output).then(() => 0),
      raw: () => raw.exec(other, output),
    })
    const lines = await timeWays(Math.ceil(rounds / 3), {
      service: () => stream(subject, own),
      raw: () => raw.exec(other, streamed),
    })
    const figure = (name: string, { service = 0, ...rest }: Record<string, number>, most: number): Figure => ({ name, unit: 'ms', service, ...rest, most }) // prettier-ignore
    return [
      figure('a command, JSON', one, 0.15),
      figure(`${atOnce} commands at once`, many, 0.2),
      figure(`${outputMiB} MiB of output`, much, 1.2),
      figure(`${streamMiB} MiB as lines of base64`, lines, 2),
    ]
  })

export const measureCommands = async (bench: Bench): Promise<readonly Figure[]> => [
  await measureFirst(bench),
  ...(await measureSeries(bench)),
]
