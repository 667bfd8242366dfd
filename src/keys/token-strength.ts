// How much chance an operator token may hold, estimated from its text alone: enough to refuse the short, the repeated and
// the typed, and low enough in doubt that no token of a random generator is refused (test/keys/token-strength.test.ts).

/** a guesser who is never turned away must find nothing: 2^128 tries */
const wantedBits = 128

/** bits of one character, by the smallest alphabet that the token may be drawn from; the first that fits counts */
const alphabets: readonly (readonly [RegExp, number])[] = [
  [/^[0-9]+$/, Math.log2(10)],
  [/^(?:[0-9a-f]+|[0-9A-F]+)$/, 4],
  // words of one case with separators: a list of 7,776 words gives 13 bits for six characters
  [/^(?:[a-z]+(?:[-_.:][a-z]+){2,}|[A-Z]+(?:[-_.:][A-Z]+){2,})$/, 2.2],
  // base32, which may well have no digit
  [/^(?:[0-9a-z]+|[0-9A-Z]+)$/, 5],
]
/** of letters of both cases with digits, or more: 22 characters are enough */
const anyOther = Math.log2(62)

/** two stretches of this length are equal by chance in one of 10 million tokens of 32 hexadecimal digits */
const longestChance = 8
/** so few different characters have one of 10^12 such tokens */
const leastKinds = 6

/** characters in stretches that occurred before */
function repeatedIn(token: string): number {
  const seen = new Set<string>()
  let [count, countedTo] = [0, 0]
  for (let end = longestChance; end <= token.length; end++) {
    const stretch = token.slice(end - longestChance, end)
    if (seen.has(stretch)) {
      count += end - Math.max(countedTo, end - longestChance)
      countedTo = end
    }
    seen.add(stretch)
  }
  return count
}

const keyboard = ['1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']

/** how far two neighbours are apart on one row of a keyboard; undefined: on none */
function stepOnKeyboard(a: string, b: string): number | undefined {
  const row = keyboard.find((keys) => keys.includes(a))
  return row?.includes(b) ? row.indexOf(b) - row.indexOf(a) : undefined
}

/** characters that go on as the two before them: `aaa`, `abc`, `321`, `qwe` */
function runningIn(token: string): number {
  const lower = token.toLowerCase()
  const stepTo = (at: number) => lower.charCodeAt(at) - lower.charCodeAt(at - 1)
  const typedTo = (at: number) => stepOnKeyboard(lower.charAt(at - 1), lower.charAt(at))
  const goesOn = (step: number | undefined, before: number | undefined) =>
    step !== undefined && Math.abs(step) <= 1 && step === before
  let count = 0
  for (let at = 2; at < token.length; at++)
    if (goesOn(stepTo(at), stepTo(at - 1)) || goesOn(typedTo(at), typedTo(at - 1))) count++
  return count
}

export function isStrong(token: string): boolean {
  if (new Set(token).size < leastKinds || runningIn(token) > token.length / 4) return false
  const [, bits] = alphabets.find(([alphabet]) => alphabet.test(token)) ?? [undefined, anyOther]
  return (token.length - repeatedIn(token)) * bits >= wantedBits
}
