// Runs all tests in two processes beside each other: those of the console and of several servers, which mostly wait for a
// browser or for each other, and all others. What the second says is printed behind the first, each with the runner's summary.
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'

const apart =
  /^test\/(console|replicas|cluster|custody|deploy|operations|workers)\/|^test\/faults\/(rolling|drain|redis|replica-scarcity)\.|wrong-starts/
const files = globSync('test/**/*.test.ts').toSorted()

function run(some: readonly string[], stdout: 'inherit' | 'pipe') {
  const options = ['--disable-proto=delete', '--test', '--test-isolation=none']
  const child = spawn(process.execPath, [...options, ...some], { stdio: ['inherit', stdout, 'inherit'] })
  const parts: Buffer[] = []
  child.stdout?.on('data', (part: Buffer) => parts.push(part))
  return new Promise<{ failed: boolean; said: Buffer }>((ok) =>
    child.once('close', (code) => ok({ failed: code !== 0, said: Buffer.concat(parts) })),
  )
}

const [all, servers] = await Promise.all([
  run(
    files.filter((file) => !apart.test(file)),
    'inherit',
  ),
  run(
    files.filter((file) => apart.test(file)),
    'pipe',
  ),
])
process.stdout.write('\nThe console, and several servers, how they are deployed and operated:\n')
process.stdout.write(servers.said)
process.exitCode = all.failed || servers.failed ? 1 : 0
