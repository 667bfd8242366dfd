// An answer before it is sent, so that faults can still change it.
export interface SandboxAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export const jsonAnswer = (status: number, document: unknown, mediaType = 'application/json'): SandboxAnswer => ({
  status,
  headers: { 'content-type': mediaType },
  body: JSON.stringify(document),
})

export const textAnswer = (status: number, body: string, mediaType = 'text/plain'): SandboxAnswer => ({
  status,
  headers: { 'content-type': mediaType },
  body,
})
