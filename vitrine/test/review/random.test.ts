import assert from 'node:assert/strict'
import test from 'node:test'
import { routes } from '../../src/catalogue/index.ts'
import { probes } from '../../src/catalogue/probes.ts'
import { readDocument, UnreadableDocument } from '../../src/review/document.ts'
import { reviewRoutes } from '../../src/review/review.ts'
import { bytesOf, type Doc, vendorDocument } from '../support/vendor-document.ts'

/** mulberry32: the same documents in every run */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

interface Place {
  readonly holder: any
  readonly key: string
  readonly path: string
}

function placesIn(value: unknown, path = ''): Place[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => [
    { holder: value, key, path: `${path}/${key}` },
    ...placesIn(inner, `${path}/${key}`),
  ])
}

const remove = ({ holder, key }: Place) => {
  if (Array.isArray(holder)) holder.splice(Number(key), 1)
  else delete holder[key]
}

const reviewAll = (doc: Doc) => reviewRoutes(routes, readDocument(bytesOf(doc)), probes)

/** findings except the notes on hashes: the catalogue was stamped for another document */
const driftOf = (doc: Doc) =>
  [reviewAll(doc)]
    .flatMap((found) => [...found.routes.flatMap(({ findings }) => findings), ...found.probes])
    .filter(({ severity }) => severity !== 'note')

/** parameters, their listed values, and the attributes at every depth and the relationships of answers */
const used = [
  /\/get\/parameters\/\d+$/,
  /\/enum\/\d+$/,
  /^\/components\/schemas\/\w+\/properties\/(?:attributes|relationships)(?:\/\w+)*\/properties\/\w+$/,
  /\/xcode-overview\+json\/schema(?:\/\w+)*\/properties\/\w+$/,
]
const unused = [
  // listed values of a lookup and of a probe, and a filter that the lookup does not use
  /(?:buildUploads|appEvents|customerReviews|appEncryptionDeclarations)\/get\/parameters\/0\/schema\/items\/enum\/1$/,
  /ocalizations\/get\/parameters\/0\/schema\/items\/enum\/1$/,
  /(?:Pag|subscription|\{id\}\/l)[\w/]*ocalizations\/get\/parameters\/1$/,
  // everything of a relationship except its identifier, and a relationship to many
  /\/links$/,
  /\/relationships\/properties\/localizations/,
]
const isUsed = ({ path }: Place): boolean => used.some((one) => one.test(path)) && !unused.some((one) => one.test(path))

test('removing any used part of a document is found', () => {
  const all = placesIn(vendorDocument()).filter(isUsed)
  assert.ok(all.length > 500, String(all.length))
  const random = createRandom(1)
  for (let i = 0; i < 60; i++) {
    const doc = vendorDocument()
    const chosen = all[Math.floor(random() * all.length)]?.path
    const place = placesIn(doc).find(({ path }) => path === chosen)
    assert.ok(place)
    remove(place)
    assert.notDeepEqual(driftOf(doc), [], `nothing found without ${chosen}`)
  }
})

const odd: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  '',
  'x',
  [],
  {},
  [null],
  { $ref: 5 },
  { $ref: '#/components/schemas/Refusal' },
  { allOf: 5 },
  { oneOf: [null, 1] },
  { enum: [{ toString: 1 }, null] },
  { type: ['null'] },
  { items: [] },
]

test('a document with arbitrary values is reviewed, or refused with a message', () => {
  const random = createRandom(2)
  for (let i = 0; i < 60; i++) {
    const doc = vendorDocument()
    const places = placesIn(doc)
    for (let n = 0; n < 4; n++) {
      const place = places[Math.floor(random() * places.length)]
      if (!place) continue
      const name = random()
      if (name < 0.2) remove(place)
      else if (name < 0.4) place.holder['__proto__x'] = place.holder[place.key]
      else place.holder[place.key] = structuredClone(odd[Math.floor(random() * odd.length)])
    }
    try {
      reviewAll(doc)
    } catch (error) {
      assert.ok(error instanceof UnreadableDocument, String((error as Error).stack))
      assert.match(error.message, /^[a-z"]/)
    }
  }
})
