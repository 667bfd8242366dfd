// Values of the chart that its schema and its templates refuse, and those that they require.
import assert from 'node:assert/strict'
import test from 'node:test'
import { settingsTable } from '../../src/settings.ts'
import { read, type Tree } from './files.ts'
import { render, settingsIn, skip, template } from './helm.ts'

test('the schema has every setting and no other', () => {
  const schema = JSON.parse(read('deploy/helm/values.schema.json')) as Tree
  const { properties } = schema['properties'].settings as { properties: Readonly<Record<string, Tree>> }
  const names = Object.entries(properties).flatMap(([name, { properties: inner }]) =>
    inner ? Object.keys(inner as Tree).map((one) => `${name}.${one}`) : [name],
  )
  assert.deepEqual(names.toSorted(), Object.keys(settingsTable).toSorted())
})

/** each example of a setting, in the form of a settings file */
function exampleSettings(): Tree {
  const fixed: Tree = { operatorListen: '[::]:8081', redis: 'rediss://vitrine@valkey:6379' }
  const tree: Record<string, Record<string, unknown>> = {}
  for (const [name, { example }] of Object.entries(settingsTable)) {
    const [section = '', inner] = name.split('.')
    if (inner === undefined) tree[section] = fixed[name] ?? example
    else tree[section] = { ...tree[section], [inner]: example }
  }
  return { ...tree, audit: { ...tree['audit'], lines: 1_000_000_000 } }
}

test('settings arrive as they are given', { skip }, () => {
  const settings = exampleSettings()
  assert.deepEqual(settingsIn(render({ settings })), settings)
})

test('values without a default must be given, and Redis need not be', { skip }, () => {
  const { stderr } = template({}, 'vitrine', [])
  for (const missing of [/'\/image': missing property 'repository'/, /'\/settings': missing property 'store'/])
    assert.match(stderr, missing)
  assert.match(stderr, /properties 'redis' required, if 'redisPasswordFile' exists/)
  const [image, store] = [{ repository: 'localhost/vitrine' }, 'postgres://vitrine@postgres/vitrine']
  const { stdout, status } = template({ image, settings: { store, redisPasswordFile: null } }, 'vitrine', [])
  assert.equal(status, 0)
  assert.doesNotMatch(stdout, /redis-password/)
})

const peer = { podSelector: {} }
/** wrong values, and what the refusal names */
const wrongValues: readonly (readonly [values: Tree, place: string, why: RegExp])[] = [
  [{ replica: 3 }, '', /'replica' not allowed/],
  [{ replicas: '3' }, '/replicas', /want integer/],
  [{ replicas: 0 }, '/replicas', /minimum/],
  [{ secret: null }, '', /missing property 'secret'/],
  [{ secret: 7 }, '/secret', /want string/],
  [{ image: { repository: 'vitrine' } }, '/image/repository', /'vitrine' does not match/],
  [{ image: { repository: 'registry.example.com/vitrine:0.1.0' } }, '/image/repository', /does not match/],
  [{ image: { tag: 0.1 } }, '/image/tag', /want string/],
  [{ image: { digest: 'sha256:1234' } }, '/image/digest', /does not match/],
  [{ image: { pullPolicy: 'always' } }, '/image/pullPolicy', /must be one of/],
  [{ image: { pullSecrets: ['registry'] } }, '/image/pullSecrets/0', /want object/],
  [{ settings: { lisen: '' } }, '/settings', /'lisen' not allowed/],
  [{ settings: { listen: '0.0.0.0:80' } }, '/settings/listen', /must be '0.0.0.0:8080'/],
  [{ settings: { operatorListen: 'off' } }, '/settings/operatorListen', /does not match/],
  [{ settings: { store: 'sqlite:data.db' } }, '/settings/store', /does not match/],
  [{ settings: { drainSeconds: '5' } }, '/settings/drainSeconds', /want integer/],
  [{ settings: { upstream: { timeout: 1 } } }, '/settings/upstream', /'timeout' not allowed/],
  [{ settings: { connections: { a: { privateKey: '' } } } }, '/settings/connections/a', /'privateKey' not allowed/],
  [{ caBundle: { secret: 'a' } }, '/caBundle', /'secret' not allowed/],
  [{ resources: { request: {} } }, '/resources', /'request' not allowed/],
  [{ service: { type: 'ExternalName' } }, '/service/type', /must be one of/],
  [{ service: { annotations: { internal: true } } }, '/service/annotations/internal', /want string/],
  [{ networkPolicy: { callers: [{}] } }, '/networkPolicy/callers/0', /minProperties/],
  [{ networkPolicy: { callers: { ...peer } } }, '/networkPolicy/callers', /want array/],
  [{ networkPolicy: { egress: { store: { to: [] } } } }, '/networkPolicy/egress/store/to', /minItems/],
  [{ networkPolicy: { egress: { proxy: { to: [peer] } } } }, '/networkPolicy/egress/proxy', /'ports'/],
  [{ podAnnotations: { port: 1 } }, '/podAnnotations/port', /want string/],
  [{ nodeSelector: [] }, '/nodeSelector', /want object/],
  [{ tolerations: [{ effekt: 'NoSchedule' }] }, '/tolerations/0', /'effekt' not allowed/],
  [{ affinity: { node: {} } }, '/affinity', /'node' not allowed/],
  [{ serviceMonitor: { enabled: true } }, '/serviceMonitor/tokenSecret/name', /minLength/],
  [{ serviceMonitor: { interval: '15' } }, '/serviceMonitor/interval', /does not match/],
]

test('wrong values are refused, and the refusal names the value', { skip }, () => {
  for (const [values, place, why] of wrongValues) {
    const { stdout, stderr } = template(values)
    const said = stderr.split('\n').find((line) => line.includes(`at '${place}': `) && why.test(line))
    assert.ok(said !== undefined && stdout === '', `${JSON.stringify(values)}: ${stderr}`)
  }
})

test('the name of an egress rule adds no rule', { skip }, () => {
  const rule = { to: [peer], ports: [{ port: 3128 }] }
  const objects = render({ networkPolicy: { egress: { 'proxy\n    - {}': rule } } })
  const { spec } = objects.find(({ metadata }) => metadata.name === 'vitrine-out') ?? assert.fail()
  assert.ok(spec.egress.every(({ to, ports }: Tree) => to && ports))
})

test('a password in an address is refused and not repeated', { skip }, () => {
  for (const [name, settings] of [
    ['store', { store: 'postgres://vitrine:hunter2@postgres/vitrine' }],
    ['store', { store: 'postgres://vitrine@postgres/vitrine?sslmode=require&password=hunter2' }],
    ['store', { store: 'postgres://vitrine:hun?ter2@postgres/vitrine' }],
    ['store', { store: 'postgres://vitrine@postgres/vitrine?p%61ssword=hunter2' }],
    ['store', { store: 'postgres://vitrine@postgres/vitrine?sslpassword=hunter2' }],
    ['store', { store: 'postgres://vitrine@corp:hunter2@postgres/vitrine' }],
    ['store', { store: 'postgres://vitrine:hun\nter2@postgres/vitrine' }],
    ['redis', { redis: 'rediss://:hunter2@valkey:6379' }],
    ['upstream.proxy', { upstream: { proxy: 'http://vitrine:hun/ter2@proxy:3128' } }],
    ['upstream.proxy', { upstream: { proxy: 'http:///vitrine:hunter2@proxy:3128' } }],
  ] as const) {
    const { stdout, stderr } = template({ settings })
    assert.match(
      stderr,
      new RegExp(`settings\\.${name} has a password in it: put it into the secret vitrine-secrets and name`),
    )
    assert.match(stderr, new RegExp(`its file in ${name}PasswordFile`))
    assert.doesNotMatch(stdout + stderr, /ter2/)
  }
  const [store, redis] = [
    'postgres://vitrine@[fd00::1]:5432/vitrine?sslmode=verify-full',
    'rediss://vitrine@valkey:6379',
  ]
  const given = { store, redis, upstream: { proxy: 'http://vitrine@[::1]:3128' } }
  const rendered = settingsIn(render({ settings: given })) as Tree
  assert.deepEqual([rendered['store'], rendered['redis'], rendered['upstream']], [store, redis, given.upstream])
})
