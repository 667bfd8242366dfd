// Estimates the entropy of an operator token from its text: refuses short, repeated and typed ones, and in doubt accepts, so
// that no randomly generated token is refused.

/** for an attacker with unlimited tries: 2^128 */
const wantedBits = 128

/** three words or more, and numbers such as years: `Correct-horse_battery.staple-2026!` */
const wordsApart =
  /^(?:(?:[A-Z]?[a-z]+|[A-Z]+)\d{0,4}|\d{1,4})(?:[-_.:,+/=~](?:(?:[A-Z]?[a-z]+|[A-Z]+)\d{0,4}|\d{1,4})){2,}[!?.]*$/
/** `CorrectHorseBatteryStaple2026`; with shorter words, one in 500,000 random tokens would be taken for words */
const wordsTogether = /^(?:[A-Z][a-z]{3,}){3,}\d{0,4}[!?.]*$/

/** bits of one character by the smallest matching alphabet; the first match counts */
const alphabets: readonly (readonly [RegExp, number])[] = [
  [/^[0-9]+$/, Math.log2(10)],
  [/^(?:[0-9a-f]+|[0-9A-F]+)$/, 4],
  // a list of 7,776 words gives 13 bits for six characters
  [wordsApart, 2.2],
  [wordsTogether, 2.2],
  [/^(?:[0-9a-z]+|[0-9A-Z]+)$/, 5],
]
/** letters of both cases with digits, or more: 22 characters are enough */
const anyOther = Math.log2(62)

/** one in 10 million tokens of 32 hexadecimal digits repeats a stretch of this length by chance */
const longestChance = 8
/** one in 10^12 such tokens has so few different characters */
const leastKinds = 6

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

function stepOnKeyboard(a: string, b: string): number | undefined {
  const row = keyboard.find((keys) => keys.includes(a))
  return row?.includes(b) ? row.indexOf(b) - row.indexOf(a) : undefined
}

/** characters that continue the two before them: `aaa`, `abc`, `321`, `qwe` */
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
