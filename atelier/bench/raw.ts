// The same work by the engine's own calls, with the same template, and by its command line.
import { execFile } from 'node:child_process'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { EngineClient, type EngineReply, type EngineRequest } from '../src/engine/client.ts'
import { removeContainer } from '../src/engine/containers.ts'
import { EngineLink, expectOk } from '../src/engine/link.ts'
import { seccompOption } from '../src/engine/seccomp.ts'
import { containerBody, execBody } from '../src/engine/template.ts'
import { makeId } from '../src/ids.ts'
import { writeTar } from '../src/files/write-tar.ts'

const run = promisify(execFile)
const baseImage = 'localhost/base-busybox:1'
const timeoutMs = 600_000
const user = '1000:1000'
const workingDir = '/home/u'
const owner = { uid: 1000, gid: 1000 }

export async function openRaw(socket: string) {
  const client = new EngineClient(socket)
  const link = new EngineLink(client, { socket, instance: `raw-${process.pid}`, runtime: null })
  const info = await link.info()
  const isPodman = info.dialect === 'podman'
  const program = isPodman ? 'podman' : 'docker'
  const place = isPodman ? ['--url', `unix://${socket}`] : ['-H', `unix://${socket}`]
  const cli = async (...words: string[]) => (await run(program, [...place, ...words], { maxBuffer: 2 ** 26 })).stdout
  const call = async (wish: Omit<EngineRequest, 'timeoutMs'>): Promise<EngineReply> =>
    expectOk(await client.call({ ...wish, timeoutMs }))
  const argv = isPodman ? ['/run/podman-init', '-P'] : ['/bin/sleep', '1000000000']
  const limits = { cpu: 0.5, memoryMiB: 512, pids: 256, diskMiB: 1024 }

  async function create(): Promise<string> {
    const id = makeId('ct')
    const own = { id, kind: 'container', image: baseImage, command: null, env: {}, workingDir, user, limits } as const
    const template = { ...own, readOnlyRootfs: false, network: 'none' } as const
    const seccomp = seccompOption(null, isPodman)
    const body = containerBody({
      template,
      argv,
      marks: link.marks(id, 'container'),
      info,
      runtime: null,
      seccomp,
    })
    await call({ method: 'POST', path: '/containers/create', query: { name: id }, body })
    await call({ method: 'POST', path: `/containers/${id}/start` })
    return id
  }

  async function startExec(container: string, words: readonly string[]) {
    const template = { container, argv: words, env: {}, workingDir, user, input: false }
    const path = `/containers/${container}/exec`
    const { Id } = JSON.parse((await call({ method: 'POST', path, body: execBody(template) })).text) as { Id: string }
    const start = { method: 'POST', path: `/exec/${Id}/start`, body: { Detach: false, Tty: false }, timeoutMs } as const
    return { id: Id, output: await client.stream(start) }
  }

  return {
    dialect: info.dialect,
    version: info.version,
    create,
    /** the engine says now and then that it is busy */
    remove: (id: string) => removeContainer(link, id, false),
    async exec(container: string, words: readonly string[]) {
      const { id, output } = await startExec(container, words)
      for await (const _ of output);
      await call({ method: 'GET', path: `/exec/${id}/json` })
    },
    /** to the first bytes of its output; the rest is read afterwards */
    async firstByte(container: string, words: readonly string[]) {
      const { output } = await startExec(container, words)
      await new Promise((ok) => output.once('data', ok))
      return async () => void (output.readableEnded || (await new Promise((ok) => output.resume().once('end', ok))))
    },
    async put(container: string, name: string, size: number, body: AsyncIterable<Buffer>) {
      const item = {
        path: name,
        type: 'file',
        mode: 0o644,
        size,
        modifiedAt: new Date(),
        linkTarget: null,
        body,
      } as const
      const wish = {
        method: 'PUT',
        path: `/containers/${container}/archive`,
        query: { path: '/tmp' },
        timeoutMs,
      } as const
      expectOk(await client.upload(wish, Readable.from(writeTar([item], owner), { objectMode: false })))
    },
    async get(container: string, path: string, sink: NodeJS.WritableStream) {
      const wish = { method: 'GET', path: `/containers/${container}/archive`, query: { path }, timeoutMs } as const
      await pipeline(await client.stream(wish), sink)
    },
    async build(name: string, dockerfile: string) {
      const text = Buffer.from(dockerfile)
      const item = { path: 'Dockerfile', type: 'file', mode: 0o644, size: text.length, modifiedAt: new Date() } as const
      const tar = writeTar([{ ...item, linkTarget: null, body: text }], { uid: 0, gid: 0 })
      const query = { t: name, nocache: '1', networkmode: 'none', rm: '1', forcerm: '1' }
      const wish = { method: 'POST', path: '/build', query, timeoutMs } as const
      const reply = expectOk(await client.upload(wish, Readable.from(tar)))
      if (/"error"/.test(reply.text)) throw new Error(reply.text.slice(-300))
    },
    removeImage: (name: string) => call({ method: 'DELETE', path: `/images/${name}` }),
    cli: {
      create: async () =>
        (await cli('run', '-d', '--stop-timeout', '0', '--network', 'none', baseImage, '/bin/sleep', '1000'))
          .trim()
          .split('\n')
          .at(-1) ?? '',
      exec: (container: string, words: readonly string[]) => cli('exec', container, ...words),
    },
    close: () => client.close(),
  }
}

export type Raw = Awaited<ReturnType<typeof openRaw>>
