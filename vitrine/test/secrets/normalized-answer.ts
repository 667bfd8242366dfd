// An answer as sent, without the parts that differ between any two answers.
import { request } from 'node:http'

export interface Bare {
  readonly status: number
  readonly code: string | undefined
  /** all that a caller could tell it by */
  readonly whole: string
}

export interface BareAsking {
  readonly method?: string
  readonly headers?: Record<string, string>
}

const blanked = new Set(['x-request-id', 'date'])

function fieldsOf(raw: readonly string[]): string[] {
  const fields: string[] = []
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = [raw[at], raw[at + 1]]
    const counted = name.toLowerCase() === 'ratelimit' ? value.replaceAll(/\d+/g, '*') : value
    fields.push(`${name}: ${blanked.has(name.toLowerCase()) ? '*' : counted}`)
  }
  return fields
}

export function askBare(port: number, path: string, { method = 'GET', headers = {} }: BareAsking = {}): Promise<Bare> {
  return new Promise((ok, no) => {
    const req = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (res) => {
      let body = ''
      res.setEncoding('utf8')
      res.on('data', (part: string) => (body += part))
      res.on('error', no)
      res.on('end', () => {
        const { statusCode: status = 0, statusMessage = '', rawHeaders, httpVersion } = res
        const bare = body.replaceAll(String(res.headers['x-request-id']), '*')
        const whole = [`${httpVersion} ${status} ${statusMessage}`, ...fieldsOf(rawHeaders), '', bare].join('\n')
        const { error } = body === '' ? { error: undefined } : JSON.parse(body)
        ok({ status, code: error?.code, whole })
      })
    })
    req.on('error', no)
    req.end()
  })
}
