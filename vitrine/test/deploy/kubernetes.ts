// Renders deploy/kubernetes, and checks objects against the types of Kubernetes: unknown members and wrong types are errors.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Tree } from './files.ts'

const { stdout: found } = spawnSync('kubectl', ['version', '--client'], { encoding: 'utf8' })
const [, minor = '0'] = /v1\.(\d+)/.exec(found ?? '') ?? []
/** system packages of kubectl may be too old for these manifests; CI has its own */
export const noKubectl =
  Number(minor) >= 27 || process.env['CI'] ? false : 'NOT TRIED: there is no kubectl of 1.27 or newer'

export const kustomize = () => spawnSync('kubectl', ['kustomize', 'deploy/kubernetes'], { encoding: 'utf8' })

const groups: Readonly<Record<string, string>> = {
  v1: 'core/v1',
  'apps/v1': 'apps/v1',
  'networking.k8s.io/v1': 'networking/v1',
  'policy/v1': 'policy/v1',
}

/** what the compiler says against the objects, with the types of the package kubernetes-types; empty if nothing */
export function typeErrors(objects: readonly Tree[]): string {
  const types = resolve('../node_modules/kubernetes-types')
  const lines = objects.map(({ apiVersion, kind, ...rest }, i) => {
    const type = `import('${types}/${groups[apiVersion]}.d.ts').${kind}`
    return `export const object${i}: ${type} = ${JSON.stringify({ apiVersion, kind, ...rest })}`
  })
  const folder = mkdtempSync(join(tmpdir(), 'kubernetes-types-'))
  try {
    const file = join(folder, 'objects.ts')
    writeFileSync(file, lines.join('\n'))
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--ignoreConfig', '--types', '', '--pretty', 'false']
    const { stdout, stderr } = spawnSync(resolve('../node_modules/.bin/tsc'), [...options, file], { encoding: 'utf8' })
    return stdout + stderr
  } finally {
    rmSync(folder, { recursive: true })
  }
}
