// The same promises, shown on what is packed; and what it weighs, needs and gives out.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { gzipSync } from 'node:zlib'
import { promiseAnswers } from './answers.ts'
import { promiseArguments } from './arguments.ts'
import { build } from './build.ts'
import { promiseClocks } from './clocks.ts'
import { promiseFailures } from './failures.ts'
import { promiseStrangers } from './strangers.ts'
import { promiseWalks } from './walks.ts'

const load = () => build().load()

for (const promise of [
  promiseAnswers,
  promiseArguments,
  promiseWalks,
  promiseFailures,
  promiseClocks,
  promiseStrangers,
])
  promise('build', load)

const thousands = (bytes: number): string => (bytes / 1000).toFixed(1)

test('the build stays within its size, and the guide tells that size', () => {
  const code = readFileSync(build().code)
  const packed = gzipSync(code, { level: 9 }).length
  assert.ok(code.length <= 40_000, `${code.length} bytes`)
  assert.ok(packed <= 9_500, `${packed} bytes in gzip`)
  const guide = readFileSync('docs/guides/client.md', 'utf8')
  const told = /([\d.]+) kB of JavaScript, ([\d.]+) kB in gzip/.exec(guide)
  const isNear = (said: string | undefined, bytes: number) => Math.abs(Number(said) - bytes / 1000) <= 0.25
  assert.ok(
    isNear(told?.[1], code.length) && isNear(told?.[2], packed),
    `the guide says ${told?.[0]}; it is ${thousands(code.length)} kB and ${thousands(packed)} kB`,
  )
})

test('the client is one file that needs nothing but what every runtime has', () => {
  for (const file of ['client/vitrine.ts', build().code, build().code.replace(/js$/, 'd.ts')]) {
    const text = readFileSync(file, 'utf8')
    assert.doesNotMatch(text, /^\s*(import\b|export .* from\b)|\bimport\(|\brequire\(|node:/m, file)
    assert.doesNotMatch(text, /\b(process|Buffer|window|document|Deno|Bun)\.\w/, file)
  }
})

test('the client gives out what is promised, and nothing of its insides', async () => {
  assert.deepEqual(Object.keys(await load()).sort(), [
    ...['AmbiguousSelectionError', 'DeadlineError', 'ForbiddenError', 'InternalError', 'InvalidQueryError', 'List'],
    ...['LocalizationNotFoundError', 'MethodNotAllowedError', 'OverloadedError', 'RateLimitedError', 'RequestError'],
    ...['ResourceNotFoundError', 'TooManyItemsError', 'UnauthorizedError', 'UnexpectedAnswerError', 'UnreachableError'],
    ...['UpstreamError', 'UpstreamForbiddenError', 'Vitrine', 'VitrineError', 'operations'],
  ])
})

test('the package shows the client by its name, with its types first', () => {
  const { exports: shown, files } = JSON.parse(readFileSync('package.json', 'utf8'))
  assert.deepEqual(shown['./client'], { types: './dist/client/vitrine.d.ts', default: './dist/client/vitrine.js' })
  assert.deepEqual(Object.keys(shown['./client']), ['types', 'default'])
  assert.ok(files.includes('dist'))
})
