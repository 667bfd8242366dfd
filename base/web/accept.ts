// Whether a caller prefers Markdown to HTML, by the Accept field (RFC 9110, 12.5.1).

interface Range {
  readonly type: string
  readonly q: number
}

function readRange(text: string): Range[] {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? [{ type, q: Number(weight) }] : []
}

const named = 'text/markdown'
const takesHtml = ['text/html', 'text/*', '*/*']

/** Markdown must be named, as no browser does. At equal weight the first of both wins; a wildcard does not name HTML. */
export function prefersMarkdown(accept = ''): boolean {
  if (!accept.includes('/m') && !accept.includes('/M')) return false
  const ranges = accept.split(',').flatMap(readRange)
  const at = ranges.findIndex(({ type }) => type === named)
  const markdown = ranges[at]?.q ?? 0
  if (markdown === 0) return false
  const range = takesHtml.find((type) => ranges.some((one) => one.type === type))
  const atHtml = ranges.findIndex(({ type }) => type === range)
  const html = ranges[atHtml]?.q ?? 0
  return markdown > html || (markdown === html && (range !== 'text/html' || at < atHtml))
}
