// Renders the chart with Helm.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { noYaml, parseYaml, type Tree } from './files.ts'

const { stdout: found } = spawnSync('helm', ['version', '--short'], { encoding: 'utf8' })
// Helm 3 renders the same, and says otherwise what is wrong with a value
const noHelm = (found ?? '').startsWith('v4.') || process.env['CI'] ? false : 'NOT TRIED: there is no helm of version 4'
export const skip = noYaml || noHelm
/** the values without a default */
export const required = 'deploy/helm/values.example.yaml'

export const helm = (args: readonly string[], input = '') => spawnSync('helm', args, { input, encoding: 'utf8' })
export const template = (values: Tree, release = 'vitrine', files = ['-f', required]) =>
  helm(['template', release, 'deploy/helm', ...files, '-f', '-'], JSON.stringify(values))

export function render(values: Tree = {}, release?: string): readonly Tree[] {
  const { stdout, stderr } = template(values, release)
  return parseYaml(stdout || assert.fail(stderr))
}

/** what the service reads */
export const settingsIn = (objects: readonly Tree[]): unknown =>
  JSON.parse(objects.find(({ kind }) => kind === 'ConfigMap')?.['data']['vitrine.json'])
