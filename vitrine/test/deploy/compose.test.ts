// compose.yaml: privileges, networks and secrets.
import assert from 'node:assert/strict'
import test from 'node:test'
import { noYaml, read, readOne, type Tree } from './files.ts'

const skip = noYaml
const servicesOf = (file: string): [name: string, service: Tree][] =>
  Object.entries(readOne(file)['services'] as Record<string, Tree>)

test('every container has an unprivileged user, a memory limit, a read-only root and no capabilities', { skip }, () => {
  const all = [...servicesOf('compose.yaml'), ...servicesOf('compose.sandbox.yaml').filter(([, { image }]) => image)]
  assert.equal(all.length, 8)
  for (const [name, service] of all) {
    const { read_only: isReadOnly, cap_drop: dropped, security_opt: options, user } = service
    assert.deepEqual([isReadOnly, dropped, options], [true, ['ALL'], ['no-new-privileges:true']], name)
    assert.match(user ?? '', /^[1-9]\d*:[1-9]\d*$/, name)
    assert.ok(service['mem_limit'] && service['pids_limit'], name)
    assert.ok(!('privileged' in service) && !('cap_add' in service), name)
  }
})

test('only the balancer is published, and its operator port only on this machine', { skip }, () => {
  const published = servicesOf('compose.yaml').filter(([, { ports }]) => ports)
  assert.deepEqual(
    published.map(([name, { ports }]) => [name, ports]),
    [['balancer', ['443:8443', '127.0.0.1:8081:8081']]],
  )
  const compose = readOne('compose.yaml')
  const networks = compose['networks'] ?? ({} as Tree)
  const open = Object.keys(networks).filter((name) => !networks[name]?.internal)
  assert.deepEqual(open.sort(), ['edge', 'outside'])
  const on = (network: string) =>
    servicesOf('compose.yaml').flatMap(([name, one]) => (one.networks?.includes(network as never) ? [name] : []))
  assert.deepEqual(on('edge'), ['balancer'])
  assert.deepEqual(on('inner'), ['balancer', 'vitrine-1', 'vitrine-2'])
  assert.deepEqual(on('outside'), ['vitrine-1', 'vitrine-2'])
  assert.deepEqual(on('stores'), ['vitrine-1', 'vitrine-2', 'postgres', 'valkey'])
})

test('the balancer has memory for its maximum of connections', { skip }, () => {
  const [, most = ''] = /^global\n(?: .*\n)*? {2}maxconn (\d+)$/m.exec(read('deploy/haproxy.cfg')) ?? []
  const [, balancer] = servicesOf('compose.yaml').find(([name]) => name === 'balancer') ?? assert.fail()
  // 7,000 that had a TLS session and half a request took 50 kB each, and a request has two buffers of 16 kB
  assert.ok(Number.parseInt(balancer['mem_limit'] as never, 10) * 1_024 >= Number(most) * 82)
})

test('Valkey never evicts the shared counts of the replicas', { skip }, () => {
  const [, valkey] = servicesOf('compose.yaml').find(([name]) => name === 'valkey') ?? assert.fail()
  const command = valkey['command'] as unknown as string[]
  assert.equal(command[command.indexOf('--maxmemory-policy') + 1], 'noeviction')
  assert.match(read('docs/operations/sizing.md'), /^ {4}maxmemory-policy noeviction$/m)
})

test('only the network of the balancer is a trusted proxy', { skip }, () => {
  const compose = readOne('compose.yaml')
  const { trustedProxies } = JSON.parse(read('deploy/settings.json')) as { trustedProxies: string[] }
  assert.deepEqual(trustedProxies, [compose['networks']?.['inner']?.['ipam']?.['config']?.[0]?.['subnet']])
})

test('every secret is a file, is used by a container, and is created by make-secrets', { skip }, () => {
  const compose = readOne('compose.yaml')
  const secrets = Object.entries(compose['secrets'] ?? {})
  for (const [name, secret] of secrets) assert.deepEqual(secret, { file: `./secrets/${name}` })
  const used = servicesOf('compose.yaml').flatMap(([, service]) => (service.secrets ?? []) as string[])
  assert.deepEqual([...new Set(used)].sort(), secrets.map(([name]) => name).sort())
  const script = read('deploy/make-secrets')
  for (const [name] of secrets) assert.match(script, new RegExp(`(keep|-s) ${name}\\b`), name)
})
