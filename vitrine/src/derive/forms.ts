// Operations as forms for the console, as strict as the engine: a form reports what would be refused before it is sent.
import { type Field, isList, type Link, type Route } from '../catalogue/define.ts'
import { exampleIds } from '../catalogue/examples.ts'
import { sourcesOf } from '../catalogue/id-sources.ts'
import { pageSize, type Parameter, pathNames, pathParameterText, queryParameters } from '../catalogue/parameters.ts'
import { idType, typeName } from '../catalogue/descriptions.ts'

export interface ParameterForm {
  readonly name: string
  readonly description: string
  readonly kind: 'choice' | 'choices' | 'text' | 'texts' | 'integer' | 'fields' | 'cursor'
  readonly required: boolean
  readonly values?: readonly string[]
  /** other values are accepted, too */
  readonly open?: true
  /** no value twice, with or without a `-` in front */
  readonly unique?: true
  readonly minimum?: number
  readonly maximum?: number
  readonly standard?: string
  readonly most?: number
  readonly pattern?: string
}

interface FieldForm {
  readonly name: string
  readonly description: string
  readonly type: string
  readonly kind: 'attribute' | 'linkage'
  readonly image?: 'url' | 'template' | 'list'
}

export type OperationForm = ReturnType<typeof formOf>

/** no control characters, lone surrogates or dot segments */
const idPattern = String.raw`^(?!(?:[^]*\/)?\.\.?(?:\/|$))[^\p{Cc}\p{Cs}]+$`
/** commas separate values, and cannot be escaped: an id that becomes a filter holds none, too */
const filteredPattern = idPattern.replace('[^\\p', '[^,\\p')
const memberPattern = String.raw`^[^,\p{Cc}\p{Cs}]+$`
const cursorPattern = String.raw`^[\w-]+$`

/** `from`: an operation that lists such ids */
function idForm(name: string, route: Route, routes: readonly Route[]) {
  const list = sourcesOf(name, route, routes).find(({ field }) => field === undefined)
  const pattern = route.from.owner?.id === name ? filteredPattern : idPattern
  return { name, description: pathParameterText(name), pattern, ...(list && { from: list.operation }) }
}

function kindOf({ kind, values, isSingle }: Parameter): Omit<ParameterForm, 'name' | 'description' | 'required'> {
  if (kind === 'limit')
    return { kind: 'integer', minimum: 1, maximum: pageSize.most, standard: String(pageSize.standard) }
  if (kind === 'cursor') return { kind: 'cursor', pattern: cursorPattern }
  if (!values) return { kind: isSingle ? 'text' : 'texts', pattern: memberPattern }
  if (kind === 'filter') return { kind: isSingle ? 'choice' : 'choices', values }
  const keys = new Set(values.map((value) => value.replace(/^-/, '')))
  return { kind: kind === 'fields' ? 'fields' : 'choices', values, unique: true, most: keys.size }
}

function parameterForm(parameter: Parameter): ParameterForm {
  const { name, about: description } = parameter
  const { kind, ...rest } = kindOf(parameter)
  return { name, description, kind, required: false, ...rest }
}

function imageOf({ picture, properties = {}, items }: Field): FieldForm['image'] {
  if (items?.picture) return 'list'
  if (!picture) return undefined
  return 'templateUrl' in properties ? 'template' : 'url'
}

function attributeForm([name, field]: readonly [string, Field]): FieldForm {
  const image = imageOf(field)
  const said = { name, description: field.about ?? '', type: typeName(field), kind: 'attribute' } as const
  return { ...said, ...(image !== undefined && { image }) }
}

const linkForm = ([name, { about }]: readonly [string, Link]): FieldForm => ({
  name,
  description: about,
  type: idType,
  kind: 'linkage',
})

function formOf(route: Route, routes: readonly Route[]) {
  const { operation, group, summary, about: description = '', path, example, returns } = route
  return {
    operation,
    group,
    summary,
    description,
    path,
    isList: isList(route),
    ids: pathNames(route).map((name) => idForm(name, route, routes)),
    parameters: queryParameters(route).map(parameterForm),
    fields: [
      ...Object.entries(returns?.attributes ?? {}).map(attributeForm),
      ...Object.entries(returns?.links ?? {}).map(linkForm),
    ],
    example: { ids: exampleIds(route), query: Object.fromEntries(new URLSearchParams(example.split('?')[1] ?? '')) },
  }
}

export const formsOf = (routes: readonly Route[]): OperationForm[] => routes.map((route) => formOf(route, routes))
