import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import test from 'node:test'
import { platformWith, start, well } from './platform.ts'
import { clean, examine, findCheck, problemsIn, install, makeFolder } from './scene.ts'

const makePipe = (path: string) => {
  rmSync(path, { force: true })
  execFileSync('mkfifo', [path])
}

test('a pipe in place of a file is reported without waiting for it', async (t) => {
  const { url } = await start(t, platformWith())
  const endpoints = { operatorListen: '127.0.0.1:0' }
  for (const [name, settings, ill] of [
    ['key.p8', {}, [...well, 'acme key-file=fail']],
    ['master', { masterKeysFile: 'master' }, [...well, 'master-keys=fail']],
    ['token', { ...endpoints, operatorTokenFile: 'token' }, ['operator-token=fail', ...well]],
    ['v.db', {}, ['store=fail']],
  ] as const) {
    const { config, folder } = install(t, url, settings)
    makePipe(join(folder, name))
    const told = await examine(config)
    assert.deepEqual(problemsIn(told), ill)
    const found = told.json.checks.find(({ state }) => state === 'fail')
    assert.match(found?.cause ?? '', /it is a pipe, not a file$/)
  }
})

test('a secret given in place of a file path is reported without printing it', async (t) => {
  const { url } = await start(t, platformWith())
  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString()
  const body = pem.replace(/-----.*-----|\n/g, '')
  const master = Buffer.from('0123456789abcdefghijklmnopqrstuv').toString('base64')
  const token = 'q8Zr2Vx5Lm7Tn4Kp9Wd3Hc'
  const acme = (privateKeyFile: string) => ({ connections: { acme: { keyId: 'ACMEKEY001', privateKeyFile } } })
  for (const [secret, settings, ill] of [
    [body, acme(pem), 'acme key-file=fail'],
    [body, acme(body), 'acme key-file=fail'],
    [master, { masterKeysFile: `k1:${master}` }, 'master-keys=fail'],
    [token, { operatorListen: '127.0.0.1:0', operatorTokenFile: token }, 'operator-token=fail'],
  ] as const) {
    const told = await examine(install(t, url, settings).config)
    assert.deepEqual(problemsIn(told).toSorted(), [ill, ...well].toSorted())
    const found = told.json.checks.find(({ state }) => state === 'fail')
    assert.match(found?.cause ?? '', /takes the path of a file, and its value looks like a secret$/)
    for (let i = 0; i + 12 <= secret.length; i += 12)
      assert.ok(!(told.out + told.err).includes(secret.slice(i, i + 12)))
  }
  // a path with digits is shown if the file exists or has an extension
  const named = await examine(install(t, url, acme('keys/AuthKey_2X9R4HXF34.p8')).config)
  assert.match(findCheck(named, 'key-file').cause ?? '', /keys\/AuthKey_2X9R4HXF34\.p8: the file cannot be read/)
})

test('a settings file that cannot be read is a failure, not a missing file', async (t) => {
  const cwd = makeFolder(t)
  symlinkSync('vitrine.json', join(cwd, 'vitrine.json'))
  const out = await new Promise<string>((ok) =>
    execFile(resolve('bin/vitrine'), ['doctor'], { env: clean(), cwd, timeout: 30_000 }, (_, text) => ok(text)),
  )
  const [first] = JSON.parse(out).checks
  assert.deepEqual([first.id, first.state], ['settings', 'fail'])
  assert.match(first.cause, /vitrine\.json cannot be read \(ELOOP\)/)
})

test('each problem of the settings has its own fix', async (t) => {
  const folder = makeFolder(t)
  const config = join(folder, 'vitrine.json')
  const cureOf = async (text: string, env: Record<string, string> = {}) => {
    writeFileSync(config, text)
    return findCheck(await examine(config, [], env), 'settings').cure ?? ''
  }
  assert.match(await cureOf('{"listen": "127.0.0.1:0", // mine\n}'), /^Write it as JSON in UTF-8: .*without comments/)
  assert.match(await cureOf('{"operatorToken": "x"}'), /^Write operatorTokenFile instead of operatorToken\./)
  assert.match(await cureOf('{}', { VITRINE_HUNTER2: 'x' }), /^Remove VITRINE_HUNTER2\./)
  assert.match(findCheck(await examine(folder), 'settings').cure ?? '', /^Name the file in that folder\.$/)
  assert.match(findCheck(await examine(join(folder, 'no.json')), 'settings').cure ?? '', /--config or VITRINE_CONFIG/)
})

test('the fix for an address that the machine does not have is another address', async (t) => {
  const { url } = await start(t, platformWith())
  const told = await examine(install(t, url, { listen: '192.0.2.1:8080' }).config)
  assert.deepEqual(problemsIn(told), ['doors=fail', ...well])
  assert.equal(
    findCheck(told, 'doors').cure,
    'Set listen and operatorListen to two different addresses of this machine.',
  )
})
