// Code samples are the same in the console, in the reference, and on the reference page.
import assert from 'node:assert/strict'
import test from 'node:test'
import { pathToFileURL } from 'node:url'
import { routes } from '../../src/catalogue/index.ts'
import { exampleDraft } from '../../src/console/pages/explorer/request-draft.ts'
import type { Form } from '../../src/console/pages/explorer/operation-form.ts'
import { addressOf, samplesFor } from '../../src/console/pages/explorer/request-samples.ts'
import { formsOf } from '../../src/derive/forms.ts'
import { describeApi } from '../../src/derive/openapi.ts'
import { clientSample, commandSample, curlSample } from '../../src/derive/reference/samples.ts'
import { literal, shellWord } from '../../../base/core/source-text.ts'
import { commandLine, curlLine, usualOrigin } from '../../src/samples.ts'

const forms: readonly Form[] = formsOf(routes)
const usual = { url: usualOrigin, insecure: false }

/** what two writers may order differently */
const unordered = (line: string | undefined): string[] => line?.split(/[ ?&{}(),']+/).sort() ?? []

test("the console writes each operation's example as the reference does", () => {
  for (const [i, route] of routes.entries()) {
    const form = forms[i]
    assert.ok(form)
    const [curl, command, program] = samplesFor(form, exampleDraft(form), 'demo', usual)
    assert.deepEqual(unordered(curl?.text), unordered(curlSample(route)))
    assert.deepEqual(unordered(command?.text), unordered(commandSample(route)))
    assert.deepEqual(unordered(program?.text.split('\n')[3]), unordered(clientSample(route)))
  }
})

interface Described {
  readonly operationId: string
  readonly parameters?: readonly { readonly $ref?: string }[]
}

/** the reference page is plain JavaScript, which no build reaches */
async function pageSamples() {
  const at = (name: string) => pathToFileURL(`src/pages/docs/${name}.js`).href
  const description = structuredClone(describeApi(routes, {}))
  Object.assign(globalThis, { location: { origin: usualOrigin } })
  const fetched = globalThis.fetch
  globalThis.fetch = async () => Response.json(description)
  try {
    const [{ readDescription, resolved }, { samplesOf }] = await Promise.all([
      import(at('description')),
      import(at('samples')),
    ])
    await readDescription('/openapi.json')
    return { paths: description['paths'] as Record<string, { get: Described }>, resolved, samplesOf }
  } finally {
    globalThis.fetch = fetched
  }
}

test("the page in the browser writes each operation's example as the reference does", async () => {
  const { paths, resolved, samplesOf } = await pageSamples()
  for (const route of routes) {
    const [path, { get: operation }] = Object.entries(paths).find(
      ([, { get }]) => get.operationId === route.operation,
    ) ?? ['', assert.fail(route.operation)]
    const form = forms.find((one) => one.operation === route.operation)
    const values: Record<string, string> = { connectionId: 'demo', ...form?.example.ids, ...form?.example.query }
    const fields = (operation.parameters ?? [])
      .map((one) => resolved(one) as { name: string })
      .map((parameter) => ({
        parameter,
        read: () => values[parameter.name] ?? '',
      }))
    const target = `/v1/connections/demo${route.example}`
    const [curl, command, program] = samplesOf(
      { security: [{ facadeKey: [] }], method: 'get', ...operation, path },
      target,
      fields,
    ) as {
      text: string
    }[]
    assert.equal(curl?.text, curlSample(route))
    assert.deepEqual(unordered(command?.text), unordered(commandSample(route)))
    assert.deepEqual(unordered(program?.text.split('\n')[1]), unordered(clientSample(route)))
  }
})

test('whatever a value is, it stays one word of the command', () => {
  assert.equal(shellWord('a.b/c-1'), 'a.b/c-1')
  assert.equal(shellWord("o'$(id)`\n"), "'o'\\''$(id)`\n'")
  assert.equal(shellWord(''), "''")
  assert.equal(literal("a'b\\c\n\u2028"), "'a\\'b\\\\c\\u000a\\u2028'")
  assert.equal(curlLine("http://a/'x"), `curl 'http://a/%27x' -H "Authorization: Bearer $VITRINE_KEY"`)
  assert.equal(
    commandLine({ operation: 'x', connection: '--c', values: { a: '--all', b: ['1', '2'], c: '-name' } }),
    'vitrine read x --connection=--c --a=--all --b 1,2 --c -name',
  )
})

test('an address is one that callers accept, and plain http to another machine is marked', () => {
  assert.deepEqual(addressOf(' https://vitrine.example.com/ '), { url: 'https://vitrine.example.com', insecure: false })
  assert.deepEqual(addressOf('https://a.example/api//'), { url: 'https://a.example/api', insecure: false })
  assert.deepEqual(addressOf('http://localhost:8080'), { url: 'http://localhost:8080', insecure: false })
  assert.deepEqual(addressOf('http://10.0.0.7:8080'), { url: 'http://10.0.0.7:8080', insecure: true })
  for (const bad of [
    '',
    'a.example',
    'ftp://a.example',
    'https://me:p@a.example',
    'https://a.example/?x',
    'https://a.example/#x',
    'javascript:1',
  ])
    assert.equal(addressOf(bad), undefined, bad)
  const apps = forms[0]
  assert.ok(apps)
  const lines = samplesFor(apps, exampleDraft(apps), 'acme', { url: 'http://10.0.0.7', insecure: true })
  assert.match(lines[1]?.text ?? '', /^vitrine read listApps --url http:\/\/10\.0\.0\.7 --insecure --connection acme /)
  assert.match(lines[2]?.text ?? '', /connection: 'acme', insecure: true \}\)/)
})
