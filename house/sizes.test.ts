import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import test from 'node:test'
import { childrenOf, linesOf, type Node, parse, readText, sources } from './source-files.ts'

const files = [
  ...sources,
  ...globSync('{house,base/test,vitrine/{test,scripts,bench},atelier/test}/**/*.{ts,js,mjs}', {
    exclude: (name) => name.endsWith('node_modules'),
  }),
]

test('every source file starts with a comment on its purpose', () => {
  for (const file of sources) assert.match(linesOf(file)[0] ?? '', /^(\/\/|\/\*) ?\S/, file)
})

test('no file is above 260 lines without a reason in its header', () => {
  const wrong = files.filter((file) => {
    const lines = linesOf(file)
    return lines.length > 260 && !/long|lines/i.test(lines.slice(0, 4).join('\n'))
  })
  assert.deepEqual(wrong, [])
})

test('the median source file is short', () => {
  const sizes = sources.map((file) => linesOf(file).length).toSorted((a, b) => a - b)
  assert.ok((sizes[Math.floor(sizes.length / 2)] ?? 0) <= 80, `median ${sizes[Math.floor(sizes.length / 2)]}`)
})

/** lines of a function without those of the functions in it, and with them */
const mostLines = { own: 40, whole: 80 }
/** what is drawn is markup, of which each attribute may have its line */
const mostDrawn = { own: 60, whole: 90 }
const exceptions = new Set<string>()

const isFunction = ({ type }: Node): boolean =>
  /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type)

interface Size {
  readonly name: string
  readonly whole: number
  readonly own: number
}

/** of each function, arrow and method of a file */
function sizesIn(file: string): Size[] {
  const text = readText(file)
  const linesAt = ({ start, end }: Node): number => text.slice(start, end).split('\n').length
  const found: Size[] = []
  /** answers the lines of the functions directly below the node */
  function visit(node: Node, name: string): number {
    const own = ((node['key'] ?? node['id']) as Node | undefined)?.['name']
    const named = typeof own === 'string' ? own : name
    const below = childrenOf(node).reduce((sum, child) => sum + visit(child, named), 0)
    if (!isFunction(node)) return below
    const whole = linesAt(node)
    found.push({ name: named, whole, own: whole - below })
    return whole
  }
  visit(parse(file), file)
  return found
}

test('functions have under 40 lines of their own and 80 with those in them; those that draw, 60 and 90', () => {
  const wrong = sources.flatMap((file) => {
    const most = file.endsWith('.tsx') ? mostDrawn : mostLines
    return sizesIn(file)
      .filter(({ own, whole, name }) => (own > most.own || whole > most.whole) && !exceptions.has(name))
      .map(({ name, own, whole }) => `${file}: ${name} has ${own} of ${whole} lines`)
  })
  assert.deepEqual(wrong, [])
  assert.ok(exceptions.size <= 5)
})

test('comments are at most 6 % of the lines', () => {
  const lines = sources.flatMap(linesOf)
  const comments = lines.filter((line) => /^\s*(\/\/|\/\*|\*)/.test(line))
  const share = (100 * comments.length) / lines.length
  assert.ok(share <= 6, `${share.toFixed(2)} %`)
})

test('no code is unfinished or commented out', () => {
  for (const file of files.filter((one) => one !== 'house/sizes.test.ts'))
    assert.doesNotMatch(readText(file), /\b(TODO|FIXME|XXX)\b|\.only\(/, file)
})
