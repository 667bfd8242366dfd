// A route's example as a request: with curl, at the command line, in TypeScript, by an agent.
import { isList, type Route } from '../../catalogue/define.ts'
import { exampleParams } from '../../catalogue/examples.ts'
import { connectionPath } from '../../catalogue/parameters.ts'
import { callLine, commandLine, curlLine, usualOrigin } from '../../samples.ts'

/** the sandbox's connection */
const connection = 'demo'

export const curlSample = ({ example }: Route): string =>
  curlLine(`${usualOrigin}${connectionPath.replace('{connectionId}', connection)}${example}`)

export const commandSample = (route: Route): string =>
  commandLine({ operation: route.operation, connection, values: exampleParams(route) })

/** a call of the tool `read` */
export const agentSample = (route: Route): unknown => ({
  name: 'read',
  arguments: { operation: route.operation, connection, params: exampleParams(route) },
})

export const clientSample = (route: Route): string =>
  callLine({ operation: route.operation, values: exampleParams(route) }, isList(route))
