// Finding by words: every typed word has to be there, in any order and case.

export const lowerCase = (text: string): string => text.toLocaleLowerCase('en')

/** for texts in lower case; where nothing is typed, all match */
export function wordMatcher(typed: string): (text: string) => boolean {
  const words = lowerCase(typed).split(/\s+/).filter(Boolean)
  return (text) => words.every((word) => text.includes(word))
}
