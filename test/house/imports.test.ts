// Which room may import which. Long because it is a table.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import test from 'node:test'

interface Import {
  readonly from: string
  readonly to: string
  readonly typeOnly: boolean
}

const files = globSync('src/**/*.{ts,tsx}').filter((file) => !file.endsWith('.d.ts'))

const imports: Import[] = files.flatMap((from) =>
  [
    ...readFileSync(from, 'utf8').matchAll(/(import|export)( type)?[^'"()]*?from '(\.[^']+)'|import\('(\.[^']+)'\)/g),
  ].map((m) => ({
    from: relative('src', from),
    to: relative('src', join(dirname(from), m[3] ?? m[4] ?? '')),
    typeOnly: m[2] !== undefined,
  })),
)

/** the folder, or for files at the top their own name; `client/` is a room beside `src/` */
const roomOf = (file: string): string => {
  const inside = file.replace(/^\.\.\//, '')
  return inside.includes('/') ? (inside.split('/')[0] ?? '') : inside.replace(/\.ts$/, '')
}

/** room -> the rooms it may import; docs/architecture.md draws the levels */
const ground = [
  'catalogue',
  'problem',
  'observe',
  'settings',
  'setting-values',
  'sealed',
  'redact',
  'ending',
  'exact-numbers',
  'day',
  'unseen',
  'counted',
  'samples',
  'counted-refusals',
  'explanations',
]
const may: Readonly<Record<string, readonly string[]>> = {
  problem: [],
  observe: [],
  sealed: [],
  redact: [],
  ending: [],
  'exact-numbers': [],
  day: [],
  unseen: [],
  counted: [],
  samples: [],
  explanations: ['problem'],
  'setting-values': [],
  settings: ['setting-values'],
  catalogue: [],
  client: [],
  // a page in somebody's browser: it knows the service by the door's answers alone, and writes requests as the reference does
  console: ['samples'],
  engine: ['catalogue', 'problem', 'sealed', 'ending', 'unseen'],
  derive: ['catalogue', 'problem', 'explanations', 'settings', 'samples'],
  review: ['catalogue', 'engine', 'counted'],
  sandbox: [],
  agents: ['catalogue', 'problem', 'explanations', 'engine', 'exact-numbers', 'day', 'unseen', 'client'],
  platform: ['problem', 'observe', 'ending'],
  connections: ['problem', 'observe', 'settings', 'setting-values', 'sealed'],
  keys: ['catalogue', 'problem', 'observe'],
  store: ['problem', 'observe'],
  http: [...ground, 'engine'],
  uses: [],
  'counted-refusals': [],
  'audit-retention': ['observe', 'problem'],
  'read-audit': ['observe', 'problem', 'counted-refusals'],
  'metric-sums': [],
  metrics: ['observe', 'metric-sums'],
  history: ['observe'],
  spans: ['observe'],
  traces: ['spans'],
  office: [...ground, 'platform', 'connections', 'keys', 'store', 'uses'],
  'secret-files': ['settings', 'office'],
  doctor: [
    ...['catalogue', 'settings', 'setting-values', 'redact', 'counted', 'engine', 'derive'],
    ...['platform', 'connections', 'keys', 'store', 'office', 'secret-files', 'replicas'],
  ],
  wire: [
    ...ground,
    'engine',
    'derive',
    'keys',
    'http',
    'office',
    'read-audit',
    'audit-retention',
    'metrics',
    'metric-sums',
    'history',
    'traces',
    'agents',
    'replicas',
  ],
  // what it is for those above: a port of theirs, kept in common
  replicas: ['problem', 'observe', 'sealed', 'ending', 'engine', 'platform', 'keys', 'http', 'store'],
  workers: ['problem', 'observe', 'ending', 'engine', 'platform', 'keys', 'http'],
  commands: [
    ...ground,
    'engine',
    'derive',
    'review',
    'sandbox',
    'connections',
    'keys',
    'store',
    'http',
    'office',
    'secret-files',
    'doctor',
    'wire',
    'workers',
    'replicas',
    'metric-sums',
    'agents',
    'client',
  ],
  main: ['commands', 'derive', 'redact'],
}

/** types of the ports that a room serves or stands on */
const mayType: Readonly<Record<string, readonly string[]>> = {
  platform: ['engine/port.ts'],
  connections: ['engine/port.ts', 'store/records.ts'],
  keys: ['store/records.ts'],
  http: [
    ...['connections/connection.ts', 'connections/desk.ts', 'connections/rotation.ts', 'connections/proof.ts'],
    ...['keys/keys.ts', 'keys/rate.ts', 'keys/operator-token.ts', 'store/records.ts', 'traces.ts'],
    ...['agents/port.ts', 'agents/over-http.ts', 'history.ts'],
  ],
  'counted-refusals': ['store/records.ts'],
  'audit-retention': ['store/records.ts'],
  'read-audit': ['store/records.ts'],
  metrics: ['engine/port.ts'],
  workers: ['history.ts'],
  commands: ['history.ts'],
  spans: ['engine/port.ts'],
}

test('imports go down only, and rooms of one level do not know each other', () => {
  assert.ok(imports.length > 100)
  for (const { from, to, typeOnly } of imports) {
    const [room, target] = [roomOf(from), roomOf(to)]
    if (room === target) continue
    assert.ok(room in may, `${room} has no level`)
    const allowed = may[room]?.includes(target) || (typeOnly && mayType[room]?.includes(to))
    assert.ok(allowed, `${from} may not import ${to}`)
  }
})

test('a room is granted no more than it uses, the ground apart', () => {
  const used = new Set(imports.map(({ from, to }) => `${roomOf(from)} -> ${roomOf(to)}`))
  const granted = Object.entries(may).flatMap(([room, rooms]) => rooms.map((to) => [room, to] as const))
  const idle = granted.filter(([room, to]) => !ground.includes(to) && !used.has(`${room} -> ${to}`))
  assert.deepEqual(idle, [])
})

test('the import graph has no cycle', () => {
  const edges = Map.groupBy(imports, ({ from }) => from)
  const done = new Set<string>()
  const visit = (file: string, trail: readonly string[]) => {
    assert.ok(!trail.includes(file), `cycle: ${[...trail, file].join(' -> ')}`)
    if (done.has(file)) return
    for (const { to } of edges.get(file) ?? []) visit(to, [...trail, file])
    done.add(file)
  }
  for (const { from } of imports) visit(from, [])
})

test('the engine knows no clock, no network and no framework', () => {
  for (const file of globSync('src/engine/*.ts')) {
    const text = readFileSync(file, 'utf8')
    assert.doesNotMatch(text, /Date\.now|new Date|setTimeout|performance\.|fetch\(|process\./, file)
    for (const [, name] of text.matchAll(/from '([^.'][^']*)'/g))
      assert.equal(name, 'node:crypto', `${file} imports ${name}`)
  }
})

test('only the platform folder can call out, and the page in the browser', () => {
  for (const file of files)
    if (!/^src\/(platform|console)\//.test(file))
      assert.doesNotMatch(readFileSync(file, 'utf8'), /from 'undici|\bfetch\(/, file)
})

test('the platform client has no way to say anything but GET', () => {
  const methods = globSync('src/platform/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/method: *('?\w+'?)/g)].map((m) => m[1]),
  )
  assert.deepEqual(methods, ["'GET'"])
})

test('no room is a lumber room', () => {
  for (const file of files) assert.doesNotMatch(file, /util|helper|common|misc/i)
})
