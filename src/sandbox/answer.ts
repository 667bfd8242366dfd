// An answer before it is sent: status, headers and text, so that trouble can still spoil it.
// Sending, compression and the rate header belong to the exchange.
export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export function jsonAnswer(status: number, document: unknown, mediaType = 'application/json'): Answer {
  return { status, headers: { 'content-type': mediaType }, body: JSON.stringify(document) }
}

export function textAnswer(status: number, body: string, mediaType = 'text/plain'): Answer {
  return { status, headers: { 'content-type': mediaType }, body }
}
