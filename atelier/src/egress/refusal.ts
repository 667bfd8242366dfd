// Why the proxy does not do what a program in a container asks of it: an answer of HTTP, with the reason as RFC 9209 names it.

interface Row {
  readonly status: number
  /** of `Proxy-Status` */
  readonly error: string
  readonly text: string
}

const row = (status: number, error: string, text: string): Row => ({ status, error, text })

export const refusals = {
  bad_request: row(400, 'http_request_error', 'The request cannot be understood as one to a proxy.'),
  host_refused: row(403, 'http_request_denied', 'The host is not in the list of this container.'),
  port_refused: row(403, 'http_request_denied', 'The port is not open.'),
  address_refused: row(403, 'destination_ip_prohibited', 'The name leads to an address that is not public.'),
  host_differs: row(421, 'http_request_denied', 'The request is for another host than the connection.'),
  unresolved: row(502, 'dns_error', 'The name has no address, or the resolver does not answer.'),
  unreachable: row(502, 'destination_unavailable', 'The host does not answer.'),
  not_proved: row(502, 'tls_certificate_error', 'The host does not prove by its certificate that it is the one.'),
  secrets_lost: row(502, 'proxy_internal_error', 'The secrets of this container were lost: create another one.'),
  broken: row(502, 'connection_terminated', 'The host broke off.'),
  full: row(503, 'connection_limit_reached', 'There are too many connections.'),
} as const satisfies Readonly<Record<string, Row>>

export type RefusalCode = keyof typeof refusals

export class EgressRefusal extends Error {
  readonly code: RefusalCode

  constructor(code: RefusalCode) {
    super(`egress: ${code}`)
    this.name = 'EgressRefusal'
    this.code = code
  }
}

export const codeOf = (error: unknown): RefusalCode => (error instanceof EgressRefusal ? error.code : 'broken')

export interface RefusalAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export function answerOf(code: RefusalCode): RefusalAnswer {
  const { status, error, text } = refusals[code]
  const body = `egress: ${text}\n`
  return {
    status,
    body,
    headers: {
      'Content-Type': 'text/plain; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      'Proxy-Status': `atelier; error=${error}`,
      Connection: 'close',
    },
  }
}
