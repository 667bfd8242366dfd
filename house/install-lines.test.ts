// Lines that install or run something by its name in a registry. This project owns no name there: a stranger who registers vitrine or
// atelier would run code beside a key. What is shown names files of the checkout, or packages that the lock file vouches for.
import assert from 'node:assert/strict'
import { globSync, readFileSync, statSync } from 'node:fs'
import test from 'node:test'

const dependencies = ['vitrine', 'atelier'].flatMap((service) => {
  const own = JSON.parse(readFileSync(`${service}/package.json`, 'utf8')) as Record<string, object>
  return Object.keys({ ...own['dependencies'], ...own['devDependencies'] })
})
/** node: the one of the lock file, below node_modules */
const ours = [...dependencies, 'node', 'tsc', 'redocly']
/** what an operator may add, by the makers of one of ours */
const byOwners = ['@opentelemetry/resources']
const known = new Set([...ours, ...byOwners])

const shown = globSync([
  '*.md',
  '.ci/*',
  '.github/**/*',
  'bin/*',
  'package.json',
  'house/release/**/*',
  '{vitrine,atelier}/{*.md,package.json,bin/*}',
  '{vitrine,atelier}/scripts/**/*',
  '{vitrine,atelier}/{client,deploy,examples}/**/*',
  '{vitrine,atelier}/docs/**/*.{md,json}',
  '{vitrine,atelier}/bench/**/*.{mjs,md,json}',
  '{vitrine,atelier}/src/**/*.{ts,tsx,js,html,json}',
]).filter((file) => statSync(file).isFile() && !/package-lock|node_modules|deploy\/secrets/.test(file))

const word = String.raw`[^\s\`'"|&;)<]+`
const rest = String.raw`((?:[ \t]+${word})*)`
/** what follows is a list of packages, or for those that run one its name first */
const lines: readonly (readonly [RegExp, 'all' | 'first'])[] = [
  [new RegExp(String.raw`\b(?:npm|pnpm)[ \t]+(?:i|install|add)\b${rest}`, 'g'), 'all'],
  [new RegExp(String.raw`\b(?:yarn|bun)[ \t]+add\b${rest}`, 'g'), 'all'],
  [
    new RegExp(
      String.raw`\b(?:pip3?|uv|pipx|brew|gem|cargo|go|apk|snap)[ \t]+(?:pip[ \t]+)?(?:install|add|get|run)\b${rest}`,
      'g',
    ),
    'all',
  ],
  [
    new RegExp(
      String.raw`\b(?:npx|bunx|uvx|pnpx|npm exec|npm x|npm create|npm init|pnpm dlx|yarn dlx|uv tool run|pipx run)${rest}`,
      'g',
    ),
    'first',
  ],
]
/** names of places that hand out what others have put there */
const places = [
  /\b(?:unpkg\.com|cdn\.jsdelivr\.net|esm\.sh|esm\.run|cdn\.skypack\.dev|deno\.land\/x|jspm\.dev)\b/,
  /\b(?:docker\.io|ghcr\.io|quay\.io|registry\.hub\.docker\.com)\/[\w./-]*(?:vitrine|atelier)/,
  /\bhomebrew\/[\w-]+\/(?:vitrine|atelier)|(?:npm|jsr|pkg):@?(?:vitrine|atelier)/,
  /^\s*(?:from (?:vitrine|atelier) import|import (?:vitrine|atelier)\b)/m,
  // an image that was not built yet would be pulled
  /\b(?:docker|podman) (?:pull|run)\b(?![^\n]*--pull never)(?:[^\n]|\\\n)*\s(?:vitrine|atelier):\d/,
  /"command": *"(?:npx|bunx|uvx|pipx|docker|podman)"/,
]

const isPath = (name: string): boolean => /^(?:\.{0,2}\/|~\/|\$|"?\$)/.test(name)
const bare = (name: string): string => name.replace(/(?<=.)@.*$/, '')

/** the packages that a text installs or runs by name */
function namedIn(text: string): string[] {
  return lines.flatMap(([pattern, which]) =>
    [...text.matchAll(pattern)].flatMap(([, found = '']) => {
      const words = found
        .trim()
        .split(/\s+/)
        .filter((one) => one !== '' && !one.startsWith('-'))
      return which === 'all' ? words : words.slice(0, 1)
    }),
  )
}

/** a folder behind an option, and what a sentence goes on with */
const isNoPackage = (name: string): boolean => isPath(name) || /^(?:and|here|by|to|in|or|made|…|\.\.\.)$/.test(name)

test('no shown command installs or runs a package that is neither a dependency nor a file', () => {
  assert.ok(shown.length > 300, `${shown.length}`)
  const wrong = shown.flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    const names = namedIn(text).filter((name) => !isNoPackage(name) && !known.has(bare(name)))
    const found = places.flatMap((place) => place.exec(text)?.[0] ?? [])
    return [...names, ...found].map((name) => `${file}: ${name}`)
  })
  assert.deepEqual(wrong, [])
})

test('commands that install a package by its name are found', () => {
  for (const [line, name] of [
    ['npm install vitrine, of the release', 'vitrine,'],
    ['`npx vitrine demo`', 'vitrine'],
    ['npx -y vitrine@0.1.0 mcp', 'vitrine@0.1.0'],
    ['pip install vitrine-client', 'vitrine-client'],
    ['uvx vitrine', 'vitrine'],
    ['brew install vitrine', 'vitrine'],
    ['npm install --prefix /opt ./vitrine-0.1.0.tgz vitrine', 'vitrine'],
    ['npm i fastify left-pad', 'left-pad'],
  ] as const)
    assert.ok(
      namedIn(line)
        .filter((one) => !isNoPackage(one) && !known.has(bare(one)))
        .includes(name),
      line,
    )
  for (const line of [
    'import x from "https://esm.sh/vitrine"',
    '"command": "npx"',
    'image: ghcr.io/some/vitrine:1',
    'podman run --read-only \\\n  -p 127.0.0.1:8090:8090 atelier:0.1.0',
    'docker pull vitrine:0.1.0',
  ])
    assert.ok(
      places.some((place) => place.test(line)),
      line,
    )
  const local = 'podman run --pull never --read-only \\\n  -p 127.0.0.1:8090:8090 atelier:0.1.0'
  assert.ok(places.every((place) => !place.test(local)))
})

test('every text that imports the package by its name says how to install it from a file', () => {
  const importing = shown.filter((file) =>
    /from ['"](?:vitrine|atelier)(?:\/client)?['"]/.test(readFileSync(file, 'utf8')),
  )
  assert.ok(importing.length > 0)
  for (const file of importing.filter((one) => !/^\w+\/scripts\//.test(one)))
    assert.match(readFileSync(file, 'utf8'), /npm install \.\/(?:vitrine|atelier)-/, file)
})
