// Files on a container of a real engine, with short hands for the tests.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { LightAbort } from '../../../base/core/abort.ts'
import { createArchives } from '../../src/exec/archives.ts'
import { createRunningCommands } from '../../src/exec/running-commands.ts'
import { createFiles } from '../../src/files/files.ts'
import type { FileTarget } from '../../src/files/transfer.ts'
import { Problem } from '../../src/problems.ts'
import type { ContainerTemplate } from '../../src/engine/port.ts'
import { shell, startContainer, type TestEngine, type TestWay } from '../engines.ts'
import { collect, tar } from './tars.ts'

export const usual = { fileBytes: 1_073_741_824, archiveEntries: 20_000 }

export const usualTarget: Omit<FileTarget, 'container' | 'path'> = {
  uid: 1000,
  gid: 1000,
  writable: null,
  diskMiB: 1024,
}

/** a refusal with this code, and these details if they are given */
export const refusal = (code: string, details?: Record<string, unknown>) => (error: unknown) => {
  assert.ok(error instanceof Problem, String(error))
  assert.equal(error.code, code)
  for (const [name, value] of Object.entries(details ?? {})) assert.deepEqual(error.extras.details?.[name], value)
  return true
}

const standard = { mode: 0o644, createParents: false, ifAbsent: false }

/** reads as the way of the test does: by the engine's archive call, or inside by the resident of the image */
export async function filesOn(on: TestEngine | TestWay, more: Partial<ContainerTemplate> = {}, limits = usual) {
  const { engine } = on
  const isWay = 'starter' in on
  const container = await startContainer(engine, { ...(isWay && { image: on.image }), ...more })
  const running = createRunningCommands()
  const files = createFiles({
    engine,
    limits,
    ...(isWay && { readArchive: createArchives({ engine, starter: on.starter, running }) }),
  })
  const at = (path: string, target: Partial<FileTarget> = {}) => ({ ...usualTarget, container, path, ...target })
  const signal = new LightAbort()
  return {
    files,
    container,
    at,
    signal,
    put(path: string, content: string | Buffer, options = {}, target = {}) {
      const bytes = Buffer.from(content)
      return files.putFile(at(path, target), Readable.from([bytes]), bytes.length, { ...standard, ...options }, signal)
    },
    async get(path: string) {
      const { body, ...rest } = await files.getFile(at(path), signal)
      return { ...rest, content: await collect(body) }
    },
    putTree: (path: string, parts: readonly Buffer[], createParents = false, target = {}) =>
      files.putTree(at(path, target), Readable.from([tar(...parts)]), { createParents }, signal),
    getTree: async (path: string) => collect(await files.getTree(at(path), signal)),
    /** the output of a script, which must succeed */
    async out(script: string, user = '1000:1000') {
      const { stdout, stderr, exitCode } = await shell(engine, container, script, { user })
      assert.equal(exitCode, 0, `${script}: ${stderr}`)
      return stdout
    },
  }
}

/** the growth of this process, in MiB, while the work goes on */
export async function growthOf(work: () => Promise<unknown>): Promise<number> {
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  let most = before
  const timer = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5)
  await work()
  clearInterval(timer)
  return (Math.max(most, process.memoryUsage.rss()) - before) / 2 ** 20
}
