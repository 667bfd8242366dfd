// A route's example as it is sent: with curl, at the command line, in TypeScript, by an agent. How the page in the browser
// writes the same is in src/http/docs/samples.js.
import { isList, type Route } from '../../catalogue/define.ts'
import { exampleParams } from '../../catalogue/examples.ts'
import { connectionPath } from '../../catalogue/parameters.ts'
import { shellWord } from '../shell-word.ts'
import { argumentText } from '../typescript.ts'

/** where the sandbox's only account is */
const connection = 'demo'
const origin = 'http://127.0.0.1:8080'

export function curlSample({ example }: Route): string {
  const target = `${connectionPath.replace('{connectionId}', connection)}${example}`.replaceAll("'", '%27')
  return `curl '${origin}${target}' -H "Authorization: Bearer $VITRINE_KEY"`
}

export function commandSample(route: Route): string {
  const options = Object.entries(exampleParams(route)).map(([name, value]) => `--${name} ${shellWord(String(value))}`)
  return ['vitrine read', route.operation, `--connection ${connection}`, ...options].join(' ')
}

/** as an agent's call of the tool `read` */
export const agentSample = (route: Route): unknown => ({
  name: 'read',
  arguments: { operation: route.operation, connection, params: exampleParams(route) },
})

export function clientSample(route: Route): string {
  const call = `await vitrine.${route.operation}(${argumentText(exampleParams(route))})`
  return `const ${isList(route) ? '{ items, nextCursor }' : 'answer'} = ${call}`
}
