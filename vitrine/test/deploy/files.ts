// Reads the files of deploy/, and the workflows, with an independent parser.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'

const script = `import json, sys, yaml
loader = getattr(yaml, 'CSafeLoader', yaml.SafeLoader)
read = lambda file: [one for one in yaml.load_all(open(0 if file == '-' else file), loader) if one]
json.dump({file: read(file) for file in sys.argv[1:]}, sys.stdout)`

const parse = (python: string, paths: readonly string[], input = '') =>
  spawnSync(python, ['-c', script, ...paths], { input, encoding: 'utf8', timeout: 30_000 })

const files = globSync(['deploy/**/*.yaml', '../.github/workflows/*.yml'], { exclude: ['deploy/helm/templates/**'] })
const [found] = ['python3', '/usr/bin/python3']
  .map((python) => ({ python, parsed: parse(python, files) }))
  .filter(({ parsed: { status, stderr } }) => status === 0 || /yaml\.\w+\.\w+Error/.test(stderr))
const parsed = found?.parsed

/** a reason to skip, or false; in CI the parser is required */
export const noYaml: string | false =
  parsed || process.env['CI'] ? false : 'NOT TRIED: there is no python3 with the module yaml (python3-yaml)'

/** a parsed document of any content */
// oxlint-disable-next-line typescript/no-explicit-any
export type Tree = Readonly<Record<string, any>>

/** `file` starts in deploy/, or with `../` in vitrine/ */
export function readYaml(file: string): readonly Tree[] {
  if (parsed?.status !== 0) throw new Error(parsed?.stderr ?? 'there is no python3 with the module yaml')
  const path = file.startsWith('../') ? file.replace('../examples/', 'examples/') : `deploy/${file}`
  const found = (JSON.parse(parsed.stdout) as Record<string, Tree[]>)[path]
  if (!found) throw new Error(`there is no ${path}`)
  return found
}

/** the documents of a text */
export function parseYaml(text: string): readonly Tree[] {
  const { stdout, stderr } = parse(found?.python ?? 'python3', ['-'], text)
  return (JSON.parse(stdout || assert.fail(stderr)) as Record<string, Tree[]>)['-'] ?? []
}

/** one of the objects in a file */
export function readOne(file: string, at = 0): Tree {
  const found = readYaml(file)[at]
  if (!found) throw new Error(`there is no object ${at} in deploy/${file}`)
  return found
}

/** a reason to skip tests that need a system program */
export function without(program: string, ...args: string[]): string | false {
  const isThere = spawnSync(program, args, { stdio: 'ignore' }).status === 0
  return isThere || process.env['CI'] ? false : `NOT TRIED: ${program} is not installed`
}

export const read = (file: string): string => readFileSync(file, 'utf8')

/** every name of a tree */
export const namesIn = (tree: unknown): string[] =>
  typeof tree !== 'object' || tree === null
    ? []
    : Object.entries(tree).flatMap(([name, one]) => [...(Array.isArray(tree) ? [] : [name]), ...namesIn(one)])
