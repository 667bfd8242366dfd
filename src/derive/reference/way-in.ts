// The page in front of the others: what the service is, how it is asked, how lists go on, how it refuses, and every
// operation by its group.
import { type Group, groupWords, type Route } from '../../catalogue/define.ts'
import { connectionPath, pageSize } from '../../catalogue/parameters.ts'
import { about, keyWords } from '../openapi.ts'
import { cursorWords } from '../schema.ts'
import { code, fence, json, link, list, page, part } from './markdown.ts'
import { bodyOf } from '../problem-responses.ts'
import { clientSample, commandSample, curlSample } from './samples.ts'

/** how a program gets in; the first route stands for all */
function authentication(first: Route): string {
  return part(
    'Authentication',
    `${keyWords} Send it with every request, as ${code('Authorization: Bearer …')}. ${code('GET /v1/whoami')} says what it may do.`,
    `Every route is below a connection: a store account under a name of the operator's. The sandbox has one, ${code('demo')}. The same request three times:`,
    fence('sh', `export VITRINE_KEY=vtr_…\n${curlSample(first)}\n${commandSample(first)}`),
    fence(
      'ts',
      `import { Vitrine } from './vitrine.ts'\n\nconst vitrine = new Vitrine({ url: 'http://127.0.0.1:8080', key, connection: 'demo' })\n${clientSample(first)}`,
    ),
    `The client is one file, ${code('client/vitrine.ts')} of the release of your service: ${link('copy it beside the program', '../guides/client.md')}.`,
    `The description for programs is [OpenAPI 3.1](openapi.json).`,
  )
}

const paging = (): string =>
  part(
    'Paging',
    `A list answers ${code('items')} and ${code('nextCursor')}. ${cursorWords} Only that null marks the end: a page may hold fewer items than were asked for, even none. Filters and ${code('sort')} stay the same along a walk. A page holds ${pageSize.standard} items unless ${code('limit')} asks for another number, up to ${pageSize.most}.`,
  )

const errors = (): string =>
  part(
    'Errors',
    `Every refusal has this form. Branch on ${code('type')} (a closed list) or ${code('code')} (finer, more may come); ${code('message')} is for people. Where ${code('retryable')} is true the same request may succeed later: wait for ${code('Retry-After')} where it is given. ${link('Every code', 'errors.md')} has a page with its cure.`,
    json(bodyOf('unknown_parameter')),
  )

function operations(routes: readonly Route[]): string[] {
  const byGroup = Map.groupBy(routes, ({ group }) => group)
  return (Object.keys(groupWords) as Group[]).flatMap((group) => {
    const rows = byGroup.get(group)
    if (!rows) return []
    const lines = rows.map(({ operation, summary }) => `${link(operation, `routes/${operation}.md`)}: ${summary}`)
    return [`### ${group}`, groupWords[group], list(lines)]
  })
}

export function wayIn(routes: readonly Route[]): string {
  const [first] = routes
  return page(
    'Reference',
    about,
    ...(first ? [authentication(first)] : []),
    paging(),
    errors(),
    part(
      'Operations',
      `Each path follows ${code(connectionPath)}; ${link('one table', 'routes.md')} has them all.`,
      ...operations(routes),
    ),
    part(
      'Settings',
      `Those who run the service find ${link('every setting', 'settings.md')} with its default and an example.`,
    ),
  )
}
