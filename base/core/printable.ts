// Text for a terminal, without control characters.
import { escapeUnits, replaceUnseen } from './control-characters.ts'

export const printable = (text: string): string => replaceUnseen(text, () => '\u{fffd}')

export const printableJson = (text: string): string =>
  replaceUnseen(text, (sign) => (sign === '\n' ? sign : escapeUnits(sign)))

export const printableLines = (text: string): string =>
  text
    .split(/(\r?\n)/)
    .map((part, i) => (i % 2 === 1 ? part : printable(part)))
    .join('')
