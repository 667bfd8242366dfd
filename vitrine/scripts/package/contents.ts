// Says what the package holds, and refuses what has no business in it: node contents.ts UNPACKED TARBALL
import { globSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

const [unpacked = '', tarball = ''] = process.argv.slice(2)
/** of all files together: a dependency that slips in, or a map, would be more than this leaves room for */
const most = { files: 380, bytes: 2_500_000, packedBytes: 900_000 }

const allowed = [
  /^(CHANGELOG|README|SECURITY)\.md$/,
  /^LICENSE$/,
  /^package\.json$/,
  /^bin\/(start\.mjs|vitrine)$/,
  /^dist\/base\/cli\/(launcher\.sh|compile-cache\.mjs)$/,
  /^dist\/vitrine\/client\/vitrine\.js$/,
  /^dist\/vitrine\/src\/(main|parts\/[\w.-]+)\.js$/,
  // the page of the reference
  /^dist\/vitrine\/src\/parts\/docs\/[\w.-]+\.(css|html|js|svg)$/,
  // the console as it is built, each text also as it leaves compressed
  /^dist\/console\/(index\.html|assets\/[\w-]+\.(js|css|svg))(\.br|\.gz)?$/,
  /^dist\/console\/(licences|built-from)\.txt$/,
  /^dist\/vitrine\/client\/vitrine\.d\.ts$/,
  // the list of its parts
  /^dist\/sbom\.cdx\.json$/,
]
const refused = /\.test\.|\.map$|(^|\/)(test|scripts|bench|docs\/guides|node_modules)\/|\.p8$|\.env/

const files = globSync('**/*', { cwd: unpacked }).filter((file) => statSync(join(unpacked, file)).isFile())
const complaints = files.flatMap((file) => {
  const text = readFileSync(join(unpacked, file), 'utf8')
  const places = [resolve('.'), ...['home', 'root', 'Users'].map((name) => `/${name}/`)].filter((place) =>
    text.includes(place),
  )
  const mode = (statSync(join(unpacked, file)).mode & 0o777).toString(8)
  return [
    ...(mode === (file === 'bin/vitrine' ? '755' : '644') ? [] : [`${file} has the mode ${mode}`]),
    ...(allowed.some((one) => one.test(file)) && !refused.test(file) ? [] : [`${file} has no business in it`]),
    ...places.map((place) => `${file} names ${place}, a place of the machine that built it`),
    ...(text.includes('sourceMappingURL') ? [`${file} points at a map`] : []),
  ]
})
const program = [
  'bin/vitrine',
  'dist/vitrine/src/main.js',
  'dist/vitrine/src/parts/sqlite-append-thread.js',
  'dist/vitrine/client/vitrine.js',
  'dist/vitrine/client/vitrine.d.ts',
]
const page = ['', '.br', '.gz'].map((coding) => `dist/console/index.html${coding}`)
for (const needed of [...program, ...page, 'dist/console/licences.txt', 'dist/sbom.cdx.json'])
  if (!files.includes(needed)) complaints.push(`${needed} is missing`)

const bytes = files.reduce((sum, file) => sum + statSync(join(unpacked, file)).size, 0)
const packedBytes = statSync(tarball).size
process.stdout.write(`${files.length} files, ${packedBytes} bytes packed, ${bytes} bytes unpacked\n`)
if (files.length > most.files || bytes > most.bytes || packedBytes > most.packedBytes)
  complaints.push(`it is larger than ${JSON.stringify(most)}: has something slipped in?`)
for (const complaint of complaints) process.stderr.write(`the package: ${complaint}\n`)
process.exitCode = complaints.length === 0 ? 0 : 1
