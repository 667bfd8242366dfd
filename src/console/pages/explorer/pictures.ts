// Where the pictures of a field are. Only https links count, and none is asked for here.
import { Digits, isList, type Json, Members } from './json.ts'

export interface Picture {
  /** ready to be asked for; undefined where it cannot be */
  readonly url: string | undefined
  /** as it was told, holes and all */
  readonly told: string
}

/** the longer side, in pixels: enough for the box that it is shown in */
const longest = 640

const numberOf = (value: Json | undefined): number => {
  const number = value instanceof Digits ? Number(value.text) : Number.NaN
  return Number.isFinite(number) && number > 0 ? number : longest
}

/** the holes of a template: width, height and format */
function filled(told: string, record: Members): string {
  const [width, height] = [numberOf(record.get('width')), numberOf(record.get('height'))]
  const scale = Math.min(1, longest / Math.max(width, height))
  const sizes: Readonly<Record<string, string>> = {
    w: String(Math.max(1, Math.round(width * scale))),
    h: String(Math.max(1, Math.round(height * scale))),
    f: 'png',
  }
  return told.replaceAll(/\{([whf])\}/g, (_, hole: string) => sizes[hole] ?? '')
}

function safe(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, username, password, href } = new URL(text)
  return protocol === 'https:' && username === '' && password === '' ? href : undefined
}

function pictureIn(value: Json): Picture[] {
  if (!(value instanceof Members)) return []
  const [template, url] = [value.get('templateUrl'), value.get('url')]
  if (typeof template === 'string') return [{ told: template, url: safe(filled(template, value)) }]
  return typeof url === 'string' ? [{ told: url, url: safe(url) }] : []
}

/** of an object that tells of one, or of a list of such */
export function picturesIn(value: Json | undefined): readonly Picture[] {
  if (value === undefined) return []
  return isList(value) ? value.flatMap(pictureIn) : pictureIn(value)
}
