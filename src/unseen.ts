// Signs that nobody sees, or on which a terminal, an editor or whoever reads may act: one set, and the two ways to write a
// text without them. What stands in their place where people read is for the callers to say.

/** controls, what turns the direction of text, ends of lines, what only some fonts know, and what is drawn as nothing */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{DI}]/gu

/** printable ASCII: nearly every text, and nothing in it is unseen */
export const plain = /^[\x20-\x7e]*$/

/** as JSON writes what it has no sign for, one escape for each unit */
export const escapeUnits = (text: string): string =>
  text.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** of JSON without ends of lines, which says the same afterwards */
export const escapeUnseen = (json: string): string =>
  plain.test(json) ? json : json.replaceAll(unseen, (sign) => escapeUnits(sign))

const letter = /^[\p{L}\p{M}]/u
const joined = /^(?:\p{L}|\p{M}|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)/u
const any = /^/

/** unseen by itself, but a part of words and pictures between such neighbours */
const places: readonly (readonly [sign: RegExp, before: RegExp, after: RegExp])[] = [
  // Persian words and pictures of several people need the joiners
  [/\u200c/, letter, letter],
  [/\u200d/, joined, joined],
  // as a picture, or as a letter
  [/[\ufe0e\ufe0f]/, /^\p{Emoji}/u, any],
  // how the names of some people are written
  [/[\ufe00-\ufe02\u{e0100}-\u{e01ef}]/u, /^\p{Script=Han}/u, any],
  [/[\u180b-\u180d\u180f]/, /^\p{Script=Mongolian}/u, any],
]

const signBefore = (text: string, at: number): string => Array.from(text.slice(Math.max(0, at - 2), at)).at(-1) ?? ''

const belongs = (sign: string, text: string, at: number): boolean =>
  places.some(
    ([signs, before, after]) =>
      signs.test(sign) &&
      before.test(signBefore(text, at)) &&
      after.test(text.slice(at + sign.length, at + sign.length + 2)),
  )

/** words and pictures stay whole: only what belongs to none of them is replaced */
export const replaceUnseen = (text: string, instead: (sign: string) => string): string =>
  plain.test(text)
    ? text
    : text.replaceAll(unseen, (sign: string, at: number) => (belongs(sign, text, at) ? sign : instead(sign)))
