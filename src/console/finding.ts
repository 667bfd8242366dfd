// Finding by what is typed: every word of it has to be there, in any order, in letters of any size.

export const small = (text: string): string => text.toLocaleLowerCase('en')

/** says of a text in small letters whether it is found; where nothing is typed, all are */
export function finderOf(typed: string): (text: string) => boolean {
  const words = small(typed).split(/\s+/).filter(Boolean)
  return (text) => words.every((word) => text.includes(word))
}
