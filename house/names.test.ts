// The names and words of the whole tree: one word for one thing, and no word that a reader would not search for.
import assert from 'node:assert/strict'
import { basename } from 'node:path'
import test from 'node:test'
import { childrenOf, type Node, parse, readText, sources, testSources } from './source-files.ts'

/** names of types and values that a file exports, with what they are */
function exportsOf(file: string): { name: string; isType: boolean }[] {
  return childrenOf(parse(file))
    .filter(({ type }) => type === 'ExportNamedDeclaration')
    .flatMap((node) => {
      const declared = node['declaration'] as Node | null
      if (!declared) return []
      const isType = /^TS(Interface|TypeAlias)Declaration$/.test(declared.type)
      const own = (declared['id'] as Node | undefined)?.['name']
      const several = (declared['declarations'] as readonly Node[] | undefined) ?? []
      const names = own === undefined ? several.map((one) => (one['id'] as Node)['name']) : [own]
      return names.filter((name) => typeof name === 'string').map((name) => ({ name, isType }))
    })
}

const exported = sources.flatMap((file) => exportsOf(file).map((one) => ({ ...one, file })))

test('no exported type name is in more than two files of a service and its base', () => {
  const wrong = ['vitrine', 'atelier'].flatMap((service) => {
    const mine = exported.filter(
      ({ isType, file }) => isType && (file.startsWith(`${service}/`) || file.startsWith('base/')),
    )
    return [...Map.groupBy(mine, ({ name }) => name)]
      .filter(([, places]) => places.length > 2)
      .map(([name, places]) => `${name}: ${places.map(({ file }) => file).join(', ')}`)
  })
  assert.deepEqual(wrong, [])
})

/** names of files, types and functions that went, each a metaphor or a riddle */
const gone =
  /^(vigil|takings|standby|taken|hearsay|lease-?words|lead|bells|ledger|uses-?script|session-?shelf|envelopes|shelf|far-?shelf|crowd|places|visit|seen|caller|owners|lately-?answers|desk|handed-?key|mistaken-?key|proof|patient|round|glass|fan|ahead|moments|words-?of-?others|office|wire|house|persistence|flights|hearing|lessons|governor|next-?turn|shares|gate|line|shared-?learning|ending|finale|given|read-?found|walk|errand|board|entry|denials|recorder|complaint|lifetime|reloading|disorders|in-?office|outlet|unseen|counted|studio|disturbance|came|told|untold|away|lost|hold|sight|around|foreign|deed|knock|standing|crew|keeper)$/i

test('no file and no exported type has a removed name', () => {
  const names = [
    ...[...sources, ...testSources].map(
      (file) => [basename(file).replace(/(\.test|\.browser)*\.\w+$/, ''), file] as const,
    ),
    ...exported.filter(({ isType }) => isType).map(({ name, file }) => [name, file] as const),
  ]
  const wrong = names
    .filter(([name]) => gone.test(name.replace(/^create/, '')))
    .map(([name, file]) => `${file}: ${name}`)
  assert.deepEqual(wrong, [])
})

/** texts in other languages, and `doors`, the name of a check that is part of the doctor's report */
const exempt = /^vitrine\/src\/(sandbox\/account\/|doctor\/|commands\/broken-installations\.)/

/** words of texts that a reader had to guess */
const riddles =
  /\bwhoever\b|\bnobody who\b|\bdoors?\b|(?<!\|)\bhe\b|\bhis\b|\bhim\b|\bhimself\b|\blaid at\b|\bis let in\b|\ba blink\b/i

/** what the doctor and its tests call a check, and the name of a broken installation */
const isName = (line: string): boolean => /'doors\b|operator-door-open/.test(line)

test('no text of the code and of the tests has a removed word', () => {
  const wrong = [...sources, ...testSources]
    .filter((file) => !exempt.test(file))
    .flatMap((file) =>
      readText(file)
        .split('\n')
        .flatMap((line, i) => (riddles.test(line) && !isName(line) ? [`${file}:${i + 1}: ${line.trim()}`] : [])),
    )
  assert.deepEqual(wrong.slice(0, 40), [])
})
