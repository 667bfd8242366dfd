// Agents for a test: the real client library, over either transport, in either revision of the protocol.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Ajv2020 } from 'ajv/dist/2020.js'
import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import type { TestContext } from 'node:test'
import { startOverSandbox } from '../support/service.ts'

export type Revision = 'old' | 'new'
export const revisions: readonly Revision[] = ['old', 'new']

export interface Agent {
  readonly client: Client
  /** the number of tool calls */
  readonly calls: () => number
  call(name: string, args?: Record<string, unknown>, options?: { signal?: AbortSignal }): Promise<Told>
}

export interface Told {
  readonly isError: boolean
  readonly text: string
  readonly said: any
}

/** Deployed clients validate every structure against the schema, also of a failure, and drop what it does not describe. */
async function checksOf(client: Client): Promise<(tool: string, said: unknown) => void> {
  const { tools } = await client.listTools()
  const checks = new Map(
    tools.map(({ name, outputSchema }) => {
      const { properties = {} } = outputSchema as { properties?: object }
      return [
        name,
        { names: Object.keys(properties), fits: new Ajv2020({ strict: false }).compile(outputSchema as object) },
      ]
    }),
  )
  return (tool, said) => {
    const check = checks.get(tool)
    if (!check) return
    assert.ok(check.fits(said), `${tool}: ${JSON.stringify(check.fits.errors)}`)
    for (const name of Object.keys(said as object)) assert.ok(check.names.includes(name), `${tool} describes ${name}`)
  }
}

const modes = { old: { mode: 'legacy' }, new: { mode: { pin: '2026-07-28' } } } as const

async function agentOf(client: Client): Promise<Agent> {
  const check = await checksOf(client)
  let calls = 0
  return {
    client,
    calls: () => calls,
    async call(name, args = {}, options) {
      calls++
      const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: args }, options)
      check(name, structuredContent)
      const [first] = content as { type: string; text: string }[]
      return { isError, text: first?.text ?? '', said: structuredContent }
    },
  }
}

export async function agentOverHttp(
  t: TestContext,
  { url, key }: { url: string; key: string },
  revision: Revision = 'new',
): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: modes[revision] })
  const headers = { authorization: `Bearer ${key}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }))
  t.after(() => client.close())
  return agentOf(client)
}

export interface StdioAgent extends Agent {
  /** standard error of the program */
  readonly errors: () => string
}

export async function agentOverStdio(
  t: TestContext,
  { url, key }: { url: string; key: string },
  { revision = 'new', args = [] }: { revision?: Revision; args?: string[] } = {},
): Promise<StdioAgent> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: modes[revision] })
  const env = { PATH: process.env['PATH'] ?? '', VITRINE_URL: url, VITRINE_KEY: key }
  const transport = new StdioClientTransport({
    command: resolve('bin/vitrine'),
    args: ['mcp', ...args],
    env,
    stderr: 'pipe' as const,
  })
  let errors = ''
  transport.stderr?.on('data', (part: Buffer) => (errors += part.toString()))
  await client.connect(transport)
  t.after(() => client.close())
  return { ...(await agentOf(client)), errors: () => errors }
}

export const feedback = 'listBetaFeedbackSubmissions'

/** an agent over a service and the sandbox, with a key that reads everything */
export async function startAgent(t: TestContext) {
  const { service, sandbox, close } = await startOverSandbox()
  t.after(close)
  const agent = await agentOverHttp(t, service)
  return { service, sandbox, ...agent, acme: { connection: 'acme' } }
}
