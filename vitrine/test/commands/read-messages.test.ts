import assert from 'node:assert/strict'
import test from 'node:test'
import { one, page, resource, stamp, text, uri } from '../../src/catalogue/define.ts'
import { contents } from '../../src/catalogue/define.ts'
import { routes } from '../../src/catalogue/index.ts'
import { printable } from '../../../base/core/printable.ts'
import { onlyConnection, readClientOptions } from '../../src/commands/read/client-options.ts'
import { columnsForPeople } from '../../src/commands/read/columns.ts'
import { csvLine } from '../../src/csv.ts'
import { exitFor, exits } from '../../src/commands/read/exits.ts'
import { commonOptions, parametersOf } from '../../src/commands/read/options.ts'
import { kebabOf } from '../../../base/cli/kebab.ts'
import { paramsOf } from '../../src/commands/read/parameters.ts'
import { parseReadArguments } from '../../src/commands/read/arguments.ts'
import { drawTable } from '../../../base/cli/table.ts'
import { hasColours } from '../../../base/cli/terminal.ts'
import { cutTo, widthOf } from '../../../base/cli/text-width.ts'

test('the width of a text is that of its signs', () => {
  for (const [text, columns] of [
    ['Tidal', 5],
    ['Größe', 5],
    ['e\u0301te\u0301', 3],
    ['潮の暦', 6],
    ['한글', 4],
    ['ｱｲｳ', 3],
    ['ＡＢ', 4],
    ['🌊', 2],
    ['👩\u200d👩\u200d👧', 2],
    ['❤\ufe0f', 2],
    ['1\ufe0f\u20e3', 2],
    ['🇳🇴', 2],
    ['مدّ', 2],
    ['שלום', 4],
    ['क्षि', 1],
    ['\u200d', 0],
  ] as const)
    assert.equal(widthOf(text), columns, text)
})

test('a text is cut between signs, and never wider than it may be', () => {
  assert.equal(cutTo('潮の暦です', 5), '潮の…')
  assert.equal(cutTo('潮の暦です', 6), '潮の…')
  assert.equal(cutTo('e\u0301e\u0301e\u0301', 2), 'e\u0301…')
  assert.equal(cutTo('Tidal', 5), 'Tidal')
  assert.equal(cutTo('🌊🌊', 3), '🌊…')
})

test('nothing that a terminal acts on is printable, and words stay words', () => {
  assert.equal(printable('\u001b]0;x\u0007\u009b1m\u202e\u2066\ufeff'), '�]0;x��1m���')
  const pictures = ['👩\u200d👩\u200d👧', '❤\ufe0f', '1\ufe0f\u20e3', '👩\u200d❤\ufe0f\u200d👩', '🏳\ufe0f\u200d🌈']
  for (const word of ['می\u200cخواهم', 'Größe', '葛\u{e0100}城', ...pictures]) assert.equal(printable(word), word)
  assert.equal(printable('a \u200d\u200cb'), 'a ��b')
  assert.equal(printable('a\u2028b\u{e0100}\u3164\ue000\ufe0f❤\ufe0f\ufe0f'), 'a�b����❤\ufe0f�')
})

test('a table keeps ids whole, cuts the widest first and names what has no room', () => {
  const columns = [{ name: 'id', whole: true }, { name: 'a' }, { name: 'b' }, { name: 'c' }]
  const rows = [['x'.repeat(36), 'y'.repeat(50), 'z', null]]
  assert.deepEqual(drawTable({ columns, rows, width: 70 }), {
    text: `${'id'.padEnd(36)}  ${'a'.padEnd(26)}  b  c\n${'x'.repeat(36)}  ${'y'.repeat(25)}…  z  –`,
    cut: true,
    left: [],
  })
  const narrow = drawTable({ columns, rows, width: 40 })
  assert.deepEqual(narrow.left, ['a', 'b', 'c'])
  assert.ok(narrow.text.includes('x'.repeat(36)))
})

test('CSV quotes as RFC 4180 says, and no cell of text is a formula', () => {
  assert.equal(csvLine(['a', 1, true, null, undefined, '']), 'a,1,true,,,""\r\n')
  assert.equal(csvLine(['a,b', 'a"b', 'a\nb', ' a']), '"a,b","a""b","a\nb"," a"\r\n')
  assert.equal(csvLine([['x', 'y'], { a: 1 }]), '"[""x"",""y""]","{""a"":1}"\r\n')
  assert.equal(csvLine(['=1+1', '+1', '-1', '@x', '\tx', '\rx', '＝1']), `'=1+1,'+1,'-1,'@x,"'\tx","'\rx",'＝1\r\n`)
  assert.equal(csvLine([-1, -2.5]), '-1,-2.5\r\n')
  assert.equal(csvLine(['=1+1', '-1'], { raw: true }), '=1+1,-1\r\n')
})

test('no cell of CSV becomes a formula where a spreadsheet of another locale splits it', () => {
  assert.equal(csvLine(['Nice;=1+1', 'a\t@x', 'b; -2', ' =3']), `"'Nice;'=1+1","'a\t'@x","'b; '-2",' =3\r\n`)
  assert.equal(csvLine(['fixed\n- one\n+two', 'x;＝1', 'a|=2']), `"'fixed\n'- one\n'+two","'x;'＝1","'a|'=2"\r\n`)
  assert.equal(csvLine([['a;=1'], { a: -1 }, -12.5]), `"[""a;'=1""]","{""a"":-1}",-12.5\r\n`)
  assert.equal(csvLine(['x;"=1+1;y', 'x\n""=1']), `"'x;""'=1+1;y","'x\n""""'=1"\r\n`)
  assert.equal(csvLine(['x;\0=1', '\0=1']), `"'x;\0'=1",'\0=1\r\n`)
  assert.equal(csvLine(['a;b', 'a = b', '2026-11-22', 'x;y=1']), '"a;b",a = b,2026-11-22,"x;y=1"\r\n')
  assert.equal(csvLine(['Nice;=1+1'], { raw: true }), '"Nice;=1+1"\r\n')
  const written = ['Nice;=1+1', 'a\t=cmd', 'ok\n=2', '=3;=4', '";=5', '"\r\n@6;-7']
  for (const cell of csvLine(['id', ...written, ['x;=8']]).split(/[,;\t\r\n|]/))
    assert.doesNotMatch(cell.replace(/^"+/, ''), /^\s*[=+\-@]/, cell)
})

test('a question is read in either spelling and form, and lists become lists', () => {
  const asked = (...words: string[]) => {
    const { given, own, route } = parseReadArguments(words, routes)
    return { operation: route?.operation, given, own }
  }
  assert.deepEqual(asked('listApps', '--sort', '-name', '--fields=name,sku', '-o', 'csv'), {
    operation: 'listApps',
    given: { sort: '-name', fields: 'name,sku' },
    own: { output: 'csv' },
  })
  assert.deepEqual(asked('--all', 'list-apps', '--bundle-id', 'a=b'), {
    operation: 'listApps',
    given: { bundleId: 'a=b' },
    own: { all: '' },
  })
  assert.deepEqual(
    asked('--app-id', '1', '--build.pre-release-version', '2', '--', 'listBetaFeedbackSubmissions').given,
    { appId: '1', 'build.preReleaseVersion': '2' },
  )
  assert.deepEqual(asked('listApps', '--name=--odd', '--key-file', '-').given, { name: '--odd' })
  const question = parseReadArguments(['listApps', '--name', 'a,b', '--limit', '7', '--cursor', 'x,y'], routes)
  assert.deepEqual(paramsOf(question), { name: ['a', 'b'], limit: 7, cursor: 'x,y' })
  assert.deepEqual(paramsOf(parseReadArguments(['listApps', '--all'], routes)), { limit: 200 })
  for (const words of [
    ['__proto__'],
    ['constructor'],
    ['listApps', '--__proto__', 'x'],
    ['listApps', '--constructor=x'],
  ])
    assert.throws(() => parseReadArguments(words, routes), /There is no/)
})

test('no parameter of a route is hidden by an option, in either spelling, and no row has a member that tells of an error', () => {
  for (const route of routes) {
    const names = parametersOf(route).map(({ name }) => name)
    for (const name of names) assert.ok(!(name in commonOptions) && !(kebabOf(name) in commonOptions), name)
    assert.equal(new Set(names.map(kebabOf)).size, names.length)
    assert.ok(!('error' in { ...route.returns?.attributes, ...route.returns?.links }), route.operation)
  }
})

test('every class of failure has its exit code', () => {
  const wanted: [string, number][] = [
    ['invalid_query', 2],
    ['unauthorized', 3],
    ['forbidden', 3],
    ['upstream_forbidden', 3],
    ['resource_not_found', 4],
    ['localization_not_found', 4],
    ['ambiguous_selection', 4],
    ['rate_limited', 5],
    ['upstream_error', 6],
    ['overloaded', 6],
    ['unreachable', 6],
    ['deadline', 6],
    ['unexpected_answer', 6],
    ['internal_error', 1],
    ['of_tomorrow', 1],
  ]
  for (const [type, code] of wanted) assert.equal(exitFor(type), code, type)
  const types = exits.flatMap((exit) => exit.types)
  assert.equal(new Set(types).size, types.length)
})

test('colours are for terminals, and NO_COLOR has the last word', () => {
  const [terminal, pipe] = [{ isTTY: true }, {}]
  assert.equal(hasColours(terminal, {}), true)
  assert.equal(hasColours(terminal, { TERM: 'dumb' }), false)
  assert.equal(hasColours(terminal, { NO_COLOR: '1' }), false)
  assert.equal(hasColours(terminal, { NO_COLOR: '' }), true)
  assert.equal(hasColours(terminal, { FORCE_COLOR: '0' }), false)
  assert.equal(hasColours(pipe, {}), false)
  assert.equal(hasColours(pipe, { FORCE_COLOR: '1' }), true)
  assert.equal(hasColours(pipe, { FORCE_COLOR: '1', NO_COLOR: '1' }), false)
})

test('people see names first, addresses and trees after them, and what is empty last', () => {
  const returns = resource({ name: 'Thing', type: 'things', attributes: { link: uri(), empty: text(), name: text() } })
  const common = {
    group: 'apps',
    summary: 's',
    from: { read: '/v1/things' },
    reviewed: stamp('1', '2026-11-20'),
  } as const
  const [route] = contents({ listThings: page({ path: '/things', example: '/things', returns, ...common }) })
  assert.ok(route)
  const items = [{ id: '1', link: 'l', empty: null, name: 'n', fresh: 'f' }]
  // no operation takes the id of a thing
  assert.deepEqual(columnsForPeople(route, items, undefined), ['name', 'link', 'fresh', 'empty', 'id'])
  const listed = { ...route, operation: 'listApps' }
  assert.deepEqual(columnsForPeople(listed, items, undefined), ['id', 'name', 'link', 'fresh', 'empty'])
  assert.deepEqual(columnsForPeople(listed, items, 'link,name').slice(0, 3), ['id', 'link', 'name'])
  const lead = ['appId', 'appName', 'locale']
  assert.deepEqual(columnsForPeople(listed, items, 'link', lead).slice(0, 3), ['appName', 'locale', 'link'])
  void one
})

test('an address may have a path; plain http to another machine needs --insecure', () => {
  const VITRINE_KEY = 'vtr_test_JeQEJWmzFoFt_QzJZcELQ8f2F8oNTHN9ttsi367NKKInByl6z5tIxsM9_070IV2'
  assert.equal(
    readClientOptions({ url: 'https://x.example/vitrine/' }, { VITRINE_KEY }).url,
    'https://x.example/vitrine',
  )
  assert.equal(readClientOptions({}, { VITRINE_KEY }).url, 'http://127.0.0.1:8080')
  assert.equal(readClientOptions({ insecure: true, url: 'http://x.example' }, { VITRINE_KEY }).url, 'http://x.example')
  assert.throws(() => readClientOptions({}, { VITRINE_KEY, VITRINE_URL: 'http://x.example' }), /--insecure/)
  assert.throws(() => onlyConnection([]), /may not read any connection/)
})
