// Words of strangers: plain text, whatever they hold, and their direction of writing stays inside.

/** marks that change how what follows is read, and characters that cannot be seen, are shown by their number */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

const shown = (one: string): string =>
  `\u27E8U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}\u27E9`

/** joiners belong to letters and pictures of many scripts */
const harmless = new Set(['\u200C', '\u200D', '\t', '\n'])

export const plainText = (text: string): string => text.replace(unseen, (one) => (harmless.has(one) ? one : shown(one)))

export function Foreign({ text }: { readonly text: string }) {
  return <bdi>{plainText(text)}</bdi>
}
