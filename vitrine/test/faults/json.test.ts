import assert from 'node:assert/strict'
import { bare, answerRead, page, type ExampleRoute, exampleRoutes, single } from '../support/example-routes.ts'
import { asset, type Broken, broken, through } from './document-rows.ts'
import { canary, faults, type ScriptedFault } from './fault.ts'

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const withMember = (text: string, member: string) => `${text.slice(0, -1)},${member}}`
const html = `<!doctype html><title>${canary}</title><h1>Sign in`
const keys = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i}":${i}`).join(',')},"archived":true}`
const plain = { 'content-type': 'text/plain' }

const refused: Broken[] = [
  { id: 'F51', fault: 'JSON that breaks off', body: (_, text) => text.slice(0, -3), at: exampleRoutes },
  {
    id: 'F51',
    fault: 'JSON that breaks off within a string',
    body: (_, text) => text.slice(0, text.indexOf('type') + 2),
  },
  {
    id: 'F53',
    fault: 'a login page with 200',
    body: () => html,
    headers: { 'content-type': 'text/html' },
    at: exampleRoutes,
  },
  { id: 'F53', fault: 'a login page that calls itself JSON', body: () => html },
  { id: 'F54', fault: 'the right JSON in text/plain', body: (_, text) => text, headers: plain, at: exampleRoutes },
  { id: 'F54', fault: 'the right JSON in no media type', body: (_, text) => text, headers: { 'content-type': '' } },
  { id: 'F55', fault: 'an empty 200', body: () => '', at: exampleRoutes },
  { id: 'F55', fault: 'blanks', body: () => ' \r\n\t ' },
  { id: 'F56', fault: 'NaN', body: (_, text) => withMember(text, '"x":NaN') },
  { id: 'F56', fault: '-Infinity', body: (_, text) => withMember(text, '"x":-Infinity') },
  { id: 'F56', fault: 'a comment', body: (_, text) => `${text}/* fine */` },
  { id: 'F56', fault: 'single quotes', body: (_, text) => text.replaceAll('"', "'") },
  { id: 'F56', fault: 'a comma too many', body: (_, text) => `${text.slice(0, -1)},}` },
  { id: 'F57', fault: '1e400 in a field', body: () => asset('{"usedBytes":1e400}'), at: [single] },
  {
    id: 'F57',
    fault: '1e400 in a field of no type',
    body: () => '{"version":"1","appMetadata":{"a":[-1e400]}}',
    at: [bare],
  },
  { id: 'F57', fault: '1e400 in a member that is not read', body: (_, text) => withMember(text, '"x":1e400') },
  { id: 'F57', fault: '400 digits', body: (_, text) => withMember(text, `"x":-${'9'.repeat(400)}`) },
  ...[65, 5_000, 1_000_000].map((depth) => ({
    id: 'F61',
    fault: `depth ${depth}`,
    body: (_: ExampleRoute, text: string) => withMember(text, `"x":${nested(depth - 1)}`),
  })),
  { id: 'F61', fault: 'a million brackets that never close', body: () => '['.repeat(1_000_000) },
  { id: 'F65', fault: '200,000 keys in one object', body: () => asset(keys(200_000)), at: [single] },
  { id: 'F66', fault: 'two documents', body: (_, text) => text + text },
  { id: 'F66', fault: 'garbage behind the document', body: (_, text) => `${text}\n0` },
  { id: 'F66', fault: 'NUL behind the document', body: (_, text) => `${text}\0` },
  ...['[]', '"x"', '5', 'null', 'true', '9007199254740993'].map((body) => ({
    id: 'F67',
    fault: `only ${body}`,
    at: exampleRoutes,
    body: () => body,
  })),
  { id: 'F67', fault: 'the document in a list', body: (_, text) => `[${text}]`, at: exampleRoutes },
]

faults(refused.flatMap(broken))

faults([
  {
    id: 'F52',
    fault: 'a page in HTML with status 502, for ever',
    script: (_, res) => void res.writeHead(502, { 'content-type': 'text/html' }).end(html),
    expect: { status: 502, type: 'upstream_error', code: 'upstream_failed', calls: 3, retryAfter: null },
    more: ({ text }) => assert.ok(!/[<>]/.test(text), text),
  },
  {
    id: 'F52',
    fault: 'a page in HTML with status 502, once',
    script: [
      (_, res) => void res.writeHead(502, { 'content-type': 'text/html' }).end(html),
      answerRead(page, page.healthy),
    ],
    expect: { status: 200, json: page.answer, calls: 2 },
  },
])

const metadata = '{"a":0.1234567890123456789,"b":[9007199254740993,{"c":1e-400}],"d":123456789012345.75}'
const digits = ['9007199254740993', '9223372036854775807', '-9223372036854775808', '123456789012345678901234567890']

faults([
  ...digits.map((number) =>
    through('F58', `the integer ${number}`, asset(`{"usedBytes":${number}}`), `{"id":"b1","usedBytes":${number}}`),
  ),
  {
    id: 'F58',
    fault: 'long numbers within nested objects',
    at: bare,
    script: answerRead(bare, `{"version":"1","appMetadata":${metadata}}`),
    expect: { status: 200, calls: 1 },
    more: ({ text }) => assert.equal(text, `{"id":"a1","version":"1","appMetadata":${metadata}}`),
  },
  ...['-0', '1.0', '10.00', '1E5', '12e2'].flatMap((sent) =>
    // a long number makes the others be parsed in another way
    ['{}', '{"big":9007199254740993}'].map((beside): ScriptedFault => {
      const row = through('F59', `${sent} beside ${beside}`, asset(`{"usedBytes":${sent},"other":${beside}}`), {})
      const more: ScriptedFault['more'] = ({ text }) => assert.equal(text, `{"id":"b1","usedBytes":${sent}}`)
      return { ...row, expect: { status: 200, calls: 1 }, more }
    }),
  ),
  through(
    'F60',
    'id and attributes twice: the last counts, whole',
    asset('{"archived":true,"usedBytes":5}', ',"attributes":{"archived":false},"id":"b9","id":"b1"'),
    '{"id":"b1","archived":false}',
  ),
  // the document around it has three levels
  through('F61', 'depth 64 is a document', asset(`{"deep":${nested(61)}}`), '{"id":"b1"}'),
])

const evil = '{"archived":true,"isAdmin":true,"toString":null}'
const odd = ['id', 'type', 'items', 'error', 'nextCursor', 'toString', 'then', 'toJSON', 'rawJSON', 'hasOwnProperty']

faults([
  through(
    'F62',
    '__proto__ and constructor.prototype in attributes and relationships',
    asset(
      `{"archived":false,"__proto__":${evil},"constructor":{"prototype":${evil}}}`,
      `,"__proto__":${evil},"relationships":{"__proto__":{"app":{"data":{"type":"apps","id":"a1"}}}}`,
    ),
    '{"id":"b1","archived":false}',
  ),
  through('F62', '__proto__ at the top', `{"__proto__":{"errors":[]},${asset('{}').slice(1)}`, '{"id":"b1"}'),
  {
    id: 'F62',
    fault: '__proto__ in the links of a list',
    script: answerRead(page, '{"links":{"__proto__":{"next":"x"}},"data":[]}'),
    expect: { status: 200, json: { items: [], nextCursor: null }, calls: 1 },
  },
  {
    id: 'F62',
    fault: '__proto__ in the bare document, and in an object that is passed on whole',
    at: bare,
    script: answerRead(bare, `{"version":"1","__proto__":${evil},"appMetadata":{"a":1,"__proto__":${evil}}}`),
    expect: { status: 200, calls: 1 },
    more: ({ text }) => assert.equal(text, '{"id":"a1","version":"1","appMetadata":{"a":1}}'),
  },
  through(
    'F63',
    'attributes named after something of ours',
    asset(JSON.stringify({ ...Object.fromEntries(odd.map((name) => [name, 'x'])), archived: true })),
    '{"id":"b1","archived":true}',
  ),
  ...[String.raw`\ud800`, String.raw`x\udfffy`, String.raw`\u0000`, '\u2028\u2029', '\u{1f600}', String.raw`\"\\`].map(
    (written): ScriptedFault => ({
      ...through('F64', `the string ${JSON.stringify(written)}`, asset(`{"assetPackIdentifier":"${written}"}`), {}),
      expect: { status: 200, calls: 1, json: { id: 'b1', assetPackIdentifier: JSON.parse(`"${written}"`) } },
      more: ({ text }) => assert.ok(!text.includes('\ufffd'), text),
    }),
  ),
  through('F65', '70,000 keys in one object', asset(keys(70_000)), '{"id":"b1","archived":true}'),
])
