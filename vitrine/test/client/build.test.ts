// The same promises, tested on the packed build; and its size, its needs and its exports.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { gzipSync } from 'node:zlib'
import { promiseAnswers } from './answers.ts'
import { promiseArguments } from './arguments.ts'
import { build } from './build.ts'
import { promiseClocks } from './clocks.ts'
import { promiseFailures } from './failures.ts'
import { promiseHostile } from './hostile.ts'
import { promiseLists } from './lists.ts'

const load = () => build().load()

for (const promise of [promiseAnswers, promiseArguments, promiseLists, promiseFailures, promiseClocks, promiseHostile])
  promise('build', load)

const thousands = (bytes: number): string => (bytes / 1000).toFixed(1)

test('the build stays within its size limit, and the guide states its size', () => {
  const code = readFileSync(build().code)
  const packed = gzipSync(code, { level: 9 }).length
  // 29 routes more took 21 kB, 2.8 kB in gzip: each has a method and a row of data
  assert.ok(code.length <= 62_000, `${code.length} bytes`)
  assert.ok(packed <= 12_600, `${packed} bytes in gzip`)
  const guide = readFileSync('docs/guides/client.md', 'utf8')
  const told = /([\d.]+) kB of JavaScript, ([\d.]+) kB in gzip/.exec(guide)
  const isNear = (said: string | undefined, bytes: number) => Math.abs(Number(said) - bytes / 1000) <= 0.25
  assert.ok(
    isNear(told?.[1], code.length) && isNear(told?.[2], packed),
    `the guide says ${told?.[0]}; it is ${thousands(code.length)} kB and ${thousands(packed)} kB`,
  )
})

test('the client is one file that uses only what every runtime has', () => {
  for (const file of ['client/vitrine.ts', build().code, build().code.replace(/js$/, 'd.ts')]) {
    const text = readFileSync(file, 'utf8')
    assert.doesNotMatch(text, /^\s*(import\b|export .* from\b)|\bimport\(|\brequire\(|node:/m, file)
    assert.doesNotMatch(text, /\b(process|Buffer|window|document|Deno|Bun)\.\w/, file)
  }
})

test('the client exports what is documented, and nothing internal', async () => {
  assert.deepEqual(Object.keys(await load()).sort(), [
    'AmbiguousSelectionError',
    'DeadlineError',
    'ForbiddenError',
    'InternalError',
    'InvalidQueryError',
    'List',
    'LocalizationNotFoundError',
    'MethodNotAllowedError',
    'OverloadedError',
    'RateLimitedError',
    'RequestError',
    'ResourceNotFoundError',
    'TooManyItemsError',
    'UnauthorizedError',
    'UnexpectedAnswerError',
    'UnreachableError',
    'UpstreamError',
    'UpstreamForbiddenError',
    'Vitrine',
    'VitrineError',
    'operations',
  ])
})

test('the package exports the client under its name, with its types first', () => {
  const { exports: shown, files } = JSON.parse(readFileSync('package.json', 'utf8'))
  assert.deepEqual(shown['./client'], {
    types: './dist/vitrine/client/vitrine.d.ts',
    default: './dist/vitrine/client/vitrine.js',
  })
  assert.deepEqual(Object.keys(shown['./client']), ['types', 'default'])
  assert.ok(files.includes('dist'))
})
