// Runs the tests: node house/run-tests.ts short | long | all. Two processes at a time each take the next folder, the slow
// folders first; what one prints comes when it is done.
import { spawn } from 'node:child_process'
import { dirname, resolve } from 'node:path'
import { isLong, slowFolders, type TestFile, testFiles } from './test-files.ts'

const processes = 2

const [size = 'short'] = process.argv.slice(2)
if (!['short', 'long', 'all'].includes(size)) throw new Error(`${size} is none of short, long and all.`)
const wanted = testFiles.filter((one) => size === 'all' || isLong(one) === (size === 'long'))

interface Folder {
  readonly name: string
  readonly part: TestFile['part']
  readonly files: readonly string[]
}

const place = ({ name }: Folder) => (slowFolders.indexOf(name) + 1 || Infinity) - 1

const folders = [...Map.groupBy(wanted, ({ part, file }) => `${part}/${dirname(file)}`.replace('./', ''))]
  .map(([name, files]): Folder => ({ name, part: files[0]!.part, files: files.map(({ file }) => file) }))
  .toSorted((a, b) => place(a) - place(b))

function run({ part, files }: Folder): Promise<{ text: string; failed: boolean }> {
  const options = ['--disable-proto=delete', '--test', '--test-isolation=none', '--test-reporter=spec']
  const child = spawn(process.execPath, [...options, ...files], {
    cwd: resolve(part),
    stdio: ['inherit', 'pipe', 'inherit'],
  })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  return new Promise((done) =>
    child.once('close', (code) => done({ text: Buffer.concat(chunks).toString(), failed: code !== 0 })),
  )
}

const left = folders.values()
const failed: string[] = []

async function runFolders() {
  for (const folder of left) {
    const begun = performance.now()
    const result = await run(folder)
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    process.stdout.write(`\n== ${folder.name}: ${result.failed ? 'FAILED, ' : ''}${seconds} s\n${result.text}`)
    if (result.failed) failed.push(folder.name)
  }
}

await Promise.all(Array.from({ length: processes }, runFolders))
process.stdout.write(
  `\n${folders.length} folders. ${failed.length > 0 ? `Failed: ${failed.join(', ')}.` : 'All passed.'}\n`,
)
process.exitCode = failed.length > 0 ? 1 : 0
