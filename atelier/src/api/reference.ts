// The reference pages, derived from the definitions that check requests: one for the routes, one for the problems.
import { problems } from '../problems.ts'
import { codesOf, takesSession } from './openapi.ts'
import type { AnswerDefinition, DescribedSchema, RouteDefinition } from './route.ts'

const credentials = {
  key: 'API key',
  session: 'browser session; POST and DELETE also `X-CSRF-Token` and `Origin`',
  either: 'API key of any scope, or browser session',
  none: 'none',
} as const

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  rows.length === 0
    ? ''
    : [heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n')

/** bounds as a reader writes them */
function boundsOf({
  enum: words,
  minimum,
  maximum,
  minLength,
  maxLength,
  minItems,
  maxItems,
  pattern,
}: DescribedSchema) {
  const range = (least: number | undefined, most: number | undefined, unit: string) =>
    least === undefined && most === undefined ? [] : [`${least ?? 0} to ${most ?? '…'}${unit}`]
  return [
    ...(words ? [words.map((word) => `\`${word}\``).join(', ')] : []),
    ...range(minimum, maximum, ''),
    ...range(minLength, maxLength, ' characters'),
    ...range(minItems, maxItems, ' items'),
    ...(pattern === undefined || words ? [] : [`\`${pattern}\``]),
  ].join('; ')
}

const typeOf = ({ type }: DescribedSchema): string => [type].flat().join(' or ')

function membersOf(schema: DescribedSchema, prefix = ''): string[][] {
  const { properties = {}, required = [] } = schema
  return Object.entries(properties).flatMap(([name, inner]) => {
    const described = inner as DescribedSchema & { readonly default?: unknown }
    const standard = required.includes(name)
      ? 'required'
      : described.default === undefined
        ? ''
        : `\`${JSON.stringify(described.default)}\``
    const text = [described.description ?? '', boundsOf(described)].filter(Boolean).join(' ')
    return [[`\`${prefix}${name}\``, typeOf(described), standard, text], ...membersOf(described, `${prefix}${name}.`)]
  })
}

const queryRows = ({ query = {} }: RouteDefinition): string[][] =>
  Object.entries(query).map(([name, { schema, description, required, isList, isRepeated }]) => {
    const several = isList ? ', separated by commas' : isRepeated ? ', repeatable' : ''
    const standard = required ? 'required' : schema.default === undefined ? '' : `\`${JSON.stringify(schema.default)}\``
    return [
      `\`${name}\``,
      `${schema.type}${several}`,
      standard,
      [description, boundsOf(schema)].filter(Boolean).join(' '),
    ]
  })

const answerRows = ({ answers }: RouteDefinition): string[][] =>
  Object.entries(answers).flatMap(([status, definition]) =>
    [definition].flat().map((answer: AnswerDefinition) => {
      const what = 'json' in answer ? `JSON \`${answer.json}\`` : 'media' in answer ? `\`${answer.media}\`` : ''
      return [status, what, answer.description]
    }),
  )

function routeSection(route: RouteDefinition): string {
  const { method, path, operationId, summary, description, credential, scope, body, streamedBody, makes } = route
  const schema = body?.schema ?? streamedBody?.schema
  const parts = [
    `## ${method} ${path}`,
    `${summary} (\`${operationId}\`).${description === undefined ? '' : ` ${description}`}`,
    `Credential: ${credentials[credential]}${takesSession(route) ? ', or `Authorization: Session <csrfToken>` with its cookie (an addition to the contract)' : ''}.${scope === undefined ? '' : ` Scope: \`${scope}\`.`}${makes ? ' Takes an `Idempotency-Key`.' : ''}`,
    table(['Parameter', 'Type', 'Default', 'What it is'], queryRows(route)),
    streamedBody
      ? `Body: ${streamedBody.mediaTypes.map((type) => `\`${type}\``).join(' or ')}. ${streamedBody.description}`
      : '',
    table(['Member', 'Type', 'Default', 'What it is'], schema ? membersOf(schema) : []),
    body?.example ? `\`\`\`json\n${JSON.stringify(body.example, null, 2)}\n\`\`\`` : '',
    table(['Status', 'Answer', ''], answerRows(route)),
    `Refusals: ${[...new Set(codesOf(route))].map((code) => `[\`${code}\`](problems.md#${code})`).join(', ')}.`,
  ]
  return parts.filter(Boolean).join('\n\n')
}

export const routesPage = (routes: readonly RouteDefinition[]): string =>
  `# Routes\n\nDerived from the definitions that check requests; \`/openapi.json\` says the same for programs.\n\n${routes.map(routeSection).join('\n\n')}\n`

export function problemsPage(): string {
  const sections = Object.entries(problems)
    .toSorted(([, a], [, b]) => a.status - b.status)
    .map(([code, { status, type, summary, cure, retryable }]) => {
      const head = `## ${code}\n\nHTTP ${status}, type \`${type}\`.${retryable ? ' The same request may succeed later.' : ''}`
      return `${head}\n\n${summary} ${cure}`
    })
  return `# Problems\n\nEvery refusal is \`{"error": {"type", "message", "requestId", "details"?}}\`; a \`code\` is added where it says more than the type.\n\n${sections.join('\n\n')}\n`
}
