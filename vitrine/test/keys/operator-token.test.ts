import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { product } from '../../src/product.ts'
import {
  createOperatorTokens,
  type OperatorTokenOptions,
  type OperatorTokens,
} from '../../../base/auth/operator-token.ts'
import type { Event } from '../../src/events.ts'
import { Problem } from '../../src/problems.ts'

const [one, two, three] = ['First-q8Zr2Vx5Lm7Tn4Kp9Wd3', 'Second-Hc6Jb1Ys8Fe0Gu3Ma5', 'Third-Rt2Wk9Xn4Pz7Qv1Dl6Ob']
const whoIs = (token: string): string => `operator:${createHash('sha256').update(token).digest('hex').slice(0, 8)}`
const quiet = { product, observe: () => {} }

function heard({ authenticate: recognise }: OperatorTokens, authorization?: string): string {
  try {
    return recognise(authorization).who
  } catch (error) {
    assert.ok(error instanceof Problem)
    return error.code
  }
}

function refusal(options: Partial<OperatorTokenOptions>): string {
  try {
    createOperatorTokens({ ...quiet, ...options })
  } catch (error) {
    return (error as Error).message
  }
  return assert.fail('it was taken')
}

function openFile(t: TestContext, text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-token-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'tokens')
  writeFileSync(file, text)
  const events: Event[] = []
  let time = 0
  return {
    file,
    events,
    open: () => createOperatorTokens({ product, file, observe: (event) => events.push(event), clock: () => time }),
    later: (ms = 1_001) => (time += ms),
    /** replaces the file as editors and mounted secrets do */
    replace(text: string) {
      writeFileSync(`${file}.new`, text)
      renameSync(`${file}.new`, file)
    },
  }
}

test('a token is authenticated by its hash, whose beginning names the actor', () => {
  const tokens = createOperatorTokens({ ...quiet, fixed: one })
  assert.ok(tokens.isConfigured)
  for (const scheme of ['Bearer', 'bearer', 'BEARER ']) assert.equal(heard(tokens, `${scheme} ${one}`), whoIs(one))
  assert.equal(heard(tokens), 'operator_token_missing')
  for (const wrong of [
    '',
    'Bearer',
    'Bearer ',
    one,
    `Basic ${one}`,
    `Bearer ${one}x`,
    `Bearer ${one.slice(1)}`,
    `Bearer ${one} x`,
  ])
    assert.equal(heard(tokens, wrong), 'operator_token_invalid', wrong)
})

test('without a token every request is refused, as with a wrong one', () => {
  const tokens = createOperatorTokens(quiet)
  assert.equal(tokens.isConfigured, false)
  assert.equal(heard(tokens), 'operator_token_missing')
  for (const tried of ['Bearer ', 'Bearer undefined', `Bearer ${one}`, ''])
    assert.equal(heard(tokens, tried), 'operator_token_invalid')
})

test('a token that is too short, too long, weak or not printable ASCII stops the start and is not printed', (t) => {
  for (const fixed of [
    '',
    'short',
    one.slice(0, 21),
    'a'.repeat(32),
    'passwordpasswordpasswordpassword',
    randomBytes(257).toString('hex'),
    'with a blank within First-q8Zr2Vx5Lm7Tn4Kp9Wd3',
    'ümlaut-q8Zr2Vx5Lm7Tn4Kp9Wd3',
    'q8Zr2Vx5Lm7Tn4Kp9Wd3Hc6J\n',
  ]) {
    const { file } = openFile(t, `${one}\n${fixed.replaceAll('\n', '')}x y\n`)
    const [direct, inFile] = [refusal({ fixed }), refusal({ file })]
    assert.match(
      direct,
      /^VITRINE_OPERATOR_TOKEN is not a token: .* 128 bits of chance or more\. Make one with: openssl rand -hex 32$/,
    )
    assert.match(inFile, /^operatorTokenFile \(.*\): line 2 is not a token/)
    if (fixed.length > 4) for (const message of [direct, inFile]) assert.ok(!message.includes(fixed.slice(0, 5)))
  }
  for (const fixed of [two.slice(0, 22), randomBytes(256).toString('hex'), '~!@#$%^&*()_+{}|:"<>?['])
    assert.equal(heard(createOperatorTokens({ ...quiet, fixed }), `Bearer ${fixed}`), whoIs(fixed))
})

test('two sources, a missing file, a file without a token and a too large file stop the start', (t) => {
  const { file } = openFile(t, '# nothing\n\n  \n')
  assert.match(refusal({ file, fixed: one }), /both given/)
  assert.match(refusal({ file }), /it holds no token/)
  assert.match(refusal({ file: `${file}.not` }), /it cannot be read \(ENOENT\)/)
  writeFileSync(file, `${one}\n`.repeat(10_000))
  assert.match(refusal({ file }), /larger than 65536 bytes/)
})

test('each line of the file is a token, except blank lines and comments', (t) => {
  const { open } = openFile(t, `\uFEFF# of the night shift\r\n${one}\r\n\r\n   ${two}  \n#${three}`)
  const tokens = open()
  for (const token of [one, two]) assert.equal(heard(tokens, `Bearer ${token}`), whoIs(token))
  assert.equal(heard(tokens, `Bearer ${three}`), 'operator_token_invalid')
  assert.equal(heard(tokens, `Bearer #${three}`), 'operator_token_invalid')
})

test('the file is read again when it changes, at most once a second', (t) => {
  const { open, replace, later } = openFile(t, one)
  const tokens = open()
  replace(`${one}\n${two}`)
  assert.equal(heard(tokens, `Bearer ${two}`), 'operator_token_invalid')
  later(999)
  assert.equal(heard(tokens, `Bearer ${two}`), 'operator_token_invalid')
  later()
  for (const token of [one, two]) assert.equal(heard(tokens, `Bearer ${token}`), whoIs(token))
  replace(two)
  later()
  assert.equal(heard(tokens, `Bearer ${one}`), 'operator_token_invalid', 'a removed token is rejected')
  assert.equal(heard(tokens, `Bearer ${two}`), whoIs(two))
})

test('an invalid or missing file keeps the last valid tokens, and is reported once', (t) => {
  const { open, replace, later, events, file } = openFile(t, one)
  const tokens = open()
  for (const change of [
    () => replace('not a token at all'),
    () => replace('a-weak-token-a-weak-token-a-weak-token'),
    () => replace(''),
    () => rmSync(file),
  ]) {
    change()
    for (let i = 0; i < 3; i++) {
      later()
      assert.equal(heard(tokens, `Bearer ${one}`), whoIs(one))
    }
  }
  const reasons = events.map((event) => (event.kind === 'reload_refused' ? event.reason : event.kind))
  assert.equal(reasons.length, 4)
  for (const [i, words] of [
    /line 1 is not a token/,
    /line 1 is not a token: .* openssl rand -hex 32/,
    /holds no token/,
    /ENOENT/,
  ].entries())
    assert.match(reasons[i] ?? '', words)
  assert.doesNotMatch(reasons.join(' '), /not a token at all|a-weak/)
  writeFileSync(file, three)
  later()
  assert.deepEqual(
    [heard(tokens, `Bearer ${three}`), heard(tokens, `Bearer ${one}`)],
    [whoIs(three), 'operator_token_invalid'],
  )
})
