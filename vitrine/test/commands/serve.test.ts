// What `serve` says to the person who starts it, and the token that `operator token` gives them.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { createOperatorTokens, readTokenFile } from '../../../base/auth/operator-token.ts'
import { product } from '../../src/product.ts'
import { bin, hasTerminal, runAtTerminal, runInShell, vitrine } from '../support/command-line.ts'
import { read, startScene } from './signal-scene.ts'

test('ids in the settings that do not look like those of the platform are named at the start', async (t) => {
  const { said } = await startScene(t, {
    connections: {
      good: { keyId: '2X9R4HXF34', issuerId: '57246542-96fe-1a63-e053-0824d011072a', privateKeyFile: 'key.p8' },
      swapped: { keyId: '57246542-96fe-1a63-e053-0824d011072a', issuerId: '2X9R4HXF34', privateKeyFile: 'key.p8' },
    },
  })
  const hints = said()
    .split('\n')
    .filter((line) => line.startsWith('connections.'))
  assert.equal(hints.length, 2)
  assert.match(hints[0] ?? '', /^connections\.swapped\.keyId does not look like .* A key id is 10 capital letters/)
  assert.match(hints[1] ?? '', /^connections\.swapped\.issuerId does not look like .* An issuer id is a UUID/)
})

const skip = hasTerminal ? false : 'no script(1)'

function folderWith(t: TestContext, settings: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-serve-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = {
    listen: '127.0.0.1:0',
    operatorListen: '127.0.0.1:0',
    store: 'sqlite:v.db',
    log: 'off',
    drainSeconds: 0,
  }
  writeFileSync(join(folder, 'vitrine.json'), JSON.stringify({ ...file, ...settings }))
  return folder
}

/** what `serve` shows at a terminal until it is interrupted */
async function shownAt(folder: string, env: Record<string, string> = {}): Promise<string> {
  const { out } = await runAtTerminal(`cd '${folder}' && timeout -s INT 3 ${bin} serve`, env, 200)
  return out
}

const entrances: Readonly<Record<string, [settings: object, env: Record<string, string>, shown: RegExp]>> = {
  'no token': [
    {},
    {},
    /nobody can sign in yet\. Create an operator token: \S+ operator token --file operator-token\.txt/,
  ],
  'a token in the environment': [
    {},
    { VITRINE_OPERATOR_TOKEN: randomBytes(32).toString('hex') },
    /sign in with the operator token of VITRINE_OPERATOR_TOKEN\n/,
  ],
  'a token file': [
    { operatorTokenFile: 'token.txt' },
    {},
    /sign in with an operator token: a line of \/\S+\/token\.txt\n/,
  ],
  'no operator endpoint': [{ operatorListen: 'off' }, {}, /Operator endpoint {2}off, and with it the console/],
}

for (const [title, [settings, env, shown]] of Object.entries(entrances))
  test(`at a terminal, serve says what listens where and who can sign in: ${title}`, { skip }, async (t) => {
    const folder = folderWith(t, settings)
    writeFileSync(join(folder, 'token.txt'), `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 })
    const said = await shownAt(folder, env)
    assert.match(
      said,
      /^Public endpoint {4}http:\/\/127\.0\.0\.1:\d+ {2}for callers with a facade key; reference: http/m,
    )
    if (!('operatorListen' in settings))
      assert.match(said, /^Console {12}http:\/\/127\.0\.0\.1:\d+\/ {2}in a browser: /m)
    assert.match(said, shown)
  })

test('where standard error is no terminal, the log stays lines of JSON alone', async (t) => {
  const scene = await startScene(t, {})
  const { key } = await scene.issue()
  // it sets a flag, and V8 reports one that it does not know there
  assert.equal((await read(scene, key)).status, 200)
  scene.kill('SIGTERM')
  await scene.exit()
  for (const line of scene.said().trim().split('\n')) assert.equal(typeof JSON.parse(line), 'object', line)
})

test('operator token prints a token that the service takes, and alone on standard output', async () => {
  const { code, out, err } = await vitrine(['operator', 'token'])
  assert.deepEqual([code, out.split('\n').length], [0, 2])
  assert.match(err, /VITRINE_OPERATOR_TOKEN.*"operatorTokenFile"/)
  const token = out.trim()
  const tokens = createOperatorTokens({ product, fixed: token, observe: () => {} })
  assert.match(tokens.authenticateToken(token).who, /^operator:/)
  assert.notEqual((await vitrine(['operator', 'token'])).out, out)
})

test('a token or a master key that cannot be written is a failure with one message', async () => {
  for (const command of ['operator token', 'vault new-key --id k1']) {
    const { out, err } = await runInShell(`"$0" ${command} > /dev/full; echo "ended $?"`)
    assert.equal(out, 'ended 1\n', command)
    assert.match(err, /^[^\n]+\nvitrine: the output cannot be written \(ENOSPC\)\.\n$/, command)
  }
})

test('operator token --file writes a file for its user only, says the setting, and overwrites nothing', async (t) => {
  const file = join(folderWith(t, {}), 'token.txt')
  const { code, out, err } = await vitrine(['operator', 'token', '--file', file])
  assert.deepEqual([code, out, statSync(file).mode & 0o777], [0, '', 0o600])
  assert.ok(err.includes(`"operatorTokenFile": ${JSON.stringify(file)}`), err)
  assert.equal(readTokenFile(file).length, 1)
  const before = readFileSync(file, 'utf8')
  assert.ok(!err.includes(before.trim()), 'the token is shown nowhere')
  const again = await vitrine(['operator', 'token', '--file', file])
  assert.deepEqual([again.code, again.out, readFileSync(file, 'utf8')], [1, '', before])
  assert.match(again.err, /token\.txt exists, and is left as it is\./)
  // as written by printf: the advice must add a line, not lengthen the last one
  writeFileSync(file, before.trim())
  const advice = /\(echo; \S+ operator token\) >> \S+/.exec(again.err)?.[0] ?? ''
  assert.equal(spawnSync('/bin/sh', ['-c', advice]).status, 0, again.err)
  assert.deepEqual([readTokenFile(file).length, readTokenFile(file)[0]], [2, before.trim()])
  const nowhere = await vitrine(['operator', 'token', '--file', join(file, 'x')])
  assert.match(nowhere.err, /--file: .* cannot be written \(ENOTDIR\)\./)
})
