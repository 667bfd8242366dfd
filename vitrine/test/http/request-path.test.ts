// How long the path of one uncached read is, from the caller's socket to the platform's: the source files that it passes, and
// the frames on the stack when the platform is called.
import assert from 'node:assert/strict'
import { channel } from 'node:diagnostics_channel'
import { Agent, get } from 'node:http'
import { Session } from 'node:inspector'
import { resolve } from 'node:path'
import test, { type TestContext } from 'node:test'
import { pathToFileURL } from 'node:url'
import { send } from '../support/scripted-platform.ts'
import { startScripted } from '../support/service.ts'

const most = { files: 44, frames: 7 }
const roots = ['src', '../base'].map((folder) => `${pathToFileURL(resolve(folder)).href}/`)
const isOurs = (place: string): boolean => roots.some((root) => place.includes(root)) && !place.includes('/base/test/')

/** calls `look` in the middle of each of three reads, when the platform is called */
async function readThrice(t: TestContext, begin: () => void, look: () => void) {
  const { service, close } = await startScripted((_, res) =>
    send(res, { data: [], links: { self: 'https://platform.example/v1/apps' } }),
  )
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => {
    agent.destroy()
    return close()
  })
  const read = (limit: number) =>
    new Promise<number | undefined>((ok, no) => {
      const path = `/v1/connections/acme/apps?limit=${limit}`
      const headers = { authorization: `Bearer ${service.key}` }
      get(`${service.url}${path}`, { agent, headers }, (res) =>
        res.resume().once('end', () => ok(res.statusCode)),
      ).once('error', no)
    })
  // loading, signing and connecting for the first reads are not part of the path
  for (const limit of [1, 2, 3]) await read(limit)
  const called = channel('undici:request:create')
  called.subscribe(look)
  t.after(() => called.unsubscribe(look))
  for (const limit of [4, 5, 6]) {
    begin()
    assert.equal(await read(limit), 200)
  }
}

test('a read passes few source files before the platform is called', async (t) => {
  const session = new Session()
  session.connect()
  t.after(() => session.disconnect())
  session.post('Profiler.enable')
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const reads: Set<string>[] = []
  await readThrice(
    t,
    () => session.post('Profiler.takePreciseCoverage'),
    () =>
      session.post('Profiler.takePreciseCoverage', (_, { result }) => {
        const ran = result.filter(
          ({ url, functions }) => isOurs(url) && functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0),
        )
        reads.push(new Set(ran.map(({ url }) => url.replace(/^.*\/(?=(base|vitrine)\/)/, ''))))
      }),
  )
  // a file that only one read passed belongs to a timer
  const [first = new Set(), ...others] = reads
  const passed = [...first].filter((file) => others.every((read) => read.has(file))).toSorted()
  assert.ok(reads.length === 3 && passed.length > 20, 'the coverage was taken')
  assert.ok(passed.length <= most.files, `${passed.length} files:\n${passed.join('\n')}`)
})

test('few frames of ours are on the stack when the platform is called', async (t) => {
  const limit = Error.stackTraceLimit
  t.after(() => void (Error.stackTraceLimit = limit))
  let stack = ''
  await readThrice(
    t,
    () => (Error.stackTraceLimit = 200),
    () => (stack = new Error('here').stack ?? ''),
  )
  const frames = stack.split('\n').filter(isOurs)
  assert.ok(frames.length > 5, stack)
  assert.ok(frames.length <= most.frames, `${frames.length} frames:\n${frames.join('\n')}`)
})
