// A text as one word of a shell's line that is printed to be pasted.

const plainWord = /^[\w.,:@/+-]+$/

export const shellWord = (text: string): string =>
  plainWord.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
