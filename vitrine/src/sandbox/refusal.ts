// Refusals in the platform's form: thrown anywhere below the exchange, they become the answer.
import { createHash } from 'node:crypto'

import { type SandboxAnswer, jsonAnswer } from './answer.ts'

export class SandboxRefusal extends Error {
  readonly answer: SandboxAnswer
  constructor(answer: SandboxAnswer) {
    super(answer.body)
    this.answer = answer
  }
}

interface ErrorEntry {
  readonly status: string
  readonly code: string
  readonly title: string
  readonly detail: string
  readonly source?: { readonly parameter: string }
  readonly links?: { readonly see: string }
}

const refusal = (id: string | null, entry: ErrorEntry): SandboxRefusal =>
  new SandboxRefusal(jsonAnswer(Number(entry.status), { errors: [id === null ? entry : { id, ...entry }] }))

// Equal refusals carry equal ids, which keeps two runs of the sandbox byte for byte the same.
function withId(entry: ErrorEntry): SandboxRefusal {
  const hex = createHash('sha256').update(`${entry.code} ${entry.detail}`).digest('hex')
  const id = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)]
  return refusal(id.join('-'), entry)
}

export const notAuthorized = (): SandboxRefusal =>
  refusal(null, {
    status: '401',
    code: 'NOT_AUTHORIZED',
    title: 'Authentication credentials are missing or invalid.',
    detail:
      'Provide a properly configured and signed bearer token, and make sure that it has not expired. Learn more about Generating Tokens for API Requests https://developer.apple.com/go/?id=api-generating-tokens',
  })

export const forbidden = (): SandboxRefusal =>
  withId({
    status: '403',
    code: 'FORBIDDEN_ERROR',
    title: 'This request is forbidden for security reasons',
    detail: 'The API key in use does not allow this request',
  })

export const agreementMissing = (): SandboxRefusal =>
  refusal('TXF6QUVS6OY66YVUNINVLKXZFA', {
    status: '403',
    code: 'FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED',
    title: 'A required agreement is missing or has expired.',
    detail: 'This request requires an in-effect agreement that has not been signed or has expired.',
    links: { see: '/business' },
  })

export const resourceMissing = (type: string, id: string): SandboxRefusal =>
  withId({
    status: '404',
    code: 'NOT_FOUND',
    title: 'The specified resource does not exist',
    detail: `There is no resource of type '${type}' with id '${id}'`,
  })

export const pathUnknown = (detail: string): SandboxRefusal =>
  withId({ status: '404', code: 'PATH_ERROR', title: 'The URL path is not valid', detail })

export const parameterInvalid = (parameter: string, detail: string): SandboxRefusal =>
  withId({
    status: '400',
    code: 'PARAMETER_ERROR.INVALID',
    title: 'A parameter has an invalid value',
    detail,
    source: { parameter },
  })

export const parameterIllegal = (parameter: string): SandboxRefusal =>
  withId({
    status: '400',
    code: 'PARAMETER_ERROR.ILLEGAL',
    title: 'A parameter is not allowed',
    detail: `The parameter '${parameter}' can not be used with this request`,
    source: { parameter },
  })

export const parameterMissing = (parameter: string): SandboxRefusal =>
  withId({
    status: '400',
    code: 'PARAMETER_ERROR.REQUIRED',
    title: 'A required parameter is missing',
    detail: `The parameter '${parameter}' is required but was not provided`,
    source: { parameter },
  })

export const methodNotAllowed = (method: string): SandboxRefusal =>
  withId({
    status: '405',
    code: 'METHOD_NOT_ALLOWED',
    title: 'The request method is not valid for the resource path.',
    detail: `The request method used for this request (${method}) is not valid for the resource path.`,
  })

export const limitReached = (): SandboxRefusal =>
  withId({
    status: '429',
    code: 'RATE_LIMIT_EXCEEDED',
    title: 'The request rate limit has been reached.',
    detail: "We've received too many requests for this API. Please wait and try again or slow down your request rate.",
  })

export const unexpectedError = (): SandboxRefusal =>
  refusal(null, {
    status: '500',
    code: 'UNEXPECTED_ERROR',
    title: 'An unexpected error occurred.',
    detail:
      'An unexpected error occurred on the server side. If this issue continues, contact us at https://developer.apple.com/contact/.',
  })
