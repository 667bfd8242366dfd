// Builds what a release consists of twice and compares the bytes: npm run release:check -- [packages] [images] [--to FOLDER]
// With --to it leaves the first build there, and with GITHUB_REPOSITORY also the entries for the MCP registry. Status 1: something differs.
// Status 2: something could not be shown here.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Build, buildImages, buildPackages, hasProgram, missingForImages } from './builds.ts'
import { differences } from './differences.ts'
import { copySources } from './source-copy.ts'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { to: { type: 'string' } } })
const parts = new Set(positionals.length > 0 ? positionals : ['packages', 'images'])
for (const part of parts)
  if (!/^(packages|images)$/.test(part)) throw new Error(`${part}: there are packages and images`)

const scratch = mkdtempSync(join(tmpdir(), 'release-'))
const notShown: string[] = []
const found: string[] = []
const say = (text: string) => process.stdout.write(`${text}\n`)

const hasClock = hasProgram('faketime')
if (!hasClock) notShown.push('packages on another day: faketime is not installed')

/** in different folders, for users who share and who do not, in different years, time zones and languages */
const builds = [
  { name: 'first', folder: join(scratch, '1/sources'), umask: 0o022, env: { TZ: 'UTC', LC_ALL: 'C' } },
  {
    name: 'second',
    folder: join(scratch, '2/elsewhere/of-another-length'),
    umask: 0o077,
    env: { TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8' },
    date: new Date('2001-02-03T04:05:06Z'),
    ...(hasClock && { clock: '+400d' }),
  },
] satisfies Build[]
const resultOf = ({ name }: Build, part: string): string => join(scratch, 'built', name, part)

function buildTwice(part: string, build: (one: Build, to: string) => void) {
  const begun = performance.now()
  for (const one of builds) build(one, resultOf(one, part))
  const [first, second] = builds.map((one) => resultOf(one, part)) as [string, string]
  const lines = differences(first, second, part)
  found.push(...lines)
  const seconds = Math.round((performance.now() - begun) / 1_000)
  say(`${part}: built twice in ${seconds} s, ${lines.length === 0 ? 'equal' : `${lines.length} differences`}`)
}

function saySums(part: string) {
  const folder = resultOf(builds[0]!, part)
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted())
    if (/\.(tgz|json|mcpb)$/.test(file))
      say(
        `${createHash('sha256')
          .update(readFileSync(join(folder, file)))
          .digest('hex')}  ${part}/${file}`,
      )
}

try {
  for (const { folder, umask, ...one } of builds)
    copySources({
      from: resolve(import.meta.dirname, '../..'),
      to: folder,
      umask,
      ...('date' in one && { date: one.date }),
    })
  if (parts.has('packages')) buildTwice('packages', buildPackages)
  const missing = parts.has('images') ? missingForImages() : []
  if (missing.length > 0) notShown.push(`images: ${missing.join(', ')}`)
  else if (parts.has('images')) {
    if (process.env['BASE'] === undefined)
      notShown.push('images on the base that the Containerfiles name: a base of Debian packages was used (set BASE)')
    // once, because HEAD can move meanwhile
    const timestamp = execFileSync('git', ['log', '-1', '--format=%ct'], { encoding: 'utf8' }).trim()
    buildTwice('images', (one, to) => buildImages(one, to, { storage: join(scratch, 'storage'), timestamp }))
  }
  const built = [...parts].filter((part) => part !== 'images' || missing.length === 0)
  for (const part of built) saySums(part)
  if (values.to !== undefined && found.length === 0) {
    mkdirSync(values.to, { recursive: true })
    for (const part of built) cpSync(resultOf(builds[0]!, part), join(values.to, part), { recursive: true })
  }
  for (const line of found.slice(0, 40)) process.stderr.write(`DIFFERS: ${line}\n`)
  if (found.length > 40) process.stderr.write(`DIFFERS: ${found.length - 40} more files\n`)
  for (const line of notShown) process.stderr.write(`NOT SHOWN: ${line}\n`)
  process.exitCode = found.length > 0 ? 1 : notShown.length > 0 ? 2 : 0
} finally {
  rmSync(scratch, { recursive: true, force: true })
}
