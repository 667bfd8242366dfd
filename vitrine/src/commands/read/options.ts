// The options of every `vitrine read` and the parameters of its operations, for parsing, help and completion.
import type { Route } from '../../catalogue/define.ts'
import { type Parameter, pathNames, pathParameterText, queryParameters } from '../../catalogue/parameters.ts'

export const formats = ['table', 'json', 'ndjson', 'csv'] as const
export type Format = (typeof formats)[number]

export interface CommonOption {
  readonly about: string
  /** placeholder of its value; an option without one is a switch */
  readonly value?: string
  readonly values?: readonly string[]
  readonly short?: string
  /** for completion: the value is a file */
  readonly isFile?: true
}

export const commonOptions = {
  all: { about: 'read to the end of the list, not only one page' },
  find: {
    about: 'search the ids that are not given in the lists that have them, step by step; --app ID begins at an app',
  },
  each: {
    about:
      'read for every row of the lists that have the ids that are not given, to the end of all; --app ID is one app',
  },
  output: {
    about: 'how it is printed (default: table on a terminal, otherwise json)',
    value: 'FORMAT',
    short: 'o',
    values: formats,
  },
  connection: { about: 'which connection (default: VITRINE_CONNECTION, or the only one of the key)', value: 'ID' },
  url: { about: 'where the service is (default: VITRINE_URL, or http://127.0.0.1:8080)', value: 'ADDRESS' },
  insecure: { about: 'allow plain http to another machine, in a network of your own: the key can be read there' },
  'key-file': { about: 'the facade key, instead of VITRINE_KEY; - for standard input', value: 'FILE', isFile: true },
  timeout: { about: 'how long one request may take, retries included, such as 60s or 2m', value: 'TIME' },
  wide: { about: 'table: show all columns in full width' },
  raw: { about: 'csv: keep cells that a spreadsheet would run as a formula' },
  bom: { about: 'csv: begin with a byte order mark, as some spreadsheets need for UTF-8' },
  help: { about: 'this help, or that of an operation', short: 'h' },
} as const satisfies Readonly<Record<string, CommonOption>>

export type CommonOptionName = keyof typeof commonOptions

export const commonOption = (name: string): CommonOption | undefined =>
  Object.hasOwn(commonOptions, name) ? commonOptions[name as CommonOptionName] : undefined

export interface CommandParameter extends Pick<Parameter, 'name' | 'about' | 'values'> {
  readonly kind: 'path' | Parameter['kind']
}

/** values of path parameters by name */
export type Ids = Readonly<Record<string, string>>

/** those of the path, then those of the query */
export const parametersOf = (route: Route): CommandParameter[] => [
  ...pathNames(route).map((name): CommandParameter => ({ name, kind: 'path', about: pathParameterText(name) })),
  ...queryParameters(route),
]
