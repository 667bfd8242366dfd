// An agent over the program, as its host starts it: the protocol's own client, in either revision.
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { resolve } from 'node:path'
import type { Place } from '../commands/program.ts'

export type Revision = 'old' | 'new'

export interface Told {
  readonly isError: boolean
  readonly text: string
  readonly said: any
}

const modes = { old: { mode: 'legacy' }, new: { mode: { pin: '2026-07-28' } } } as const

export interface AgentOptions {
  readonly revision?: Revision
  readonly args?: readonly string[]
}

export async function startAgent({ url, key }: Place, { revision = 'new', args = [] }: AgentOptions = {}) {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: modes[revision] })
  const env = { PATH: process.env['PATH'] ?? '', ATELIER_URL: url, ATELIER_KEY: key }
  const transport = new StdioClientTransport({
    command: resolve('bin/atelier'),
    args: ['mcp', ...args],
    env,
    stderr: 'pipe' as const,
  })
  let errors = ''
  transport.stderr?.on('data', (part: Buffer) => (errors += part.toString()))
  await client.connect(transport)
  let calls = 0
  return {
    client,
    pid: () => transport.pid ?? 0,
    errors: () => errors,
    calls: () => calls,
    async call(name: string, args: Record<string, unknown> = {}, options?: { signal?: AbortSignal }): Promise<Told> {
      calls++
      const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: args }, options)
      const [first] = content as { text: string }[]
      return { isError, text: first?.text ?? '', said: structuredContent }
    },
    close: () => client.close(),
  }
}

export type Agent = Awaited<ReturnType<typeof startAgent>>
