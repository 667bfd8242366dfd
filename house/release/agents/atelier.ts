// What a host of agents starts from the .mcpb bundle: `atelier mcp` without the command line around it. Its settings come from the
// environment, which the host fills from the bundle's manifest.
import { mcp } from '../../../atelier/src/commands/call/mcp.ts'
import { runAgents } from './run.ts'

await runAgents('atelier', () => mcp({}))
