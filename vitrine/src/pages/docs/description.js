// The OpenAPI description behind /openapi.json: reads it, follows its references, puts its operations into groups.
// How a schema is read stands in schema-view.js.

let description = {}

export async function readDescription() {
  let response
  try {
    response = await fetch('/openapi.json', { credentials: 'omit' })
  } catch {
    throw new Error('the service cannot be reached')
  }
  if (!response.ok) throw new Error(`the service answered ${response.status}`)
  try {
    description = await response.json()
  } catch {
    throw new Error('it is not whole')
  }
  return description
}

/** follows a $ref inside the description */
export function resolved(node) {
  let at = node
  for (let hops = 0; at?.$ref !== undefined && hops < 8; hops += 1)
    at = at.$ref
      .slice(2)
      .split('/')
      .reduce((inside, key) => inside?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], description)
  return at ?? {}
}

/** the tags in their order, each with its operations and what is said about it */
export function groupsOf({ paths = {}, tags = [], security = [] }) {
  const operations = Object.entries(paths).flatMap(([path, { get }]) =>
    get ? [{ path, tag: get.tags?.[0] ?? 'other', security, parameters: [], ...get }] : [],
  )
  const byTag = Map.groupBy(operations, ({ tag }) => tag)
  const about = new Map(tags.map((tag) => [tag.name, tag.description]))
  return [...new Set([...about.keys(), ...byTag.keys()])]
    .filter((tag) => byTag.has(tag))
    .map((tag) => ({ tag, about: about.get(tag), operations: byTag.get(tag) }))
}

export const needsKey = ({ security }) => security.length > 0

/** the media type of an operation's answer: its schema and its example */
export const answerOf = ({ responses }) => resolved(responses['200']).content?.['application/json'] ?? {}
