// What the sandbox really answers to each route's example, through the whole service.
import { routes } from '../../src/catalogue/index.ts'
import type { Examples } from '../../src/derive/openapi.ts'
import { openExampleService } from './example-service.ts'

/** long enough that answers of a day and of a year ago are the same */
const sealed = 'a sealed cursor'

export async function askRoutes(): Promise<Examples> {
  const service = await openExampleService()
  const examples: Record<string, unknown> = {}
  for (const { operation, example } of routes) {
    const headers = { authorization: `Bearer ${service.key}` }
    const answer = await fetch(`${service.url}/v1/connections/demo${example}`, { headers })
    const body = (await answer.json()) as Record<string, unknown>
    if (answer.status !== 200) {
      // a new route is described without an answer until the sandbox knows its resource
      process.stderr.write(`the sandbox does not answer the example of ${operation}: ${answer.status}\n`)
      continue
    }
    if (typeof body['nextCursor'] === 'string') body['nextCursor'] = sealed
    examples[operation] = body
  }
  await service.close()
  return examples
}
