// The OpenAPI description that the page names: reads it, follows its references, puts its operations into groups.
// How a schema is read stands in schema-view.js.

let description = {}

/** the public and the operator endpoint name different ones */
const address = () => document.querySelector('link[rel=service-desc]').getAttribute('href')

export async function readDescription(url = address()) {
  let response
  try {
    response = await fetch(url, { credentials: 'omit' })
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

const methods = ['get', 'post', 'put', 'patch', 'delete']

const operationsAt = (path, item, security) =>
  methods
    .filter((method) => item[method] !== undefined)
    .map((method) => ({
      path,
      method,
      tag: item[method].tags?.[0] ?? 'other',
      security,
      parameters: [],
      ...item[method],
    }))

/** the tags in their order, each with its operations and its description */
export function groupsOf({ paths = {}, tags = [], security = [] }) {
  const operations = Object.entries(paths).flatMap(([path, item]) => operationsAt(path, item, security))
  const byTag = Map.groupBy(operations, ({ tag }) => tag)
  const about = new Map(tags.map((tag) => [tag.name, tag.description]))
  return [...new Set([...about.keys(), ...byTag.keys()])]
    .filter((tag) => byTag.has(tag))
    .map((tag) => ({ tag, about: about.get(tag), operations: byTag.get(tag) }))
}

const isBearer = (name) => description.components?.securitySchemes?.[name]?.scheme === 'bearer'

/** the name of the token that all requests are sent with */
export const tokenName = () => Object.keys(description.components?.securitySchemes ?? {}).find(isBearer) ?? ''

export const needsKey = ({ security }) => security.some((scheme) => Object.keys(scheme).some(isBearer))

/** [media type, content] of a successful answer; undefined without one */
export function answerOf({ responses }) {
  const [, answer] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  return Object.entries(resolved(answer).content ?? {})[0]
}

export const bodyOf = ({ requestBody }) => resolved(requestBody).content?.['application/json']

/** its summary and description */
export const aboutOf = ({ summary, description: more }) => [summary && `${summary}.`, more].filter(Boolean).join('\n\n')
