// `atelier mcp`: an MCP server over standard input and output. At its end, whatever that is, the agent's containers are removed.
import { serveOverStdio } from '../../../../base/agents/over-stdio.ts'
import { say } from '../../../../base/cli/output.ts'
import { counted } from '../../../../base/core/plural.ts'
import { redact } from '../../../../base/core/redact.ts'
import { createAgentServer } from '../../agents/server.ts'
import { AgentSession } from '../../agents/session.ts'
import type { Atelier, Container } from '../../../client/atelier.ts'
import { findContainer } from './find.ts'
import { perform } from './perform.ts'
import { type Signals, unlessAborted } from './signals.ts'
import type { TargetOptions } from './target.ts'

interface McpOptions extends TargetOptions {
  readonly image?: string
  readonly container?: string
}

async function findGiven(atelier: Atelier, word: string | undefined): Promise<Container | undefined> {
  if (word === undefined) return undefined
  const { items } = await atelier.listContainers({ id: await findContainer(atelier, word) })
  return items[0]
}

const note = (error: unknown) => {
  const words = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`${redact(words)}\n`)
}

async function serve(session: AgentSession, { signal }: Signals) {
  const server = () => createAgentServer(session, { note })
  try {
    await unlessAborted(
      serveOverStdio(server, (words) => say(redact(`atelier: ${words}`))),
      signal,
    )
  } finally {
    const left = await session.close()
    if (left.length > 0)
      say(
        `atelier: ${counted(left.length, 'container')} could not be removed, and will end by themselves: ${left.join(' ')}`,
      )
  }
}

export function mcp({ image, container, ...options }: McpOptions): Promise<never> {
  return perform(options, async ({ atelier, signals }) => {
    const given = await findGiven(atelier, container)
    if (process.stdin.isTTY) say('This is a Model Context Protocol server for agents. Ctrl-D ends it.')
    await serve(new AgentSession(atelier, { image, given }), signals)
    return 0
  })
}
