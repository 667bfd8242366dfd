// Physical lines to logical ones, as Docker joins them: comments and blank lines inside a continuation are left out.
import { invalidDockerfile } from './invalid.ts'

export interface LogicalLine {
  /** of its first physical line, from 1 */
  readonly line: number
  readonly text: string
}

const maxBytes = 65_536
const directive = /^\s*#\s*([a-z][a-z0-9]*)\s*=\s*\S/i
const knownDirectives = new Set(['syntax', 'escape', 'check'])
/** a backslash at the end, unless it is itself escaped */
const continuation = /(^|[^\\])\\[ \t]*$/

const isComment = (line: string) => line.trimStart().startsWith('#')

export function logicalLines(text: string): LogicalLine[] {
  const physical = physicalLines(text)
  refuseDirectives(physical)
  const lines: LogicalLine[] = []
  for (let next = 0; next < physical.length;) {
    const line = next + 1
    let part = physical[next++]!.trimStart()
    if (part === '' || isComment(part)) continue
    let joined = ''
    while (continuation.test(part)) {
      joined += part.replace(continuation, '$1')
      while (next < physical.length && isLeftOut(physical[next]!)) next++
      part = physical[next++] ?? ''
    }
    lines.push({ line, text: (joined + part).trim() })
  }
  return lines
}

const isLeftOut = (line: string) => line.trim() === '' || isComment(line)

function physicalLines(text: string): string[] {
  if (Buffer.byteLength(text) > maxBytes)
    throw invalidDockerfile({ line: 1, instruction: null }, 'the file is larger than 64 KiB')
  const physical = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line))
  const withNul = physical.findIndex((line) => line.includes('\0'))
  if (withNul !== -1)
    throw invalidDockerfile({ line: withNul + 1, instruction: null }, 'the line holds a NUL character')
  return physical
}

/** Docker looks for directives only until the first line that is none of them. */
function refuseDirectives(physical: readonly string[]): void {
  const name = directive.exec(physical[0] ?? '')?.[1]?.toLowerCase()
  if (name !== undefined && knownDirectives.has(name))
    throw invalidDockerfile({ line: 1, instruction: null }, 'parser directives are not supported')
}
