// Texts made ready for reading: prose with its code marked, names as words, hidden signs written out.
import { code, element } from './element.js'

/** text in which `backticks` are code */
export const prose = (text) => text.split('`').map((part, i) => (i % 2 === 1 ? code(part) : part.replaceAll('\n', ' ')))

export const paragraphs = (text) => text.split(/\n{2,}/).map((part) => element('p', prose(part)))

export const plural = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`

/** listProductPageIds -> List product page ids */
export function wordsOf(name) {
  const words = name.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** characters that turn, hide or break the text around them, as JSON may also write them */
export const visible = (text) =>
  text.replaceAll(
    /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
