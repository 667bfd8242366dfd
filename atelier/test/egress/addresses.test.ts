// Which addresses and names the proxy takes, typed by hand.
import assert from 'node:assert/strict'
import test from 'node:test'
import { createAddressRule, readNetwork } from '../../src/egress/addresses.ts'
import { isWithin, matchesAny, readHostName, readHostPattern } from '../../src/egress/host-names.ts'

const refused = `
0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.100.100.200 100.127.255.255 127.0.0.1 127.255.255.254 168.63.129.16
169.254.0.1 169.254.169.254 169.254.170.2 172.16.0.1 172.31.255.255 192.0.0.8 192.0.0.192 192.0.2.1 192.88.99.1 192.168.0.1
192.168.255.255 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
:: ::1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:8.8.8.8 ::ffff:0808:0808 ::127.0.0.1 ::7f00:1 ::ffff:0:7f00:1 64:ff9b::7f00:1
64:ff9b::8.8.8.8 64:ff9b:1::a00:1 100::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:10::1 2001:20::1 2001:db8::1
2002:7f00:1::1 2002:808:808::1 3fff::1 4000::1 5f00::1 fc00::1 fd00::1 fd00:ec2::254 fd20:ce::254 fe80::1 fe80::1%eth0 febf::1
fec0::1 ff02::1 ff0e::1 2606:4700::1111%lo 127.1 0x7f000001 2130706433 017700000001 localhost
`

const allowed = `
1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.1 100.63.255.255 100.128.0.1 126.255.255.255 128.0.0.1 169.253.255.255 169.255.0.1
172.15.255.255 172.32.0.1 192.0.1.1 192.167.255.255 192.169.0.1 198.17.255.255 198.20.0.1 223.255.255.255
2001:200::1 2001:4860:4860::8888 2400:cb00::1 2606:4700::1111 2a00:1450:4001::1 2003::1
`

const words = (text: string) => text.split(/\s+/).filter(Boolean)

test('addresses that are not public are refused in every form, and public ones are taken', () => {
  const rule = createAddressRule([])
  assert.deepEqual(words(refused).filter(rule), [])
  assert.deepEqual(
    words(allowed).filter((one) => !rule(one)),
    [],
  )
})

test('an operator opens networks, but never those that hand out credentials', () => {
  const rule = createAddressRule(['10.0.3.0/24', 'fd12:3456::/48', '160.0.0.0/4', '168.0.0.0/6'])
  for (const address of ['10.0.3.7', 'fd12:3456::1', '8.8.8.8']) assert.ok(rule(address), address)
  for (const address of [
    '10.0.4.1',
    'fd12:3457::1',
    '169.254.169.254',
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
    '::ffff:10.0.3.7',
    '127.0.0.1',
  ])
    assert.ok(!rule(address), address)
  for (const text of ['10.0.0.0/8', '127.0.0.0/8', 'fd00::/8', '192.168.1.1/32']) assert.equal(readNetwork(text), text)
  const wrong =
    '169.254.0.0/16 169.254.169.254/32 fe80::/10 fd00:ec2::/32 0.0.0.0/0 ::/0 10.0.0.0 10.0.0.0/33 10.0.0.0/08 ::ffff:10.0.0.0/104 x/8'
  for (const text of words(wrong)) assert.equal(readNetwork(text), undefined, text)
})

test('a host is a name, and never an address in whatever form', () => {
  for (const name of ['api.example.com', 'localhost', 'a', 'xn--bcher-kva.example', '1.example', '3com.com'])
    assert.equal(readHostName(name), name)
  assert.equal(readHostName('API.Example.COM'), 'api.example.com')
  const addresses = '127.0.0.1 127.1 2130706433 0x7f000001 0x7f.1 0177.0.0.1 1.2.3.4.5 a.0x a.1 [::1] ::1'
  const forms = '. a. .a a..b -a.b a-.b a_b.c a/b a@b a:1 bücher.example * *.a.b a%00b'
  const long = [`${'a'.repeat(64)}.b`, Array(130).fill('aa').join('.')]
  const wrong = ['', 'a b', 'a\nb', 'a.b\n', ...words(addresses), ...words(forms), ...long]
  for (const name of wrong) assert.equal(readHostName(name), undefined, name)
})

test('a pattern with a star stands for every name below a domain of two labels or more', () => {
  assert.equal(readHostPattern('*.PyPI.org'), '*.pypi.org')
  for (const wrong of ['*', '*.', '*.com', '*.*.com', 'a.*.com', '*a.com', '*.1.2', '*.10.0.0.1'])
    assert.equal(readHostPattern(wrong), undefined, wrong)
  const hosts = ['api.example.com', '*.pypi.org']
  for (const host of ['api.example.com', 'files.pypi.org', 'a.b.pypi.org']) assert.ok(matchesAny(hosts, host), host)
  for (const host of [
    'example.com',
    'x.api.example.com',
    'pypi.org',
    'evilpypi.org',
    'pypi.org.evil.com',
    '.pypi.org.',
  ])
    assert.ok(!matchesAny(hosts, host), host)
})

test('what a caller asks for lies within what the operator allows', () => {
  const operator = ['*.example.com', 'pypi.org']
  for (const one of ['a.example.com', '*.example.com', '*.a.example.com', 'pypi.org'])
    assert.ok(isWithin(operator, one))
  for (const one of ['example.com', '*.pypi.org', 'a.pypi.org', '*.ample.com', '*.com'])
    assert.ok(!isWithin(operator, one))
  assert.ok(isWithin(['*'], '*.anything.example') && !isWithin([], 'a.example.com'))
})
