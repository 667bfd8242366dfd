// The chart, rendered by Helm: the same objects as deploy/kubernetes, and values that take effect.
import assert from 'node:assert/strict'
import test from 'node:test'
import { version } from '../../src/version.ts'
import { parseYaml, type Tree } from './files.ts'
import { helm, render, required, settingsIn, skip } from './helm.ts'
import { kustomize, noKubectl, typeErrors } from './kubernetes.ts'

function objectOf(objects: readonly Tree[], kind: string, name = 'vitrine'): Tree {
  return objects.find((one) => one['kind'] === kind && one['metadata'].name === name) ?? assert.fail(`${kind} ${name}`)
}

const podIn = (objects: readonly Tree[]): Tree => objectOf(objects, 'Deployment')['spec'].template
const containerIn = (objects: readonly Tree[]): Tree => podIn(objects)['spec'].containers[0]
/** every value has another than its default */
const everything = {
  image: { tag: '0.1.1', pullPolicy: 'Always', pullSecrets: [{ name: 'registry' }] },
  replicas: 3,
  secret: 'own-secret',
  settings: { trustedProxies: ['10.42.7.16/28'], upstream: { proxy: 'http://vitrine@proxy.internal:3128' } },
  caBundle: { configMap: 'company', key: 'bundle.pem' },
  resources: { requests: { cpu: '1' }, limits: { memory: '1Gi' } },
  service: { type: 'LoadBalancer', port: 8080, annotations: { internal: 'true' } },
  networkPolicy: {
    callers: [{ podSelector: { matchLabels: { app: 'caller' } } }],
    operators: [],
    egress: { store: { to: [{ ipBlock: { cidr: '10.0.0.7/32' } }], ports: [{ port: 6432 }] }, redis: null },
  },
  podAnnotations: { team: 'store' },
  nodeSelector: { 'kubernetes.io/arch': 'amd64' },
  tolerations: [{ key: 'dedicated', operator: 'Exists', effect: 'NoSchedule' }],
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' }, interval: '30s', tokenSecret: { name: 'token' } },
}

test('helm lint has no finding', { skip }, () => {
  const { stdout, stderr, status } = helm(['lint', '--strict', '--quiet', 'deploy/helm', '-f', required])
  assert.equal(status, 0, stdout + stderr)
  assert.doesNotMatch(stdout + stderr, /WARNING|ERROR/)
})

const helmLabels = ['instance', 'version', 'managed-by'].map((name) => `app.kubernetes.io/${name}`)

/** without labels of Helm and what names the settings; in an order of its own */
function comparable(objects: readonly Tree[]): Tree[] {
  const text = JSON.stringify(objects, (name, value: unknown) =>
    name === 'checksum/settings' || name === 'helm.sh/chart' || helmLabels.includes(name) ? undefined : value,
  ).replaceAll(/vitrine-settings-[a-z0-9]{10}\b/g, 'vitrine-settings')
  const plain = (JSON.parse(text) as Tree[]).map((one): Tree => {
    if (one['kind'] === 'ConfigMap') return { ...one, data: settingsIn([one]) }
    if (one['kind'] === 'Deployment') delete one['spec'].template.metadata.annotations
    if (one['spec']?.egress)
      one['spec'].egress.sort((a: Tree, b: Tree) => Number(a['ports'][0].port) - Number(b['ports'][0].port))
    return one
  })
  const key = ({ kind, metadata }: Tree) => `${kind} ${metadata.name}`
  return plain.sort((a, b) => (key(a) < key(b) ? -1 : 1))
}

test('the chart renders the objects of deploy/kubernetes', { skip: skip || noKubectl }, () => {
  const expected = comparable(parseYaml(kustomize().stdout))
  assert.equal(expected.length, 8)
  assert.deepEqual(comparable(render()), expected)
})

test('objects and selectors of two releases are apart, and labels say what they are of', { skip }, () => {
  const [one, other] = [render({}, 'one'), render({}, 'my-vitrine')]
  const names = (objects: readonly Tree[]) => objects.map(({ metadata }) => metadata.name as string)
  assert.ok(names(one).every((name) => name.startsWith('one-vitrine')))
  assert.ok(names(other).every((name) => name.startsWith('my-vitrine')))
  const selector = { 'app.kubernetes.io/name': 'vitrine', 'app.kubernetes.io/instance': 'one' }
  const found = JSON.stringify(one).match(/(?:"matchLabels"|"selector"):{[^{}]*kubernetes.io\/name":"vitrine"[^{}]*}/g)
  assert.equal(found?.length, 8)
  for (const text of found) assert.ok(text.endsWith(JSON.stringify(selector)), text)
  assert.deepEqual(objectOf(one, 'Deployment', 'one-vitrine')['spec'].template.metadata.labels, selector)
  for (const { metadata } of one)
    assert.deepEqual(metadata.labels, {
      ...selector,
      'app.kubernetes.io/version': version,
      'app.kubernetes.io/managed-by': 'Helm',
      'helm.sh/chart': `vitrine-${version}`,
    })
  const long = names(render({}, 'a'.repeat(53)))
  assert.ok(long.every((name) => name.length <= 63) && new Set(long).size === new Set(names(one)).size)
})

test('objects are of types of Kubernetes, with the fewest and with all values', { skip }, () => {
  const objects = [...render(), ...render(everything).filter(({ kind }) => kind !== 'ServiceMonitor')]
  assert.equal(typeErrors(objects), '')
})

test('every value takes effect', { skip }, () => {
  const objects = render(everything)
  const pod = podIn(objects)['spec'] as Tree
  const { image, imagePullPolicy, resources, env } = containerIn(objects)
  assert.deepEqual([image, imagePullPolicy], ['registry.example.com/vitrine:0.1.1', 'Always'])
  assert.deepEqual(pod['imagePullSecrets'], [{ name: 'registry' }])
  assert.equal(objectOf(objects, 'Deployment')['spec'].replicas, 3)
  const settings = settingsIn(objects) as Tree
  assert.deepEqual(settings['trustedProxies'], ['10.42.7.16/28'])
  assert.deepEqual(resources, { requests: { cpu: '1', memory: '256Mi' }, limits: { memory: '1Gi' } })
  const { nodeSelector, tolerations, affinity, podAnnotations } = everything
  assert.partialDeepStrictEqual(pod, { nodeSelector, tolerations, affinity })
  assert.partialDeepStrictEqual(podIn(objects)['metadata'].annotations, podAnnotations)

  assert.deepEqual(env, [{ name: 'NODE_EXTRA_CA_CERTS', value: '/etc/vitrine-ca/ca.crt' }])
  const volumes = (pod['volumes'] as Tree[]).slice(1)
  assert.deepEqual(volumes, [
    { name: 'secrets', secret: { secretName: 'own-secret', defaultMode: 0o400 } },
    { name: 'ca-bundle', configMap: { name: 'company', items: [{ key: 'bundle.pem', path: 'ca.crt' }] } },
  ])
  assert.deepEqual(containerIn(objects)['volumeMounts'].at(-1), {
    name: 'ca-bundle',
    mountPath: '/etc/vitrine-ca',
    readOnly: true,
  })

  const service = objectOf(objects, 'Service')
  assert.deepEqual(service['metadata'].annotations, { internal: 'true' })
  assert.deepEqual([service['spec'].type, service['spec'].ports[0].port], ['LoadBalancer', 8080])
  const { callers, egress } = everything.networkPolicy
  // nobody in operators: a rule without peers would allow everybody
  assert.deepEqual(objectOf(objects, 'NetworkPolicy', 'vitrine-in')['spec'].ingress, [
    { from: callers, ports: [{ port: 'public' }] },
  ])
  const rules = objectOf(objects, 'NetworkPolicy', 'vitrine-out')['spec'].egress as Tree[]
  assert.deepEqual(
    rules.map(({ ports }) => ports[0].port),
    [53, 443, 6432],
  )
  assert.deepEqual(rules.at(-1), egress.store)

  const monitor = objectOf(objects, 'ServiceMonitor')
  assert.equal(monitor['metadata'].labels.release, 'prometheus')
  assert.deepEqual(monitor['spec'].endpoints, [
    {
      port: 'operator',
      path: '/metrics',
      interval: '30s',
      authorization: { credentials: { name: 'token', key: 'token' } },
    },
  ])
})

test('a digest replaces the tag, and network policies can be left out', { skip }, () => {
  const digest = `sha256:${'0a'.repeat(32)}`
  const objects = render({ image: { tag: '0.1.1', digest }, networkPolicy: { enabled: false } })
  assert.equal(containerIn(objects)['image'], `registry.example.com/vitrine@${digest}`)
  assert.ok(!objects.some(({ kind }) => kind === 'NetworkPolicy'))
})

test('a change of the settings, and only that, is rolled out', { skip }, () => {
  const before = podIn(render())
  const after = podIn(render({ settings: { log: 'problems' } }))
  assert.deepEqual(podIn(render({ replicas: 5, service: { port: 81 }, networkPolicy: { enabled: false } })), before)
  assert.notEqual(
    after['metadata'].annotations['checksum/settings'],
    before['metadata'].annotations['checksum/settings'],
  )
  assert.deepEqual(after['spec'], before['spec'])
})

test('the notes after an installation name what the release has', { skip }, () => {
  const values = ['-f', required, '--set', 'secret=own-secret']
  const { stdout } = helm(['install', 'one', 'deploy/helm', '-n', 'store', '--dry-run=client', ...values])
  const [, notes = ''] = stdout.split('NOTES:')
  for (const part of [
    'create secret generic own-secret ',
    'rollout status deployment/one-vitrine\n',
    'port-forward service/one-vitrine-operator 8081\n',
  ])
    assert.ok(notes.includes(`kubectl -n store ${part}`), part)
  assert.match(notes, /http:\/\/one-vitrine\.store:80\//)
})
