// An operator of a whole service. Every answer is checked against the description of the operator endpoint, and at the end no log,
// audit line or answer may hold a piece of a private key.
import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import type { TestContext } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describeOperator } from '../../src/management/description.ts'
import { base } from '../../src/management/operation.ts'
import { findOperation, operations } from '../../src/management/operations.ts'
import type { AuditFilter, AuditRecord } from '../../../base/core/audit.ts'
import { openStore } from '../../src/store/open.ts'
import type { Script } from '../support/scripted-platform.ts'
import {
  type Answer,
  privateKey,
  type Service,
  type ServiceOptions,
  startOverSandbox,
  startScripted,
} from '../support/service.ts'

export const token = 'the-token-of-the-Operator-q8Zr2Vx5'
/** the operator in the audit log */
export const fingerprint = `operator:${createHash('sha256').update(token).digest('hex').slice(0, 8)}`
export const pem = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
/** a valid key that the platform does not know */
export const strangerPem = String(
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
)
export const account = { keyId: 'ACMEKEY001', issuerId: '57246542-96fe-1a63-e053-0824d0110001', privateKey: pem }

const document = structuredClone(describeOperator()) as any
for (const schema of Object.values<any>(document.components.schemas))
  if (schema.properties) schema.additionalProperties = false
const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true })).addSchema(document, 'operator')

export function checkAnswer(method: string, path: string, answer: Answer) {
  assert.match(String(answer.headers['x-request-id']), /^req_[\w-]{16}$/)
  const isPage = answer.status < 300 && /^\/(operator\/v1\/openapi\.json|errors)/.test(path)
  assert.equal(answer.headers['cache-control'], isPage ? 'no-cache' : 'no-store')
  assert.equal(answer.headers['x-content-type-options'], 'nosniff')
  if (answer.status >= 400) assert.equal(answer.json?.error?.requestId, answer.headers['x-request-id'])
  const { operation } = findOperation(path.split('?', 1)[0] ?? '', method) ?? {}
  const described = operation && document.paths[operation.path][operation.method.toLowerCase()].responses
  if (answer.status < 400 && !operation) return
  if (answer.status < 400) assert.ok(described[answer.status], `${method} ${path} may not answer ${answer.status}`)
  if (described?.[answer.status] && answer.status >= 400) {
    const codes = Object.keys(described[answer.status].content['application/json'].examples)
    assert.ok(codes.includes(answer.json.error.code), `${answer.json.error.code} of ${path} is in the description`)
  }
  checkSchema(answer.status >= 400 ? 'Problem' : String(operation?.answer), answer.json)
}

export function checkSchema(name: string, json: unknown) {
  const isSo = ajv.validate({ $ref: `operator#/components/schemas/${name}` }, json)
  assert.ok(isSo, `${name} is not as described: ${ajv.errorsText()}`)
}

/** the first segments of paths, after the common prefix */
const firstWords = new Set(operations.flatMap(({ path }) => (path.startsWith(`${base}/`) ? [path.split('/')[3]] : [])))
const isShort = (path: string): boolean => firstWords.has(path.split(/[/?]/)[1])

export interface Sending {
  readonly body?: unknown
  /** null: none */
  readonly token?: string | null
  readonly headers?: Record<string, string>
}

export interface Manager {
  readonly service: Service
  readonly port: number
  ask(method: string, path: string, sending?: Sending): Promise<Answer>
  /** newest first */
  audit(filter?: Partial<AuditFilter>): Promise<AuditRecord[]>
  /** acts and outcomes, oldest first */
  deeds(): Promise<string[]>
  /** further output, searched for secrets at the end */
  readonly heard: string[]
}

export function exchange(port: number, method: string, path: string, sending: Sending = {}): Promise<Answer> {
  const text =
    sending.body === undefined || typeof sending.body === 'string' ? sending.body : JSON.stringify(sending.body)
  const given = sending.token === undefined ? token : sending.token
  const headers = {
    ...(given !== null && { authorization: `Bearer ${given}` }),
    ...(text !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
    }),
    ...sending.headers,
  }
  return new Promise((ok, no) => {
    const req = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (res) => {
      const parts: Buffer[] = []
      res.on('data', (part: Buffer) => parts.push(part))
      res.on('error', no)
      res.on('end', () => {
        const body = Buffer.concat(parts).toString()
        const isJson = body !== '' && String(res.headers['content-type']).startsWith('application/json')
        const json = isJson ? JSON.parse(body) : undefined
        ok({ status: res.statusCode ?? 0, headers: res.headers, text: body, json })
      })
    })
    req.on('error', no)
    req.end(text)
  })
}

/** every 16 letters in a row of these keys, without the common beginning */
export const pieces = (...pems: string[]): string[] =>
  pems.flatMap((one) => {
    const body = one.replaceAll(/-----[^-]+-----|\s/g, '').slice(40)
    return Array.from({ length: body.length - 15 }, (_, at) => body.slice(at, at + 16))
  })

function withOperator(options: ServiceOptions): ServiceOptions {
  const secrets = { masterKeys: `m1:${randomBytes(32).toString('base64')}`, operatorToken: token, ...options.secrets }
  return { ...options, secrets, file: { operatorListen: '127.0.0.1:0', ...options.file } }
}

/** over the sandbox */
export async function startManager(t: TestContext, options: ServiceOptions = {}) {
  const { service, sandbox, close } = await startOverSandbox(withOperator(options))
  return { sandbox, ...manage(t, service, close) }
}

/** over a platform that the test scripts */
export async function startManagerOver(t: TestContext, script: Script, options: ServiceOptions = {}) {
  const { service, close } = await startScripted(script, withOperator(options))
  return manage(t, service, close)
}

function manage(t: TestContext, service: Service, close: () => Promise<void>): Manager {
  const port = Number(new URL(service.operatorUrl ?? '').port)
  const heard: string[] = []
  const audit = async (filter: Partial<AuditFilter> = {}) => {
    const store = await openStore(`sqlite:${service.folder}/v.db`)
    try {
      return await store.audit.page({ limit: 1_000, ...filter })
    } finally {
      await store.close()
    }
  }
  t.after(async () => {
    const told = [JSON.stringify(service.events), JSON.stringify(await audit()), ...heard].join('\n')
    await close()
    for (const piece of pieces(pem, strangerPem)) assert.ok(!told.includes(piece), 'a piece of a private key was told')
    assert.ok(!told.includes(token), 'the token was told')
  })
  return {
    service,
    port,
    heard,
    audit,
    deeds: async () => (await audit()).toReversed().map(({ act, outcome }) => `${act} ${outcome}`),
    async ask(method, path, sending) {
      const full = isShort(path) ? `${base}${path}` : path
      const answer = await exchange(port, method, full, sending)
      heard.push(answer.text, JSON.stringify(answer.headers))
      if (method !== 'HEAD' && answer.json !== undefined) checkAnswer(method, full, answer)
      return answer
    },
  }
}
