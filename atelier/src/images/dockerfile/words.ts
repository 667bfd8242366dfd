// Cuts an instruction into words the way Docker does. Quotes and backslashes stay: expansion removes them later.

const whiteSpace = /\p{White_Space}/u
const blanks = /[\t\v\f\r ]+/

export const isSpace = (char: string) => whiteSpace.test(char)

/** Words of COPY, EXPOSE and FROM: quotes do not hold them together. */
export const plainWords = (rest: string): string[] => (rest.trim() === '' ? [] : rest.trim().split(blanks))

/** `KEY the rest`; undefined: there is no second part */
export function splitFirst(text: string): { first: string; rest: string } | undefined {
  const gap = blanks.exec(text)
  return gap ? { first: text.slice(0, gap.index), rest: text.slice(gap.index + gap[0].length) } : undefined
}

/** Words of ENV, LABEL, ARG and RUN: white space inside quotes, or after a backslash, belongs to the word. */
export function quotedWords(rest: string): string[] {
  const words: string[] = []
  let word = ''
  let quote = ''
  for (let at = 0; at < rest.length; at++) {
    const char = rest[at]!
    if (char === '\\' && quote !== "'") {
      if (at + 1 < rest.length) word += char + rest[++at]!
    } else if (quote !== '') {
      word += char
      if (char === quote) quote = ''
    } else if (isSpace(char)) {
      if (word !== '') words.push(word)
      word = ''
    } else {
      word += char
      if (char === '"' || char === "'") quote = char
    }
  }
  return word === '' ? words : [...words, word]
}

/** The flags before the arguments; `--` alone ends them. */
export function takeFlags(text: string): { flags: string[]; rest: string } {
  const flags: string[] = []
  let rest = text.trim()
  while (rest.startsWith('--')) {
    const { word, after } = flagWord(rest)
    rest = rest.slice(after).trim()
    if (word === '--') break
    flags.push(word)
  }
  return { flags, rest }
}

function flagWord(text: string): { word: string; after: number } {
  let word = ''
  let quote = ''
  let at = 0
  for (; at < text.length; at++) {
    const char = text[at]!
    if (quote === '' && isSpace(char)) break
    if (char === '\\') word += text[++at] ?? ''
    else if (char === quote) quote = ''
    else if (quote === '' && (char === '"' || char === "'")) quote = char
    else word += char
  }
  return { word, after: at }
}

/** `mixed`: a JSON array that holds something else than strings. Text that is no JSON array is not an array at all. */
export function jsonArray(rest: string): string[] | 'mixed' | undefined {
  if (!rest.startsWith('[')) return undefined
  let value: unknown
  try {
    value = JSON.parse(rest)
  } catch {
    return undefined
  }
  if (!Array.isArray(value)) return undefined
  return value.every((item) => typeof item === 'string') ? value.map((item: string) => item.toWellFormed()) : 'mixed'
}

const hereDocument = /^\d*<<(?!-$)-?[^<]+$/

/** as Docker tells it: by a word of the shell form, whatever the shell would make of it */
export const startsHereDocument = (rest: string): boolean =>
  jsonArray(rest) === undefined && quotedWords(rest).some((word) => hereDocument.test(word))
