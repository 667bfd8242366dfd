// The tool that tells what an operation takes and what comes back. It asks nothing of the platform.
import type { Field, Resource, Route } from '../catalogue/define.ts'
import { exampleParams } from '../catalogue/examples.ts'
import { pathNames, queryParameters } from '../catalogue/parameters.ts'
import { idType, linkageType, typeWords } from '../catalogue/type-words.ts'
import { Problem } from '../problem.ts'
import type { Desk, Told } from './desk.ts'
import { routeNamed } from './question.ts'
import { aboutOf, sourceNames } from './source-names.ts'
import { isWordOfOthers } from './words-of-others.ts'

/** text that people outside write is marked */
const fieldOf = (name: string, field: Field, of: Resource) => ({
  ...{ name, kind: typeWords(field) },
  ...(field.about !== undefined && { about: field.about }),
  ...(field.values && { values: field.values }),
  ...(isWordOfOthers(field.items ?? field, of) && { writtenBy: 'end-user' }),
})

const shapes = {
  one: 'One row.',
  page: 'Rows, in pages: read_all walks them; read gives one page and nextCursor.',
  ids: 'Ids alone, in pages: read_all walks them; read gives one page and nextCursor.',
  id: 'One row with an id, which may be null.',
} as const

function parametersOf(route: Route, routes: readonly Route[]) {
  const inPath = pathNames(route).map((name) => {
    const sources = sourceNames(name, route, routes)
    return {
      ...{ name, required: true, about: aboutOf(name, route, routes) },
      ...(sources.length > 0 && { from: sources }),
    }
  })
  const inQuery = queryParameters(route).map(({ name, about, values, kind }) => ({
    ...{ name, about },
    ...(values && kind !== 'fields' && { values }),
  }))
  return [...inPath, ...inQuery]
}

export async function describeOperation({ operation }: { operation: string }, desk: Desk): Promise<Told> {
  const { glass, routes, signal } = desk
  const route = routeNamed(operation, routes)
  const { groups } = await glass.whoami(signal)
  const { group, summary, about, returns, shape } = route
  // as the service says it of a read
  if (!groups.includes(group)) throw new Problem('group_not_granted', { details: { group } })
  const { attributes = {}, links = {} } = returns ?? {}
  return {
    ...{ operation, group, summary },
    ...(about !== undefined && { about }),
    returns: shapes[shape],
    parameters: parametersOf(route, routes),
    ...(returns && {
      fields: [
        { name: 'id', kind: idType },
        ...Object.entries(attributes).map(([name, field]) => fieldOf(name, field, returns)),
        ...Object.entries(links).map(([name, link]) => ({ name, kind: linkageType, about: link.about })),
      ],
    }),
    example: { operation, params: exampleParams(route) },
  }
}
