// The width of a text in terminal columns, and texts cut to a width. Control characters are removed before (output.ts).
import { plain } from '../core/control-characters.ts'

/** made by the first text that needs it: it takes 15 ms, which every start would pay */
let segmenter: Intl.Segmenter | undefined
const graphemesIn = (text: string) =>
  (segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })).segment(text)

const wide =
  /^[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{1d300}-\u{1d376}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]/u
/** emoji: by itself or through the sign that follows */
const picture = /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}.*\ufe0f|[#*0-9]\ufe0f?\u20e3)/u
/** no column of its own: combining marks, joiners */
const nothing = /^[\p{Mn}\p{Me}\p{Cf}]+$/u

function columnsOf(grapheme: string): number {
  if (nothing.test(grapheme)) return 0
  return wide.test(grapheme) || picture.test(grapheme) ? 2 : 1
}

export function widthOf(text: string): number {
  if (plain.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemesIn(text)) width += columnsOf(segment)
  return width
}

export function cutTo(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  let kept = ''
  let width = 0
  for (const { segment } of graphemesIn(text)) {
    width += columnsOf(segment)
    if (width > columns - 1) break
    kept += segment
  }
  return `${kept}…`
}

export const padTo = (text: string, columns: number): string => text + ' '.repeat(Math.max(0, columns - widthOf(text)))
