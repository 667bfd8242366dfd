// Runs a command with a private Podman engine for tests: node scripts/with-engine.ts COMMAND … The engine is in
// TEST_PODMAN, and ends with the command. Without Podman, or without root, it says so and fails.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { makeBaseImages } from '../src/demo/base-image.ts'
import { startPrivateEngine } from '../src/demo/private-engine.ts'
import { makePrivateFolder, removePrivateFolder } from '../src/demo/private-folder.ts'
import { findEnginePrograms, installLine } from '../src/demo/programs.ts'

const [command, ...words] = process.argv.slice(2)
if (command === undefined) throw new Error('give a command')
const programs = findEnginePrograms()
if (!programs || process.getuid?.() !== 0) throw new Error(`a private engine needs root, and: ${installLine}`)

const folder = `/tmp/atelier-engine-${process.pid}`
await makePrivateFolder(folder)
const engine = await startPrivateEngine(folder, programs)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
try {
  await makeBaseImages(engine.socket, programs.busybox, true)
  const env = { ...process.env, TEST_PODMAN: engine.socket }
  const child = spawn(command, words, { stdio: 'inherit', env })
  const [code] = (await once(child, 'exit')) as [number | null]
  process.exitCode = code ?? 1
} finally {
  await engine.stop()
  await removePrivateFolder(folder)
}
