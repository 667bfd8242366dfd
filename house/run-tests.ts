// Runs the tests: node house/run-tests.ts short | long | all. Three processes at a time each take the next folder or part of
// one, the slow folders first; what one prints comes when it is done. Files that failed run once more, one by one.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { isLong, slowFolders, type TestFile, testFiles } from './test-files.ts'

// more than there are cores, because most tests wait for servers, engines and clocks
const processes = 3
/** A folder with more is run in equal parts, so that no process ends long after the others. */
const mostFiles = 20
/** More failures than this have a cause other than a busy machine. */
const mostRepeated = 10

const [size = 'short'] = process.argv.slice(2)
if (!['short', 'long', 'all'].includes(size)) throw new Error(`${size} is none of short, long and all.`)
const wanted = testFiles.filter((one) => size === 'all' || isLong(one) === (size === 'long'))

interface Folder {
  readonly name: string
  readonly part: TestFile['part']
  readonly files: readonly string[]
}

const place = (name: string) => (slowFolders.indexOf(name) + 1 || Infinity) - 1

const folders = [...Map.groupBy(wanted, ({ part, file }) => `${part}/${dirname(file)}`.replace('./', ''))]
  .toSorted(([a], [b]) => place(a) - place(b))
  .flatMap(([name, files]) => {
    const parts = Math.ceil(files.length / mostFiles)
    return Array.from({ length: parts }, (_, turn): Folder => ({
      name: parts === 1 ? name : `${name}, part ${turn + 1} of ${parts}`,
      part: files[0]!.part,
      files: files.filter((_file, index) => index % parts === turn).map(({ file }) => file),
    }))
  })

const reports = mkdtempSync(join(tmpdir(), 'test-reports-'))
process.once('exit', () => rmSync(reports, { recursive: true, force: true }))
const reporter = resolve('house/failed-files.ts')
let runs = 0

/** Prints what the tests print, and returns what to repeat: each file that failed, or all where that is not known. */
async function run(folder: Folder): Promise<Folder[]> {
  const { name, part, files } = folder
  const report = join(reports, String(runs++))
  // a test that waits for ever, or leaves something open, must not hold up the others
  const to = [
    '--test-timeout=300000',
    '--test-force-exit',
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
  ]
  to.push(`--test-reporter=${reporter}`, `--test-reporter-destination=${report}`)
  const begun = performance.now()
  const child = spawn(
    process.execPath,
    ['--disable-proto=delete', '--test', '--test-isolation=none', ...to, ...files],
    {
      cwd: resolve(part),
      stdio: ['inherit', 'pipe', 'inherit'],
    },
  )
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  const code = await new Promise((ended) => child.once('close', ended))
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  process.stdout.write(`\n== ${name}: ${code === 0 ? '' : 'FAILED, '}${seconds} s\n`)
  for (const chunk of chunks) process.stdout.write(chunk)
  if (code === 0) return []
  const failed = readFileSync(report, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((path) => relative(resolve(part), path))
  // a helper that makes tests is named in place of their file
  if (failed.length === 0 || failed.some((path) => !files.includes(path))) return [folder]
  return failed.map((file) => ({ name: `${part}/${file}`, part, files: [file] }))
}

const left = folders.values()
const failed: Folder[] = []

async function runFolders() {
  for (const folder of left) failed.push(...(await run(folder)))
}

await Promise.all(Array.from({ length: processes }, runFolders))
const twice: string[] = []
for (const file of failed) if (failed.length > mostRepeated || (await run(file)).length > 0) twice.push(file.name)
const once = failed.map(({ name }) => name).filter((name) => !twice.includes(name))
if (once.length > 0) process.stdout.write(`\nUNSTEADY: ${once.join(', ')} failed beside others and passed alone.\n`)
process.stdout.write(
  `\n${folders.length} folders or parts of one. ${twice.length > 0 ? `Failed: ${twice.join(', ')}.` : 'All passed.'}\n`,
)
process.exitCode = twice.length > 0 ? 1 : 0
