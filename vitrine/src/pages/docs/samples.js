// A request in the words of those who send it: curl, the command line, the TypeScript client. The key is named in each,
// never written into one. docs/reference has the same lines for each operation's example.
import { answerOf, needsKey, tokenName } from './description.js'
import { schemaView, valueSchema } from './schema-view.js'

const variables = { facadeKey: 'VITRINE_KEY', operatorToken: 'VITRINE_OPERATOR_TOKEN' }
const inQuotes = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`

/** `body`: JSON, if the operation takes any */
export function curlOf(operation, target, body) {
  const method = operation.method === 'get' ? '' : `-X ${operation.method.toUpperCase()} `
  const key = needsKey(operation) ? ` -H "Authorization: Bearer $${variables[tokenName()] ?? 'TOKEN'}"` : ''
  const content = body === undefined ? '' : ` -H 'Content-Type: application/json' -d ${inQuotes(body)}`
  return `curl ${method}'${location.origin}${target}'${key}${content}`
}

const plainWord = /^[\w.,:@/+-]+$/
const quoted = (text) => (plainWord.test(text) ? text : inQuotes(text))

/** what has a value, the connection aside */
const givenOf = (fields) =>
  fields
    .map(({ parameter, read }) => ({ parameter, text: read() }))
    .filter(({ parameter, text }) => text !== '' && parameter.name !== 'connectionId')

/** the connection as it stands in the panel */
const connectionIn = (fields) => fields.find(({ parameter }) => parameter.name === 'connectionId')?.read() ?? ''

const usual = 'http://127.0.0.1:8080'

/** a value that begins as an option does is taken in one word alone */
const option = (name, text) => `--${name}${text.startsWith('--') ? '=' : ' '}${quoted(text)}`

function commandOf({ operationId }, fields) {
  const where = location.origin === usual ? '' : ` --url ${location.origin}`
  const options = givenOf(fields).map(({ parameter, text }) => ` ${option(parameter.name, text)}`)
  return `vitrine read ${operationId}${where} ${option('connection', connectionIn(fields))}${options.join('')}`
}

const literal = (text) => `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`

function memberOf({ parameter, text }) {
  const [type] = schemaView(valueSchema(parameter.schema)).types
  const name = /^\w+$/.test(parameter.name) ? parameter.name : literal(parameter.name)
  if (type === 'integer' && /^\d+$/.test(text)) return `${name}: ${text}`
  return `${name}: ${type === 'array' ? `[${text.split(',').map(literal).join(', ')}]` : literal(text)}`
}

function clientOf(operation, fields) {
  const given = givenOf(fields).map(memberOf).join(', ')
  const isList = 'nextCursor' in (schemaView(answerOf(operation)?.[1].schema ?? {}).properties ?? {})
  const answer = isList ? '{ items, nextCursor }' : 'answer'
  const call = `${operation.operationId}(${given && `{ ${given} }`})`
  return `const vitrine = new Vitrine({ url: '${location.origin}', key, connection: ${literal(connectionIn(fields))} })
const ${answer} = await vitrine.${call}`
}

/** the command line and the client know the operations of the platform */
export function samplesOf(operation, target, fields, body) {
  const curl = { name: 'curl', text: curlOf(operation, target, body) }
  if (!operation['x-reviewed']) return [curl]
  return [
    curl,
    { name: 'Command line', text: commandOf(operation, fields) },
    { name: 'TypeScript', text: clientOf(operation, fields) },
  ]
}
