// The manifests: the types of Kubernetes, its profile "restricted", and matching selectors.
import assert from 'node:assert/strict'
import test from 'node:test'
import { namesIn, noYaml, read, readOne, readYaml, type Tree } from './files.ts'
import { kustomize, noKubectl, typeErrors } from './kubernetes.ts'

const skip = noYaml
const manifests = [
  'deployment',
  'disruption-budget',
  'network-policies',
  'secret.example',
  'service-account',
  'services',
]
const all = (): Tree[] => manifests.flatMap((name) => [...readYaml(`kubernetes/${name}.yaml`)])
const podOf = (): Tree => readOne('kubernetes/deployment.yaml')['spec'].template.spec as Tree

test('every object is of a type of Kubernetes, and wrong objects are not', { skip }, () => {
  assert.equal(typeErrors(all()), '')
  const budget = readOne('kubernetes/disruption-budget.yaml')
  const wrong = (spec: Tree) => typeErrors([{ ...budget, spec: { ...budget['spec'], ...spec } }])
  assert.match(wrong({ maxUnavailabel: 1 }), /'"maxUnavailabel"' does not exist in type 'PodDisruptionBudgetSpec'/)
  assert.match(wrong({ selector: { matchLabels: { app: 1 } } }), /'number' is not assignable to type 'string'/)
  assert.deepEqual(
    all().map(({ kind, apiVersion }) => `${apiVersion} ${kind}`),
    [
      'apps/v1 Deployment',
      'policy/v1 PodDisruptionBudget',
      'networking.k8s.io/v1 NetworkPolicy',
      'networking.k8s.io/v1 NetworkPolicy',
      'v1 Secret',
      'v1 ServiceAccount',
      'v1 Service',
      'v1 Service',
    ],
  )
  for (const { metadata } of all()) assert.equal(metadata.namespace, undefined)
})

test('a pod meets the profile "restricted", has a read-only root and no access to the Kubernetes API', { skip }, () => {
  const pod = podOf()
  const { runAsNonRoot, runAsUser, seccompProfile } = pod['securityContext']
  assert.deepEqual([runAsNonRoot, runAsUser, seccompProfile], [true, 65_532, { type: 'RuntimeDefault' }])
  for (const { securityContext, resources } of pod['containers']) {
    assert.deepEqual(securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    assert.ok(resources.requests.memory && resources.requests.cpu && resources.limits.memory)
  }
  assert.equal(pod['automountServiceAccountToken'], false)
  assert.equal(readOne('kubernetes/service-account.yaml')['automountServiceAccountToken'], false)
  for (const name of ['hostNetwork', 'hostPID', 'hostPath', 'env', 'envFrom', 'preStop'])
    assert.ok(!namesIn(pod).includes(name))
  assert.equal(pod['enableServiceLinks'], false)
})

test('the user of the image is the user of the pod, of compose.yaml and of make-secrets', { skip }, () => {
  assert.match(read('deploy/Containerfile'), /^USER 65532:65532$/m)
  assert.match(read('deploy/compose.yaml'), /user: '65532:65532'/)
  assert.match(read('deploy/make-secrets'), /service=65532 /)
})

test('every selector matches the pods, and every target port exists', { skip }, () => {
  const deployment = readOne('kubernetes/deployment.yaml')
  const ours = { 'app.kubernetes.io/name': 'vitrine' }
  const { labels } = deployment['spec'].template.metadata as Tree
  assert.equal(labels['app.kubernetes.io/name'], 'vitrine')
  const budget = readOne('kubernetes/disruption-budget.yaml')
  const selectors = [deployment['spec'].selector.matchLabels, budget['spec'].selector.matchLabels]
  const policies = readYaml('kubernetes/network-policies.yaml')
  for (const { spec } of policies) selectors.push(spec.podSelector.matchLabels)
  for (const { spec } of readYaml('kubernetes/services.yaml')) selectors.push(spec.selector)
  for (const { labelSelector } of podOf()['topologySpreadConstraints']) selectors.push(labelSelector.matchLabels)
  assert.deepEqual(
    selectors,
    Array.from({ length: 8 }, () => ours),
  )
  const ports = (podOf()['containers'][0].ports as Tree[]).map(({ name, containerPort }) => [name, containerPort])
  assert.deepEqual(ports, [
    ['public', 8080],
    ['operator', 8081],
  ])
  const asked = readYaml('kubernetes/services.yaml').map(({ spec }) => spec.ports[0].targetPort)
  assert.deepEqual(asked, ['public', 'operator'])
})

test(
  'only labelled pods reach the public and the operator port, and platform calls leave private networks',
  { skip },
  () => {
    const [into, out] = [0, 1].map((at) => readOne('kubernetes/network-policies.yaml', at)) as [Tree, Tree]
    const rules = (into['spec'].ingress as Tree[]).map(({ from, ports }) => [ports[0].port, from.length])
    assert.deepEqual(rules, [
      ['public', 1],
      ['operator', 2],
    ])
    for (const { from } of into['spec'].ingress) for (const one of from) assert.ok(Object.keys(one).length === 1)
    const egress = out['spec'].egress as Tree[]
    assert.deepEqual(
      egress.map(({ ports }) => ports[0].port),
      [53, 5432, 6379, 443],
    )
    assert.ok(egress.at(-1)?.['to'][0].ipBlock.except.includes('10.0.0.0/8'))
  },
)

test('kustomize joins the manifests without changing the selectors of policies', { skip: noKubectl }, () => {
  const { stdout, stderr, status } = kustomize()
  assert.equal(status, 0, stderr)
  assert.equal(stdout.match(/^kind: /gm)?.length, 8)
  assert.match(stdout, /podSelector:\n +matchLabels:\n +app: postgres\n/)
  assert.doesNotMatch(stdout, /app: postgres\n +app/)
  assert.match(stdout, /vitrine.json: \|/)
  assert.doesNotMatch(stdout, /kind: Secret/)
})
