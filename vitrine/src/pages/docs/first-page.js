// The first page of the reference: the key, all operations by group, pages, errors and headers. Each part that the
// description has something for.
import { addressOf } from './address.js'
import { needsKey, resolved } from './description.js'
import { code, element, fold } from './element.js'
import { fieldTree } from './field-tree.js'
import { paragraphs, plural, prose, wordsOf } from './prose.js'
import { sampleBox } from './sample-box.js'
import { curlOf } from './samples.js'
import { schemaView } from './schema-view.js'

function curlBox(operation) {
  const { node, show } = sampleBox(['curl'])
  show([{ name: 'curl', text: curlOf(operation, operation.path.replace('{connectionId}', 'demo')) }])
  return node
}

/** the same for those who read without a browser; the operator endpoint serves the description only */
function forPrograms(operations) {
  const openApi = document.querySelector('link[rel=service-desc]').getAttribute('href')
  const markdown = operations.some((operation) => operation['x-reviewed'])
    ? [
        element('a', { href: '/docs.md' }, 'this reference in Markdown'),
        ', ',
        element('a', { href: '/llms.txt' }, 'llms.txt'),
        ', ',
      ]
    : null
  return element('p.note', 'For programs: ', markdown, element('a', { href: openApi }, 'OpenAPI'), '.')
}

function authentication({ securitySchemes = {} }, operations) {
  const schemes = Object.values(securitySchemes).filter(({ scheme }) => scheme === 'bearer')
  const example = operations.find((operation) => needsKey(operation) && operation.method === 'get')
  return [
    ...schemes.flatMap(({ description: about }) => (about ? element('p', prose(about)) : [])),
    element('p', prose('Send it with every request, as `Authorization: Bearer …`.')),
    element('p', 'To send requests from these pages, type it at the top.'),
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

const shortPath = (path) => path.replace('/v1/connections/{connectionId}', '…')

const operationLink = ({ operationId: id, method, path }) =>
  element(
    'li',
    element(
      'a',
      { href: addressOf(id) },
      element('span.title', wordsOf(id)),
      element(
        'span.where',
        { title: path },
        element(`span.method.${method}`, method.toUpperCase()),
        ` ${shortPath(path)}`,
      ),
    ),
  )

const groupList = ({ tag, about, operations }) =>
  element(
    'section.group',
    { 'aria-label': wordsOf(tag) },
    element('h3', wordsOf(tag)),
    about ? element('div.about', paragraphs(about)) : null,
    element('ul', operations.map(operationLink)),
  )

/** nothing where there is nothing to say */
function part(name, build) {
  const content = build().filter((one) => one !== null)
  const id = `about-${name.toLowerCase()}`
  return content.length === 0 ? [] : [{ name, id, content }]
}

const partList = ({ components = {} }, operations) => [
  ...part('Authentication', () => authentication(components, operations)),
  ...part('Paging', () => paging(operations)),
  ...part('Errors', () => errors(components)),
  ...part('Headers', () => headers(operations)),
]

/** [address, name] of the sections */
export const partsOf = (description, operations) => [
  [addressOf(), 'Introduction'],
  ...partList(description, operations).map(({ id, name }) => [`${addressOf()}#${id}`, name]),
]

const heading = (level, text) => element(level, { tabindex: '-1' }, text)

const partSection = ({ name, id, content }) => element('section.part', { id }, heading('h2', name), content)

export function firstPage(description, groups, operations) {
  const { info = {} } = description
  const [authenticationPart, ...rest] = partList(description, operations)
  const intro = element(
    'section.intro',
    { id: 'introduction' },
    heading('h1', info.title ?? 'Reference'),
    paragraphs(info.description ?? ''),
    forPrograms(operations),
  )
  return element(
    'div.first',
    element('div.parts', intro, partSection(authenticationPart)),
    element(
      'section.operations',
      { id: 'operations' },
      heading('h2', plural(operations.length, 'operation')),
      element('div.groups', groups.map(groupList)),
    ),
    element('div.parts', rest.map(partSection)),
  )
}

export const unknownPage = (id, groups) =>
  element(
    'div.first',
    element(
      'section.intro',
      heading('h1', 'There is no such operation'),
      element('p', 'No operation is called ', code(id), '. These are the ones that there are.'),
    ),
    element('section.operations', element('div.groups', groups.map(groupList))),
  )
