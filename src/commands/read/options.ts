// The options that every `vitrine read` has, whatever is read: parsing, help and completion take them from here.

export const formats = ['table', 'json', 'ndjson', 'csv'] as const
export type Format = (typeof formats)[number]

export interface OwnOption {
  readonly about: string
  /** what stands for its value; without it the option is a switch */
  readonly value?: string
  readonly values?: readonly string[]
  readonly short?: string
  /** the value is a file, for completion */
  readonly isFile?: true
}

export const ownOptions = {
  all: { about: 'walk to the end of the list, not only one page' },
  output: {
    ...{ about: 'how it is printed (default: table on a terminal, json behind a pipe)', value: 'FORMAT', short: 'o' },
    values: formats,
  },
  connection: { about: 'which connection (default: VITRINE_CONNECTION, or the only one of the key)', value: 'ID' },
  url: { about: 'where the service is (default: VITRINE_URL, or http://127.0.0.1:8080)', value: 'ADDRESS' },
  insecure: { about: 'allow plain http to another machine, in a network of your own: the key can be read there' },
  'key-file': { about: 'the facade key, instead of VITRINE_KEY; - for standard input', value: 'FILE', isFile: true },
  timeout: { about: 'how long one request may take with its repeats, such as 60s or 2m', value: 'TIME' },
  wide: { about: 'table: cut nothing, leave no column out' },
  raw: { about: 'csv: leave cells that a spreadsheet would take for a formula as they are' },
  bom: { about: 'csv: begin with a byte order mark, which some spreadsheets need for UTF-8' },
  help: { about: 'this, or what an operation takes, with examples to paste', short: 'h' },
} as const satisfies Readonly<Record<string, OwnOption>>

export type OwnName = keyof typeof ownOptions

export const ownOption = (name: string): OwnOption | undefined =>
  Object.hasOwn(ownOptions, name) ? ownOptions[name as OwnName] : undefined
