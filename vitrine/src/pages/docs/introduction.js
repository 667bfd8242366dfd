// What holds for every operation, in front of them: the key, pages, errors, headers. Each part that the description
// has something for.
import { needsKey, resolved } from './description.js'
import { code, element, fold } from './element.js'
import { fieldTree } from './field-tree.js'
import { paragraphs, prose } from './prose.js'
import { sampleBox } from './sample-box.js'
import { curlOf } from './samples.js'
import { schemaView } from './schema-view.js'

function curlBox(operation) {
  const { node, show } = sampleBox(['curl'])
  show([{ name: 'curl', text: curlOf(operation, operation.path.replace('{connectionId}', 'demo')) }])
  return node
}

/** the same for those who read without a browser */
const twins = () =>
  element(
    'p.note',
    'For programs: ',
    element('a', { href: '/docs.md' }, 'this reference in Markdown'),
    ', ',
    element('a', { href: '/llms.txt' }, 'llms.txt'),
    ', ',
    element('a', { href: '/openapi.json' }, 'OpenAPI'),
    '.',
  )

function authentication({ securitySchemes = {} }, operations) {
  const schemes = Object.values(securitySchemes).flatMap(({ description: about }) => about ?? [])
  const example = operations.find((operation) => needsKey(operation))
  return [
    ...schemes.map((about) => element('p', prose(about))),
    element('p', prose('Send it with every request, as `Authorization: Bearer …`.')),
    element('p', 'To try a request on this page, type the key at the top.'),
    example ? curlBox(example) : null,
  ]
}

function paging(operations) {
  const limit = operations.flatMap(({ parameters }) => parameters.map(resolved)).find(({ name }) => name === 'limit')
  if (limit === undefined) return []
  const { default: standard, maximum } = schemaView(limit.schema)
  const size = `A page holds ${standard} items unless \`limit\` asks for another number, up to ${maximum}.`
  const walk = 'Send the latter back as `cursor`, with the same filters and ordering, until it is null:'
  return [
    element('p', prose(`A list answers \`items\` and \`nextCursor\`. ${walk} only that marks the end.`)),
    element('p', prose(size)),
  ]
}

function errors({ schemas = {} }) {
  const form = 'Every refusal has the same form. Branch on its `type` or `code`; the message is for people. '
  const all = element('a', { href: '/errors' }, 'All errors, and what to do about each')
  return [
    element('p', ...prose(form), all, '.'),
    schemas.Problem ? fold('Fields of an error', () => fieldTree(schemas.Problem)) : null,
  ]
}

/** every header that some answer is said to carry */
function headers(operations) {
  const answers = operations.flatMap(({ responses }) => Object.values(responses).map(resolved))
  const named = new Map(answers.flatMap((answer) => Object.entries(answer.headers ?? {})))
  if (named.size === 0) return []
  const rows = [...named].flatMap(([name, header]) => [
    element('dt', code(name)),
    element('dd', prose(resolved(header).description ?? '')),
  ])
  return [element('dl.notes', rows)]
}

/** nothing where there is nothing to say */
function part(name, content) {
  if (content.length === 0) return []
  const id = `about-${name.toLowerCase()}`
  return [{ name, section: element('section.intro', { id }, element('h2', name), content) }]
}

/** the sections, each with the name it has in the contents */
export function introduction({ info = {}, components = {} }, operations) {
  const title = element('h1', info.title ?? 'Reference')
  const about = paragraphs(info.description ?? '')
  const first = element('section.intro', { id: 'introduction' }, title, about, twins())
  return [
    { name: 'Introduction', section: first },
    ...part('Authentication', authentication(components, operations)),
    ...part('Paging', paging(operations)),
    ...part('Errors', errors(components)),
    ...part('Headers', headers(operations)),
  ]
}
