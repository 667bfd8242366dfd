// The start page of the reference: authentication, paging, errors, and all operations by group.
import { type Group, groupTexts, type Route } from '../../catalogue/define.ts'
import { beyondTag } from '../../catalogue/descriptions.ts'
import { connectionPath, pageSize } from '../../catalogue/parameters.ts'
import { apiDescription, keyText } from '../openapi.ts'
import { cursorText } from '../schema.ts'
import { code, fence, json, link, bulletList, markdownPage, part } from './markdown.ts'
import { problemBody } from '../problem-responses.ts'
import { clientSample, commandSample, curlSample } from './samples.ts'

/** `first`: the route of the example */
const authentication = (first: Route): string =>
  part(
    'Authentication',
    `${keyText} Send it with every request, as ${code('Authorization: Bearer …')}. ${code('GET /v1/whoami')} tells what the key may read.`,
    `Every route is below a connection: a store account under a name that the operator chose. The sandbox has one, ${code('demo')}. The same request in three ways:`,
    fence('sh', `export VITRINE_KEY=vtr_…\n${curlSample(first)}\n${commandSample(first)}`),
    fence(
      'ts',
      `import { Vitrine } from './vitrine.ts'\n\nconst vitrine = new Vitrine({ url: 'http://127.0.0.1:8080', key, connection: 'demo' })\n${clientSample(first)}`,
    ),
    `The client is one file, ${code('client/vitrine.ts')} of the release that your service runs: ${link('copy it into your program', '../guides/client.md')}.`,
    `The same reference for programs is [OpenAPI 3.1](openapi.json).`,
  )

const paging = (): string =>
  part(
    'Paging',
    `A list answers ${code('items')} and ${code('nextCursor')}. ${cursorText} Only null marks the end: a page may hold fewer items than ${code('limit')}, even none. Filters and ${code('sort')} stay the same for all pages of a list. ${code('limit')} is ${pageSize.standard} by default and at most ${pageSize.most}.`,
  )

const errors = (): string =>
  part(
    'Errors',
    `Every error has this form. Branch on ${code('type')} (a closed list) or ${code('code')} (finer, more may come); ${code('message')} is for people. If ${code('retryable')} is true the same request may succeed later: wait as long as ${code('Retry-After')} says, if it is given. ${link('Every code', 'errors.md')} has a page with its fix.`,
    json(problemBody('unknown_parameter')),
  )

function operations(routes: readonly Route[]): string[] {
  const byGroup = Map.groupBy(routes, ({ group }) => group)
  return (Object.keys(groupTexts) as Group[]).flatMap((group) => {
    const rows = byGroup.get(group)
    if (!rows) return []
    const lines = rows.map(
      ({ operation, summary, isBeyond }) =>
        `${link(operation, `routes/${operation}.md`)}: ${summary}${isBeyond ? ` (${beyondTag})` : ''}`,
    )
    return [`### ${group}`, groupTexts[group], bulletList(lines)]
  })
}

export function startPage(routes: readonly Route[]): string {
  const [first] = routes
  return markdownPage(
    'Reference',
    apiDescription,
    ...(first ? [authentication(first)] : []),
    paging(),
    errors(),
    part(
      'Operations',
      `Each path follows ${code(connectionPath)}. ${link('One table', 'routes.md')} has all of them.`,
      ...operations(routes),
    ),
    part('Settings', `For operators: ${link('every setting', 'settings.md')} with its default and an example.`),
  )
}
