// The explorer's form without a browser: typed text becomes a path and a query, or a fault.
import assert from 'node:assert/strict'
import test from 'node:test'
import { routes } from '../../src/catalogue/index.ts'
import {
  type RequestDraft,
  draftFrom,
  emptyDraft,
  exampleDraft,
  filtersOf,
  targetOf,
  valuesOf,
} from '../../src/console/pages/explorer/request-draft.ts'
import { faultsOf } from '../../src/console/pages/explorer/validation.ts'
import { type Form, sortKeysOf, type ParameterForm } from '../../src/console/pages/explorer/operation-form.ts'
import { formsOf } from '../../src/derive/forms.ts'
import { checkPlan } from '../../src/engine/plan.ts'
import { planRequest } from '../../src/engine/answer.ts'
import { splitTarget } from '../../../base/web/target.ts'
import { createMatcher } from '../../src/engine/request.ts'
import { Problem } from '../../src/problems.ts'

const forms: readonly Form[] = formsOf(routes)

function formOf(operation: string): Form {
  const form = forms.find((one) => one.operation === operation)
  assert.ok(form, operation)
  return form
}

/** a form with every kind of field */
const odd: Form = {
  operation: 'listOdd',
  group: 'apps',
  summary: 'Odd',
  description: '',
  isList: true,
  fields: [],
  path: '/odd/{oddId}',
  ids: [{ name: 'oddId', description: '', pattern: '^[a-z]+$', from: 'listApps' }],
  parameters: [
    { name: 'one', description: '', kind: 'choice', required: true, values: ['A', 'B'] },
    { name: 'known', description: '', kind: 'choices', required: false, values: ['A', 'B'], open: true },
    { name: 'few', description: '', kind: 'texts', required: false, most: 2 },
    { name: 'size', description: '', kind: 'integer', required: false, minimum: 10 },
    { name: 'late', description: '', kind: 'text', required: false, pattern: '(' },
    { name: 'cursor', description: '', kind: 'cursor', required: false, pattern: '^\\w+$' },
  ],
  example: { ids: {}, query: {} },
}

const faults = (form: Form, draft: Partial<RequestDraft>) =>
  Object.fromEntries(faultsOf(form, { ...emptyDraft, ...draft }))

test('the example of each operation gives the path and query of the catalogue', () => {
  for (const { operation, example } of routes) {
    const form = formOf(operation)
    const sent = new URL(targetOf(form, exampleDraft(form)), 'http://endpoint')
    const given = new URL(example, 'http://endpoint')
    assert.equal(sent.pathname, given.pathname)
    assert.deepEqual(Object.fromEntries(sent.searchParams), Object.fromEntries(given.searchParams))
    assert.deepEqual(faults(form, exampleDraft(form)), {})
  }
})

test('typed text is encoded, and blanks at its ends are not sent', () => {
  const draft = { ids: { oddId: ' a/b?c#d\u00E9 ' }, query: { few: " x , y&z'=%", one: '', late: ' ' } }
  assert.equal(targetOf(odd, draft), '/odd/a%2Fb%3Fc%23d%C3%A9?few=x,y%26z%27%3D%25')
  assert.equal(targetOf(odd, emptyDraft), '/odd/{oddId}')
  assert.equal(
    targetOf(odd, draftFrom(odd, draft, 'next')),
    '/odd/a%2Fb%3Fc%23d%C3%A9?few=x,y%26z%27%3D%25&cursor=next',
  )
})

test('a sample has lists as lists, integers as numbers, and missing ids as placeholders', () => {
  assert.deepEqual(valuesOf(odd, { ids: {}, query: { few: 'x, y', size: '12', late: '7' } }), {
    oddId: '{oddId}',
    few: ['x', 'y'],
    size: 12,
    late: '7',
  })
  assert.deepEqual(valuesOf(odd, { ids: { oddId: 'a' }, query: { size: '1e3' } }), { oddId: 'a', size: '1e3' })
})

test('a fault says at its field what is allowed', () => {
  assert.deepEqual(faults(odd, {}), { oddId: 'Required. Enter an ID or browse for one.', one: 'Required.' })
  const query = { one: 'C', known: 'C', few: 'a,b,c', size: '9', late: 'anything', cursor: 'a b' }
  assert.deepEqual(faults(odd, { ids: { oddId: '..' }, query }), {
    oddId: 'Control characters, and "." or ".." between slashes, are not allowed.',
    one: 'C is not allowed. Allowed values: A, B.',
    few: 'At most 2 values.',
    size: 'Enter a whole number from 10.',
    cursor: 'Enter a cursor exactly as it was returned.',
  })
  const apps = formOf('listApps')
  assert.deepEqual(faults(apps, { query: { limit: '201', sort: 'name,-name', name: 'a,,b', versionState: 'IN' } }), {
    limit: 'Enter a whole number from 1 to 200.',
    sort: 'Each value can be given only once.',
    name: 'A value is missing next to a comma.',
    versionState: `IN is not allowed. Allowed values: ${apps.parameters.find(({ name }) => name === 'versionState')?.values?.join(', ')}.`,
  })
  assert.deepEqual(faults(formOf('listLibraryVideoPlacements'), {}), { libraryVideoId: 'Required.' })
})

const nasty = [
  ['', '1', '0', '200', '201', '-1', '1e2', '007', 'name', '-name', 'name,-name', 'name,name', 'name,sku', '-'],
  ['IOS', 'ios', 'IOS,IOS', 'IOS,', ',', 'a,b', 'a b', '..', '.', 'a/..', '../a', 'a/b', '...', '%2e%2e', '%'],
  ["o'clock", 'a\u0000b', 'a\nb', '\u202Eabc', '\uD800', '\u{1F600}', '#', '?', '&x=1', '+', 'null', '{appId}'],
].flat()

/** cursors are encrypted: no form can check them */
const cursors = {
  open() {
    throw new Error('none is sent')
  },
  seal: () => '',
}

const match = createMatcher(routes)

/** the name of the parameter at fault, or `path` */
function refusedBy(target: string): string | undefined {
  const { path, query } = splitTarget(`/v1/connections/any${target}`)
  const found = match(path)
  if (!found) return 'path'
  try {
    const { plan } = planRequest({ ...found, connection: 'any', account: '', query }, { cursors, linkage: false })
    checkPlan(plan, 'https://platform.example.com')
    return undefined
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return error.extras.param ?? 'path'
  }
}

test('the form accepts what the API accepts, and nothing that the API refuses', () => {
  let counted = 0
  for (const form of forms) {
    const fields = [
      ...form.ids.map(({ name }) => ['ids', name] as const),
      ...form.parameters.filter(({ kind }) => kind !== 'cursor').map(({ name }) => ['query', name] as const),
    ]
    for (const [part, name] of fields)
      for (const value of nasty) {
        const example = exampleDraft(form)
        const draft = { ...example, [part]: { ...example[part], [name]: value } }
        const fault = faultsOf(form, draft).get(name)
        // a lone surrogate cannot be in an address, and without an id there is no address
        const isNone = value === '\uD800' || (part === 'ids' && value === '')
        const isRefused = isNone || refusedBy(targetOf(form, draft)) !== undefined
        assert.equal(fault !== undefined, isRefused, `${form.operation} ${name} ${JSON.stringify(value)}: ${fault}`)
        counted++
      }
  }
  assert.ok(counted > 4_000, `${counted}`)
})

test('a sort order is recognized by its values alone', () => {
  const sorts = forms.flatMap(({ parameters }) => parameters.filter((one) => sortKeysOf(one)))
  assert.ok(sorts.length >= 3)
  for (const { name } of sorts) assert.equal(name, 'sort')
  const one: ParameterForm = { name: 'x', description: '', kind: 'choices', required: false, unique: true }
  assert.deepEqual(sortKeysOf({ ...one, values: ['a', '-a', 'b', '-b'] }), ['a', 'b'])
  assert.equal(sortKeysOf({ ...one, values: ['a', '-a', 'b'] }), undefined)
  assert.equal(sortKeysOf({ ...one, kind: 'texts', values: ['a', '-a'] }), undefined)
})

test('filters of a list are named; its size, order and page are not', () => {
  const query = { versionState: 'IN_REVIEW', limit: '5', fields: 'name', cursor: 'c', name: ' ', sort: '-name' }
  assert.deepEqual(filtersOf(formOf('listApps'), { ids: {}, query }), ['versionState = IN_REVIEW'])
})
