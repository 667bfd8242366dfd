// What a host of agents starts from the .mcpb bundle: `vitrine mcp` without the command line around it. Its settings come from the
// environment, which the host fills from the bundle's manifest.
import { mcp } from '../../../vitrine/src/commands/mcp.ts'
import { runAgents } from './run.ts'

await runAgents('vitrine', () => mcp({}))
