// Reads the parts of a workflow file that its test needs, and refuses lines of unknown form: names, variables and
// scripts of the steps, and the actions used.
import { readFileSync } from 'node:fs'

export interface Step {
  readonly name: string
  readonly uses: string | undefined
  readonly env: Readonly<Record<string, string>>
  readonly run: string | undefined
}

/** the lines below a key, without their indentation */
function blockOf(lines: readonly string[], at: number): string[] {
  const depth = (line: string) => line.length - line.trimStart().length
  const own = depth(lines[at] ?? '')
  const end = lines.findIndex((line, i) => i > at && line.trim() !== '' && depth(line) <= own)
  const block = lines.slice(at + 1, end < 0 ? undefined : end)
  const indent = Math.min(...block.filter((line) => line.trim() !== '').map(depth))
  return block.map((line) => line.slice(indent))
}

function readStep(lines: readonly string[]): Step {
  const step = {
    name: '',
    uses: undefined as string | undefined,
    env: {} as Record<string, string>,
    run: undefined as string | undefined,
  }
  for (let at = 0; at < lines.length; at++) {
    const [, key = '', value = ''] = /^(\w[\w-]*):(?: (.*))?$/.exec(lines[at] ?? '') ?? []
    if (key === 'name') step.name = value
    else if (key === 'uses') step.uses = value
    else if (key === 'run') step.run = value === '|' ? blockOf(lines, at).join('\n') : value
    else if (key === 'env')
      for (const line of blockOf(lines, at)) {
        const [, name = '', of = ''] = /^(\w+): (.+)$/.exec(line) ?? []
        step.env[name] = of
      }
    else if (!['id', 'shell', 'with', 'if'].includes(key)) throw new Error(`no line of a step: ${lines[at]}`)
    if (value === '' || value === '|') at += blockOf(lines, at).length
  }
  return step
}

export function readSteps(file: string): Step[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  const steps = blockOf(
    lines,
    lines.findIndex((line) => line.trim() === 'steps:'),
  )
  const starts = steps.flatMap((line, i) => (line.startsWith('- ') ? [i] : []))
  return starts.map((start, i) =>
    readStep(
      steps
        .slice(start, starts[i + 1])
        .map((line) => line.slice(2))
        .filter((line, n, all) => line !== '' || n < all.length - 1),
    ),
  )
}
