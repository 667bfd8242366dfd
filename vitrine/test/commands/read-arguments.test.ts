import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { callerOf, startLongList, vitrine } from '../support/command-line.ts'
import { startOverSandbox } from '../support/service.ts'

const { service, close } = await startOverSandbox()
const env = callerOf(service)
test.after(close)

test('wrong arguments are refused in one line that names the fix, before anything is sent', async (t) => {
  const { env, platform, service } = await startLongList(t, { size: 1 })
  const key = ['read', 'listApps']
  const cases: [string[], RegExp][] = [
    [['read', 'lisApps'], /There is no operation "lisApps"\. Did you mean "listApps"\?/],
    [[...key, '--nmae', 'x'], /no parameter "--nmae" here\. Did you mean "--name"\?/],
    [[...key, '--outptu', 'csv'], /Did you mean "--output"\?/],
    [[...key, '--limit', '201'], /"limit" is a whole number from 1 to 200/],
    [[...key, '--fields', 'nam'], /"fields" does not allow "nam"\. Did you mean "name"\?/],
    [[...key, '--versionPlatform', 'IOSS'], /does not allow "IOSS"\. Did you mean "IOS"\?/],
    [[...key, '--limit'], /--limit needs a value/],
    [[...key, '--name', '--all'], /--name needs a value.*--name=--…/],
    [[...key, '--name', ''], /--name has no value/],
    [[...key, '--name='], /--name has no value/],
    [[...key, '--name', 'a', '--name', 'b'], /--name is given more than once\. Several values are separated by commas/],
    [[...key, '--all', '--all'], /--all is given more than once/],
    [[...key, '--all=yes'], /--all takes no value/],
    [[...key, '--output', 'jsn'], /--output does not know "jsn"\. Did you mean "json"\?/],
    [[...key, '6446998001'], /"6446998001" is unexpected: parameters are written --name value/],
    [[...key, '--', '--limit'], /"--limit" is unexpected/],
    [[...key, '-x'], /"-x" is not an option/],
    [[...key, '--timeout', 'soon'], /--timeout must be a time such as 60s/],
    [['read', 'getEvent'], /getEvent needs --eventId/],
    [['read', 'getEvent', '--eventId', 'e', '--all'], /one resource: --all is only for lists/],
    [[...key, '--url', 'ftp://x'], /--url: must be an address/],
    [[...key, '--url', 'http://me:secret@127.0.0.1'], /--url: must be an address/],
    [[...key, '--url', 'http://vitrine.example'], /anyone on the network can read the key over plain http.*--insecure/],
    [[...key, '--key', service.key], /no parameter "--key" here/],
    [['completion', 'bsh'], /Did you mean "bash"\?/],
  ]
  for (const [args, words] of cases) {
    const { code, out, err } = await vitrine(args, env)
    assert.deepEqual([code, out], [2, ''], `${args.join(' ')}: ${err}`)
    assert.match(err, words)
    assert.equal(err.trimEnd().split('\n').length, 1, err)
    assert.ok(!err.includes('secret') && !err.includes(service.key))
  }
  assert.equal(platform.calls.length, 0)
})

test('a refused argument lists for programs what is allowed, as the service does', async () => {
  const detailsOf = async (...args: string[]) => {
    const { code, err } = await vitrine(['read', ...args, '--output', 'json'], env)
    assert.equal(code, 2, err)
    return JSON.parse(err).error.details
  }
  const { allowed, nearest } = await detailsOf('listApps', '--nmae', 'x')
  assert.ok(allowed.includes('bundleId') && allowed.includes('output'))
  assert.equal(nearest, 'name')
  assert.ok((await detailsOf('lisApps')).allowed.includes('listApps'))
  assert.ok((await detailsOf('listApps', '--fields', 'nam')).allowed.includes('bundleId'))
  assert.deepEqual(await detailsOf('listApps', '--limit', '201'), { minimum: 1, maximum: 200 })
})

test('the commands that read end with 2 where they are called wrongly', async () => {
  for (const args of [['whoami', '--nope'], ['mcp', '--nope'], ['completion'], ['whoami', '--output', 'csv']]) {
    const { code, out, err } = await vitrine(args, env)
    assert.deepEqual([code, out], [2, ''], `${args.join(' ')}: ${err}`)
  }
})

test('the key comes from the environment, a file or standard input, and another secret is not sent', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-read-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'key')
  writeFileSync(file, `${service.key}\n`)
  const { VITRINE_KEY: key = '', ...keyless } = env
  const ask = ['read', 'listApps', '--limit', '1', '--fields', 'name']
  assert.equal((await vitrine([...ask, '--key-file', file], keyless)).code, 0)
  assert.equal((await vitrine([...ask, '--key-file', '-'], keyless, `${key}\n`)).code, 0)
  for (const [more, given, words] of [
    [[], {}, /There is no facade key: set VITRINE_KEY/],
    [[], { VITRINE_KEY: `${key}x` }, /VITRINE_KEY: this is not a complete facade key/],
    [[], { VITRINE_KEY: 'a-secret-of-something-else' }, /this is not a complete facade key/],
    [['--key-file', join(folder, 'none')], {}, /cannot be read \(ENOENT\)/],
  ] as const) {
    const { code, out, err } = await vitrine([...ask, ...more], { ...keyless, ...given })
    assert.deepEqual([code, out], [3, ''], err)
    assert.match(err, words)
    assert.ok(!err.includes('secret-of') && !err.includes(key))
  }
})

test('the only connection of a key is taken; of several, one has to be chosen, and a wrong name is answered with them', async () => {
  const { VITRINE_CONNECTION: _, ...unbound } = env
  const ask = ['read', 'listApps', '--limit', '200', '--fields', 'name']
  const only = await vitrine(ask, { ...unbound, VITRINE_KEY: await service.issue({ connections: ['other'] }) })
  assert.equal(only.code, 0, only.err)
  const several = await vitrine(ask, unbound)
  assert.deepEqual([several.code, several.out], [2, ''])
  assert.match(several.err, /choose one with --connection or VITRINE_CONNECTION\. They are: .*acme/)
  assert.equal((await vitrine([...ask, '--connection', 'solo'], unbound)).code, 0)
  const wrong = await vitrine([...ask, '--connection', 'acmee', '--output', 'table'], env)
  assert.equal(wrong.code, 4)
  assert.match(wrong.err, /Did you mean "acme"\? This key may read: .*other/)
})
