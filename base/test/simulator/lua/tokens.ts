// The tokens of a Lua 5.1 script.

export interface Token {
  readonly kind: 'name' | 'number' | 'string' | 'sign' | 'end'
  readonly text: string
  readonly line: number
}

const keywords = new Set(
  'and break do else elseif end false for function if in local nil not or repeat return then true until while'.split(
    ' ',
  ),
)

const pattern = new RegExp(
  [
    String.raw`\s+|--\[\[[\s\S]*?\]\]|--[^\n]*`,
    String.raw`([A-Za-z_]\w*)`,
    String.raw`(0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)`,
    String.raw`'((?:[^'\\\n]|\\[\s\S])*)'|"((?:[^"\\\n]|\\[\s\S])*)"`,
    String.raw`(\.\.\.|\.\.|==|~=|<=|>=|[-+*/%^#<>=(){}\[\];:,.])`,
  ].join('|'),
  'y',
)

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', a: '\x07', b: '\b', f: '\f', v: '\v' }

const unescape = (text: string): string =>
  text.replace(/\\(\d{1,3}|[\s\S])/g, (_, what: string) =>
    /\d/.test(what) ? String.fromCharCode(Number(what)) : (escapes[what] ?? what),
  )

export function tokensOf(source: string): Token[] {
  const tokens: Token[] = []
  let line = 1
  pattern.lastIndex = 0
  while (pattern.lastIndex < source.length) {
    const found = pattern.exec(source)
    if (!found) throw new Error(`line ${line}: this is no Lua that is known here`)
    const [all, name, number, single, double, sign] = found
    if (name !== undefined) tokens.push({ kind: keywords.has(name) ? 'sign' : 'name', text: name, line })
    else if (number !== undefined) tokens.push({ kind: 'number', text: number, line })
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign, line })
    else if (single !== undefined || double !== undefined)
      tokens.push({ kind: 'string', text: unescape(single ?? double ?? ''), line })
    line += all.split('\n').length - 1
  }
  tokens.push({ kind: 'end', text: 'the end', line })
  return tokens
}
