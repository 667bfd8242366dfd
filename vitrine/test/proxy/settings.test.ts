// Which way a call takes, what is wrong with settings, and that changed files count.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { after } from 'node:test'
import { makeIdentity } from '../../../base/test/certificates.ts'
import { withPasswords } from '../../src/commands/passwords.ts'
import { readOutbound } from '../../src/platform/proxy/outbound.ts'
import { readSettings } from '../../src/settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'vitrine-proxy-'))
after(() => rmSync(folder, { recursive: true }))
const { cert, key } = makeIdentity({ name: 'An authority' })
const write = (name: string, text: string) => (writeFileSync(join(folder, name), text), name)

const outbound = (upstream: object, env = {}) => readOutbound(readSettings({ upstream }, {}), { folder, env })
const wayTo = (url: string, upstream: object, env = {}) => {
  const { proxy } = outbound(upstream, env).to(new URL(url))
  return proxy && `${proxy.secure ? 'https' : 'http'} ${proxy.host} ${proxy.port} ${proxy.authorization ?? '-'}`
}

const platform = 'https://api.appstoreconnect.apple.com'

test('the address of a proxy gives its host, port and credentials', () => {
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
  for (const [proxy, expected] of [
    ['http://proxy.internal:3128', 'http proxy.internal 3128 -'],
    ['http://proxy.internal', 'http proxy.internal 80 -'],
    ['https://proxy.internal', 'https proxy.internal 443 -'],
    ['http://[fd00::9]:8080', 'http fd00::9 8080 -'],
    ['http://me@proxy.internal:3128', `http proxy.internal 3128 ${basic('me:')}`],
    ['http://me:a%3Ab%20%C3%A9@proxy.internal:3128', `http proxy.internal 3128 ${basic('me:a:b é')}`],
  ] as const)
    assert.equal(wayTo(platform, { proxy }), expected)
  assert.equal(wayTo('http://127.0.0.1:9', { proxy: 'http://proxy.internal' }), undefined)
  assert.equal(wayTo(platform, {}, { HTTPS_PROXY: 'http://proxy.internal' }), undefined)
})

test('the environment counts if it is asked for, the lower-case name first', () => {
  const proxy = 'environment'
  assert.equal(wayTo(platform, { proxy }, {}), undefined)
  assert.equal(wayTo(platform, { proxy }, { HTTPS_PROXY: '' }), undefined)
  assert.equal(wayTo(platform, { proxy }, { HTTPS_PROXY: 'one:1' }), 'http one 1 -')
  assert.equal(wayTo(platform, { proxy }, { HTTPS_PROXY: 'http://one:1', https_proxy: 'http://two:2' }), 'http two 2 -')
  assert.equal(wayTo(platform, { proxy }, { HTTPS_PROXY: 'http://one:1', NO_PROXY: 'x, apple.com' }), undefined)
  assert.equal(wayTo(platform, { proxy }, { HTTPS_PROXY: 'http://one:1', NO_PROXY: '<local>' }), 'http one 1 -')
  assert.equal(wayTo(platform, { proxy: 'http://three:3' }, { NO_PROXY: '*' }), 'http three 3 -')
})

test('hosts without a proxy are names with all below them, addresses, networks, and ports', () => {
  const isDirect = (noProxy: string, url: string) =>
    wayTo(url, { proxy: 'http://proxy.internal', noProxy: [noProxy] }) === undefined
  for (const [host, url, expected] of [
    ['apple.com', 'https://api.apple.com', true],
    ['.apple.com', 'https://api.apple.com', true],
    ['.apple.com', 'https://apple.com', true],
    ['*.apple.com', 'https://a.b.apple.com', true],
    ['APPLE.com.', 'https://api.apple.com.', true],
    ['apple.com', 'https://pineapple.com', false],
    ['apple.com:8443', 'https://apple.com', false],
    ['apple.com:443', 'https://apple.com', true],
    ['10.0.0.0/8', 'https://10.9.8.7', true],
    ['10.0.0.0/8', 'https://11.9.8.7', false],
    ['10.9.8.7', 'https://10.9.8.7:9', true],
    ['9.8.7', 'https://10.9.8.7', false],
    ['fd00::/8', 'https://[fd12::1]', true],
    ['fd12::1', 'https://[fd12:0::1]', true],
    ['[fd12::1]:443', 'https://[fd12::1]', true],
    ['[fd12::1]:444', 'https://[fd12::1]', false],
    ['*', 'https://anything.example', true],
  ] as const)
    assert.equal(isDirect(host, url), expected, `${host} ${url}`)
})

test('wrong settings are refused with the setting and the reason, and without the password', () => {
  for (const proxy of ['socks5://h:1', 'proxy:3128', 'http://h/path', 'http://me:hush%@h', 'ftp://me:hush@h', 7])
    assert.throws(
      () => outbound({ proxy }),
      ({ message }: Error) => /upstream\.proxy.*must be http:\/\/HOST:PORT/.test(message) && !message.includes('hush'),
    )
  assert.throws(
    () => outbound({ proxy: 'environment' }, { HTTPS_PROXY: 'socks5://me:hush@h:1' }),
    ({ message }: Error) => message.startsWith('HTTPS_PROXY: must be') && !message.includes('hush'),
  )
  for (const noProxy of ['10.0.0.0/33', '10.0.0/8', 'a/8', ':80', '::zz'])
    assert.throws(() => outbound({ noProxy: [noProxy] }), /upstream\.noProxy/, noProxy)
})

test('a file of authorities is checked, and the reason names it', () => {
  const pem = String(key.export({ type: 'pkcs8', format: 'pem' }))
  for (const [name, text, reason] of [
    ['empty.pem', '', /empty\.pem: it holds no certificate in PEM/],
    ['der.cer', '\u0030\u0082', /it holds no certificate in PEM/],
    ['cut.pem', cert.slice(0, 200), /it ends within a certificate/],
    ['second.pem', `${cert}${cert.replace(/\n[A-Za-z0-9+/]{64}\n/, '\n')}`, /its certificate number 2 is damaged/],
    ['key.pem', `${cert}${pem}`, /it holds a private key/],
  ] as const)
    assert.throws(() => outbound({ caFile: write(name, text) }), reason)
  assert.throws(
    () => outbound({ caFile: 'none.pem' }),
    /^Error: upstream\.caFile: none\.pem: cannot be read \(ENOENT\)$/,
  )
  assert.equal(outbound({ caFile: write('two.pem', `# one\n${cert}\n# two\n${cert}`) }).authorities, 2)
})

test('the password of the proxy comes from its file, and only for an address with a user', () => {
  const given = (proxy: string) =>
    withPasswords(readSettings({ upstream: { proxy, proxyPasswordFile: write('pw', 'a:b @/\n') } }, {}), folder)
  const settings = given('http://me@proxy.internal:3128')
  const { proxy } = readOutbound(settings, { folder, env: {} }).to(new URL(platform))
  assert.equal(proxy?.authorization, `Basic ${Buffer.from('me:a:b @/').toString('base64')}`)
  for (const address of ['http://proxy.internal:3128', 'environment'])
    assert.throws(
      () => given(address),
      /proxyPasswordFile: it is the password of upstream\.proxy, which is not http:\/\/USER@/,
    )
  assert.throws(() => given('http://me:hush@proxy.internal'), /has a password already/)
})
