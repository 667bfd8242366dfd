// The blocks of commands that the pages of a service print: indented or fenced, without settings, code and output.
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'

export interface CommandBlock {
  /** the page and the first line that is no comment, as tests name it */
  readonly name: string
  /** the lines that a reader pastes */
  readonly text: string
}

const shells = new Set(['sh', 'bash', 'console', 'shell'])

function* blocksOf(page: string): Generator<{ readonly language: string | undefined; readonly lines: string[] }> {
  const lines = page.split('\n')
  for (let at = 0; at < lines.length; at += 1) {
    const [, indent = '', language] = /^( *)```(\w*)$/.exec(lines[at] ?? '') ?? []
    if (language !== undefined) {
      const end = lines.findIndex((line, i) => i > at && line === `${indent}\`\`\``)
      yield { language: language || undefined, lines: lines.slice(at + 1, end) }
      at = end
    } else if (/^ {4,}\S/.test(lines[at] ?? '') && (lines[at - 1] ?? '') === '') {
      const found = lines.slice(at).findIndex((line) => !line.startsWith('    '))
      const end = found < 0 ? lines.length : at + found
      yield { language: undefined, lines: lines.slice(at, end) }
      at = end - 1
    }
  }
}

/** with a prompt, the lines without it are output */
function commandsIn(lines: readonly string[]): string {
  const depth = Math.min(...lines.map((line) => line.length - line.trimStart().length))
  const plain = lines.map((line) => line.slice(depth))
  const prompted = plain.filter((line) => line.startsWith('$ ')).map((line) => line.slice(2))
  return (prompted.length > 0 ? prompted : plain).join('\n')
}

/** settings, documents and output begin otherwise; the test lists a tree or a table as an exception */
const isCommand = (line: string): boolean => /^[\w./(]/.test(line)

export function commandBlocks(pages: readonly string[]): CommandBlock[] {
  const files = pages.flatMap((pattern) => globSync(pattern).toSorted())
  return files.flatMap((page) =>
    [...blocksOf(readFileSync(page, 'utf8'))].flatMap(({ language, lines }) => {
      if (lines.length === 0 || (language && !shells.has(language))) return []
      const text = commandsIn(lines)
      const first = text.split('\n').find((line) => !line.startsWith('#')) ?? ''
      return language || isCommand(first) ? [{ name: `${page}: ${first}`, text }] : []
    }),
  )
}

/** A program `curl` for the tests: a refusal is a failure, also if the page does not say so. */
export const strictCurl = `#!/bin/sh
PATH=\${PATH#*:}
case "$1" in -f*) exec curl "$@" ;; esac
exec curl --fail-with-body "$@"
`

/** Fails for blocks without an entry, entries without a block, and reasons that name a missing test. */
export function assertDecided(
  blocks: readonly CommandBlock[],
  run: readonly string[],
  listed: Readonly<Record<string, string>>,
) {
  const known = [...run, ...Object.keys(listed)]
  const isFor = (start: string) => (block: CommandBlock) => block.name.startsWith(start)
  const unknown = blocks.filter((block) => !known.some((start) => isFor(start)(block))).map(({ name }) => name)
  const entries = known.filter((start) => !blocks.some(isFor(start)))
  assert.deepEqual({ unknown, entries }, { unknown: [], entries: [] })
  for (const reason of Object.values(listed)) {
    const file = /\btest\/[\w./-]+\.ts/.exec(reason)?.[0]
    if (file !== undefined) assert.ok(existsSync(file), file)
  }
}
