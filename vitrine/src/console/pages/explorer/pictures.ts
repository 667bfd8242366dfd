// The pictures of a field. Only https links count, and none is loaded here.
import { Digits, isList, type ExactJson, Members } from './exact-json.ts'

export interface RemotePicture {
  /** undefined: not an https link */
  readonly url: string | undefined
  /** as in the response, placeholders included */
  readonly raw: string
}

/** the longer side, in pixels */
const longest = 640

const numberOf = (value: ExactJson | undefined): number => {
  const number = value instanceof Digits ? Number(value.text) : Number.NaN
  return Number.isFinite(number) && number > 0 ? number : longest
}

function filled(template: string, record: Members): string {
  const [width, height] = [numberOf(record.get('width')), numberOf(record.get('height'))]
  const scale = Math.min(1, longest / Math.max(width, height))
  const sizes: Readonly<Record<string, string>> = {
    w: String(Math.max(1, Math.round(width * scale))),
    h: String(Math.max(1, Math.round(height * scale))),
    f: 'png',
  }
  return template.replaceAll(/\{([whf])\}/g, (_, name: string) => sizes[name] ?? '')
}

function safe(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, username, password, href } = new URL(text)
  return protocol === 'https:' && username === '' && password === '' ? href : undefined
}

function pictureIn(value: ExactJson): RemotePicture[] {
  if (!(value instanceof Members)) return []
  const [template, url] = [value.get('templateUrl'), value.get('url')]
  if (typeof template === 'string') return [{ raw: template, url: safe(filled(template, value)) }]
  return typeof url === 'string' ? [{ raw: url, url: safe(url) }] : []
}

export function picturesIn(value: ExactJson | undefined): readonly RemotePicture[] {
  if (value === undefined) return []
  return isList(value) ? value.flatMap(pictureIn) : pictureIn(value)
}
