// What can be asked through a connection, as forms need it: derived from the catalogue, and as strict as the engine is, so
// that what a form takes is sent, and what would be refused is said before it is.
import { type Field, isList, type Route } from '../catalogue/define.ts'
import { exampleIds } from '../catalogue/examples.ts'
import { sourcesOf } from '../catalogue/id-sources.ts'
import { pageSize, type Parameter, pathNames, pathParameterWords, queryParameters } from '../catalogue/parameters.ts'
import { idType, typeWords } from '../catalogue/type-words.ts'

export interface IdForm {
  readonly name: string
  readonly description: string
  readonly pattern: string
  /** the operation that lists such ids */
  readonly from?: string
}

export interface ParameterForm {
  readonly name: string
  readonly description: string
  readonly kind: 'choice' | 'choices' | 'text' | 'texts' | 'integer' | 'fields' | 'cursor'
  readonly required: boolean
  readonly values?: readonly string[]
  /** other values are taken too */
  readonly open?: true
  /** no value twice, whether or not a `-` stands before it */
  readonly unique?: true
  readonly minimum?: number
  readonly maximum?: number
  readonly standard?: string
  readonly most?: number
  /** of each value */
  readonly pattern?: string
}

export interface FieldForm {
  readonly name: string
  readonly description: string
  readonly type: string
  readonly kind: 'attribute' | 'linkage'
  readonly image?: 'url' | 'template' | 'list'
}

export interface Form {
  readonly operation: string
  readonly group: string
  readonly summary: string
  readonly description: string
  readonly path: string
  readonly isList: boolean
  readonly ids: readonly IdForm[]
  readonly parameters: readonly ParameterForm[]
  readonly fields: readonly FieldForm[]
  readonly example: {
    readonly ids: Readonly<Record<string, string>>
    readonly query: Readonly<Record<string, string>>
  }
}

/** no control characters, no halves of letters, and no dots alone between slashes */
const idPattern = String.raw`^(?!(?:[^]*\/)?\.\.?(?:\/|$))[^\p{Cc}\p{Cs}]+$`
/** a comma separates, and cannot be escaped */
const memberPattern = String.raw`^[^,\p{Cc}\p{Cs}]+$`
/** letters of base64url */
const cursorPattern = String.raw`^[\w-]+$`

function idForm(name: string, route: Route, routes: readonly Route[]): IdForm {
  const list = sourcesOf(name, route, routes).find(({ field }) => field === undefined)
  return { name, description: pathParameterWords(name), pattern: idPattern, ...(list && { from: list.operation }) }
}

function kindOf({ kind, values }: Parameter): Pick<ParameterForm, 'kind'> & Partial<ParameterForm> {
  if (kind === 'limit')
    return { kind: 'integer', minimum: 1, maximum: pageSize.most, standard: String(pageSize.standard) }
  if (kind === 'cursor') return { kind: 'cursor', pattern: cursorPattern }
  if (!values) return { kind: 'texts', pattern: memberPattern }
  if (kind === 'filter') return { kind: 'choices', values }
  const keys = new Set(values.map((value) => value.replace(/^-/, '')))
  return { kind: kind === 'fields' ? 'fields' : 'choices', values, unique: true, most: keys.size }
}

const parameterForm = (parameter: Parameter): ParameterForm => {
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
  const said = { name, description: field.about ?? '', type: typeWords(field), kind: 'attribute' } as const
  return { ...said, ...(image !== undefined && { image }) }
}

const fieldForms = ({ returns }: Route): FieldForm[] => [
  ...Object.entries(returns?.attributes ?? {}).map(attributeForm),
  ...Object.entries(returns?.links ?? {}).map(([name, { about }]): FieldForm => ({
    name,
    description: about,
    type: idType,
    kind: 'linkage',
  })),
]

function formOf(route: Route, routes: readonly Route[]): Form {
  const { operation, group, summary, about: description = '', path, example } = route
  return {
    ...{ operation, group, summary, description, path, isList: isList(route) },
    ids: pathNames(route).map((name) => idForm(name, route, routes)),
    parameters: queryParameters(route).map(parameterForm),
    fields: fieldForms(route),
    example: { ids: exampleIds(route), query: Object.fromEntries(new URLSearchParams(example.split('?')[1] ?? '')) },
  }
}

export const formsOf = (routes: readonly Route[]): Form[] => routes.map((route) => formOf(route, routes))
