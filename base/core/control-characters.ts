// Invisible characters, and those that a terminal or an editor may act on: one set, and two ways to write a text without them.

/** controls, bidi controls, line separators, private use, default ignorables */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{DI}]/gu

export const plain = /^[\x20-\x7e]*$/

export const escapeUnits = (text: string): string =>
  text.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

export const escapeUnseen = (json: string): string =>
  plain.test(json) ? json : json.replaceAll(unseen, (sign) => escapeUnits(sign))

const letter = /^[\p{L}\p{M}]/u
const joined = /^(?:\p{L}|\p{M}|\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)/u
const any = /^/

/** invisible alone, but part of words and emoji between these neighbours */
const places: readonly (readonly [sign: RegExp, before: RegExp, after: RegExp])[] = [
  // Persian words and emoji of several people need the joiners
  [/\u200c/, letter, letter],
  [/\u200d/, joined, joined],
  [/[\ufe0e\ufe0f]/, /^\p{Emoji}/u, any],
  // ideographic variants in names
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

export const replaceUnseen = (text: string, instead: (sign: string) => string): string =>
  plain.test(text)
    ? text
    : text.replaceAll(unseen, (sign: string, at: number) => (belongs(sign, text, at) ? sign : instead(sign)))
