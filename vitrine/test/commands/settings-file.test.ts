// Where a settings file is wrong: at which line and column, without quoting the file.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { findJsonPlaces } from '../../../base/core/json-places.ts'
import { loadSettings } from '../../src/commands/settings-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'vitrine-settings-'))
const file = join(folder, 'vitrine.json')
test.after(() => rmSync(folder, { recursive: true }))

/** the lines of the refusal, with the folder left out */
function refusal(text: string): string[] {
  writeFileSync(file, text)
  try {
    loadSettings({ config: file })
  } catch (error) {
    return (error as Error).message.replaceAll(`${folder}/`, '').split('\n')
  }
  return assert.fail('these settings are accepted')
}

const unreadable: Readonly<Record<string, [text: string, message: RegExp]>> = {
  'a comma too many': [
    '{\n  "log": "off",\n}',
    /^vitrine\.json:3:1: .* not JSON: there is a comma after the last entry\.$/,
  ],
  'a comma too few': [
    '{\n  "log": "off"\n  "traces": true }',
    /^vitrine\.json:3:3: .* a comma or } is expected here\.$/,
  ],
  'a comment': ['{\n  // mine\n}', /^vitrine\.json:2:3: .* JSON has no comments\.$/],
  'single quotes': ["{ 'log': 1 }", /^vitrine\.json:1:3: .* a name in double quotes is expected here\.$/],
  'a string without an end': [
    '{ "log": "SECRET\n}',
    /^vitrine\.json:1:10: .* this string has no end, or a wrong escape\.$/,
  ],
  'a string over two lines': [
    '{ "log": "SECRET\n" }',
    /^vitrine\.json:1:10: .* this string does not end on its line\.$/,
  ],
  'a tab in a string': [
    '{ "log": "SE\tCRET" }',
    /^vitrine\.json:1:13: .* a control character .* must be escaped, as in \\t\.$/,
  ],
  'too deep to search': ['{ "a":'.repeat(20_000), /^The settings file vitrine\.json is not JSON\.$/],
  'a list': ['[{}]', /^The settings file vitrine\.json must hold one JSON object\.$/],
  'no value': ['{ "log": }', /^vitrine\.json:1:10: .* a value is expected here/],
  'an end too early': ['{ "connections": {\r\n', /^vitrine\.json:2:1: .* the text ends, and a name in double quotes/],
  'text after the end': ['{} SECRET', /^vitrine\.json:1:4: .* the end of the text is expected here\.$/],
}

for (const [title, [text, message]] of Object.entries(unreadable))
  test(`a file that is not JSON has the place and the reason: ${title}`, () => {
    for (const given of [text, `\ufeff${text}`]) {
      const lines = refusal(given)
      assert.match(lines.join('\n'), message)
      assert.doesNotMatch(lines.join('\n'), /SECRET/)
    }
  })

test('each wrong setting has the place of its value, an unknown one that of its name, and all come at once', () => {
  const lines = refusal(`{
  "listen": "SECRET",
  "lisen": 1,
  "upstream": {
    "timeoutMs": "SECRET", "baseURL": 2
  },
  "rateLimit": 7,
  "connections": {
    "studio": { "keyId": "2X9R4HXF34",
      "privateKeyFile": 7 }
  }
}`)
  assert.deepEqual(
    lines.map((line) => line.split(': ', 3).slice(0, 2).join(': ')),
    [
      'The settings are wrong:',
      'vitrine.json:3:3: lisen',
      'vitrine.json:5:28: upstream.baseURL',
      'vitrine.json:7:16: rateLimit',
      'vitrine.json:2:13: listen',
      'vitrine.json:5:18: upstream.timeoutMs',
      'vitrine.json:10:25: connections',
    ],
  )
  assert.doesNotMatch(lines.join('\n'), /SECRET/)
})

test('a name with dots has the place where it stands', () => {
  const lines = refusal('{\n  "rateLimit.perMinute": "SECRET",\n  "oidc.isuer": 1 }')
  assert.match(lines[1] ?? '', /^vitrine\.json:3:3: oidc\.isuer: .* Did you mean "oidc\.issuer"/)
  assert.match(lines[2] ?? '', /^vitrine\.json:2:26: rateLimit\.perMinute: /)
})

test('what is missing has the place of the object that lacks it', () => {
  const [, fault = ''] = refusal('{\n  "connections": {\n    "a": { "keyId": "2X9R4HXF34" } } }')
  assert.match(fault, /^vitrine\.json:3:10: connections: a: needs privateKeyFile/)
})

test('of a name that stands twice, the place is that of the last, which counts', () => {
  const [, fault = ''] = refusal('{\n  "log": "off",\n  "log": "x" }')
  assert.match(fault, /^vitrine\.json:3:10: log: /)
})

test('a variable has no place in the file', () => {
  process.env['VITRINE_LISTEN'] = 'x'
  try {
    const [, fault = ''] = refusal('{ "listen": "127.0.0.1:0" }')
    assert.match(fault, /^VITRINE_LISTEN: must be/)
  } finally {
    delete process.env['VITRINE_LISTEN']
  }
})

test('what is JSON and what is not is judged as by JSON.parse, over texts with random changes', () => {
  const seed = '{"a": [1, -2.5e3, true, null, {"b": "x\\n\\u00e9\\""}], "c": {}, "d": [ ]}'
  const chars = '"\\,:{}[] \n01-.et/#\u0001\u0085é'
  const below = (count: number) => Math.floor(Math.random() * count)
  const isJson = (text: string): boolean => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  for (let i = 0; i < 5_000; i++) {
    let text = seed
    for (let changes = 1 + below(3); changes > 0; changes--) {
      const at = below(text.length)
      text = text.slice(0, at) + (chars[below(chars.length + 1)] ?? '') + text.slice(at + below(2))
    }
    assert.equal(findJsonPlaces(text).fault === undefined, isJson(text), JSON.stringify(text))
  }
})
