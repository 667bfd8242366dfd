// Forms compared with the engine: both accept the same values.
import assert from 'node:assert/strict'
import test from 'node:test'
import { routes } from '../../src/catalogue/index.ts'
import { planOf } from '../../src/commands/explain.ts'
import { formsOf, type ParameterForm } from '../../src/derive/forms.ts'
import { Problem } from '../../src/problems.ts'
import { targetOf } from './explorer-reads.ts'
import { startManager } from './manager.ts'

const forms = formsOf(routes)

/** what a form says of one value, and nothing but the form */
function takes(parameter: ParameterForm, text: string): boolean {
  const { kind, values, open, unique, minimum, maximum, most, pattern } = parameter
  if (kind === 'integer')
    return /^[1-9]\d*$/.test(text) && Number(text) >= (minimum ?? 0) && Number(text) <= (maximum ?? Infinity)
  const isOne = (value: string) =>
    (!values || open === true || values.includes(value)) && (!pattern || new RegExp(pattern, 'u').test(value))
  if (kind === 'choice' || kind === 'text' || kind === 'cursor') return isOne(text)
  const members = text.split(',')
  const keys = new Set(members.map((value) => value.replace(/^-/, '')))
  if (most !== undefined && members.length > most) return false
  return members.every(isOne) && (unique !== true || keys.size === members.length)
}

/** mulberry32 */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let x = Math.imul(state ^ (state >>> 15), 1 | state)
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x
    return Math.floor((((x ^ (x >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

const seed = 20_261_121
const below = randomOf(seed)
const pick = <T>(list: readonly T[]): T => list[below(list.length)] as T

const oddities = [
  '',
  ' ',
  '0',
  '1',
  '50',
  '200',
  '201',
  '05',
  '1e2',
  ' 5',
  '5 ',
  '+5',
  '-1',
  '5.0',
  '٣',
  '999',
  '1000',
  'a',
  'Ω',
  '😀',
  '.',
  '..',
  '...',
  'a/..',
  '../a',
  'a/./b',
  'a/b',
  'a..b',
  '/',
  '%2e',
  '%',
  '+',
  '&',
  '=',
  '#',
  '?',
  ';',
  '"',
  '<b>',
  'a\nb',
  '\u0000',
  '\u007f',
  '\u0085',
  '\u2028',
  '\u200b',
  '-',
  '--name',
  'null',
  '__proto__',
  'constructor',
]

function memberOf({ values }: ParameterForm): string {
  const known = values && below(5) > 0 ? pick(values) : pick(oddities)
  return below(12) === 0 ? known.toLowerCase() : known
}

const valueOf = (parameter: ParameterForm): string =>
  parameter.kind === 'integer' && below(2)
    ? String(below(260))
    : Array.from({ length: 1 + (below(3) ? 0 : below(4)) }, () => memberOf(parameter)).join(',')

function refusalOf(target: string): Problem | undefined {
  try {
    return void planOf(target)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}

test('the engine accepts exactly what the forms accept', () => {
  const counts = { taken: 0, refused: 0 }
  for (const form of forms)
    for (let i = 0; i < 400; i++) {
      const ids = Object.fromEntries(form.ids.map(({ name }) => [name, below(3) ? `i${below(99)}` : pick(oddities)]))
      // no form can check whether we issued a cursor
      const given = form.parameters.filter(({ kind }) => kind !== 'cursor' && below(3) === 0)
      const query = Object.fromEntries(given.map((one) => [one.name, valueOf(one)]))
      const isTaken =
        form.ids.every(({ name, pattern }) => new RegExp(pattern, 'u').test(ids[name] ?? '')) &&
        given.every((one) => takes(one, query[one.name] ?? ''))
      const target = targetOf(form.path, ids, query)
      const problem = refusalOf(target)
      assert.equal(problem === undefined, isTaken, `seed ${seed}: ${target} ${problem?.code}`)
      if (isTaken) counts.taken++
      else counts.refused++
    }
  assert.ok(counts.taken > 1_000 && counts.refused > 1_000, JSON.stringify(counts))
})

test('each parameter is accepted with each of its values, and other values are refused by name', () => {
  for (const form of forms)
    for (const one of form.parameters) {
      const target = (value: string) => targetOf(form.path, form.example.ids, { [one.name]: value })
      const good = one.values ?? (one.kind === 'integer' ? ['1', '7', '200'] : ['a', 'Ω b', '1.0'])
      if (one.kind === 'cursor') continue
      for (const value of good) assert.equal(refusalOf(target(value)), undefined, target(value))
      for (const value of ['', 'a\u0000', ...(['text', 'texts'].includes(one.kind) ? [] : ['nothing'])])
        assert.equal(refusalOf(target(value))?.extras.param, one.name, target(value))
    }
  for (const { path, example, isList } of forms) {
    assert.equal(refusalOf(targetOf(path, example.ids, { nothing: '1' }))?.code, 'unknown_parameter')
    const more = refusalOf(targetOf(path, example.ids, { limit: '1' }))
    assert.equal(more === undefined, isList, 'what has no pages has no limit')
  }
})

test('a cursor outside the pattern of its form is refused, and every real cursor is inside', async (t) => {
  const { ask } = await startManager(t)
  const { pattern = '' } = (forms[0]?.parameters ?? []).find(({ kind }) => kind === 'cursor') ?? assert.fail()
  const plan = (cursor: string) =>
    ask('POST', '/plan', { body: { connection: 'acme', target: `/apps?limit=1&cursor=${encodeURIComponent(cursor)}` } })
  for (const cursor of ['a b', 'a/b', 'a+b', 'abc=', '…', 'a,b']) {
    assert.doesNotMatch(cursor, new RegExp(pattern, 'u'))
    assert.equal((await plan(cursor)).json.error.code, 'cursor_invalid')
  }
  for (let i = 0; i < 50; i++) {
    const { nextCursor } = (await ask('POST', '/read', { body: { connection: 'acme', target: '/apps?limit=1' } })).json
      .body
    assert.match(nextCursor, new RegExp(pattern, 'u'))
  }
})

test('one value of many holds no comma, and nothing that cannot be written into a target', () => {
  const patterns = forms
    .flatMap(({ parameters }) => parameters)
    .flatMap(({ kind, pattern }) => (['text', 'texts'].includes(kind) && pattern !== undefined ? [pattern] : []))
  assert.ok(patterns.length > 10)
  for (const pattern of new Set(patterns)) {
    for (const text of ['', 'a,b', ',', '\ud800', 'a\udc00', 'a\u0000'])
      assert.doesNotMatch(text, new RegExp(pattern, 'u'))
    for (const text of ['a', ' ', '-1', '😀', 'a b/c?d=e&f#g']) assert.match(text, new RegExp(pattern, 'u'))
  }
})
