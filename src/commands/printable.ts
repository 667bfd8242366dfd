// Text that somebody typed, as a terminal may get it: nothing in it is for the terminal to act on.
import { escapeUnits, replaceUnseen } from '../unseen.ts'

export const printable = (text: string): string => replaceUnseen(text, () => '\u{fffd}')

/** JSON that says the same, with what a terminal would act on written as escapes; line ends stand between the values */
export const printableJson = (text: string): string =>
  replaceUnseen(text, (sign) => (sign === '\n' ? sign : escapeUnits(sign)))

/** lines of a file, on their way to a terminal after all */
export const printableLines = (text: string): string =>
  text
    .split(/(\r?\n)/)
    .map((part, i) => (i % 2 === 1 ? part : printable(part)))
    .join('')
