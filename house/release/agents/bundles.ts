// The bundles for hosts of agents, one for each service: a .mcpb file with a manifest and one program, `vitrine mcp` or `atelier mcp`.
import { zipSync } from 'fflate'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { tools as atelierTools } from '../../../atelier/src/agents/tools.ts'
import { licencesOf } from '../../../base/console/build/licences.mjs'
import { tools as vitrineTools } from '../../../vitrine/src/agents/tools.ts'

const root = join(import.meta.dirname, '../../..')

interface Setting {
  readonly title: string
  readonly description: string
  readonly variable: string
  readonly value?: string
  readonly isSecret?: boolean
}

interface Agents {
  readonly title: string
  /** at most 100 characters, which the MCP registry allows */
  readonly description: string
  readonly tools: readonly { readonly name: string; readonly description: string }[]
  readonly settings: Readonly<Record<string, Setting>>
}

const address = (service: string, port: number): Setting => ({
  title: 'Address',
  description: `Address of your ${service}; plain http only on this machine`,
  variable: `${service.toUpperCase()}_URL`,
  value: `http://127.0.0.1:${port}`,
})

export const agents = {
  vitrine: {
    title: 'Vitrine',
    description: 'Reads App Store Connect through your own Vitrine, with a key that can only look.',
    tools: vitrineTools,
    settings: {
      url: address('Vitrine', 8080),
      key: {
        title: 'Facade key',
        description: 'Made by the operator with: vitrine keys create',
        variable: 'VITRINE_KEY',
        isSecret: true,
      },
      connection: {
        title: 'Connection',
        description: 'Account to read where the agent names none; empty if the key reads only one',
        variable: 'VITRINE_CONNECTION',
        value: '',
      },
    },
  },
  atelier: {
    title: 'Atelier',
    description: 'Short-lived Linux containers of your own Atelier, in which an agent runs commands.',
    tools: atelierTools,
    settings: {
      url: address('Atelier', 8090),
      key: {
        title: 'API key',
        description: 'Made by the operator with: atelier keys create',
        variable: 'ATELIER_KEY',
        isSecret: true,
      },
    },
  },
} as const satisfies Record<string, Agents>

export type Service = keyof typeof agents

interface Package {
  readonly version: string
  readonly license: string
  readonly engines: { readonly node: string }
}

const readPackage = (service: Service): Package =>
  JSON.parse(readFileSync(join(root, service, 'package.json'), 'utf8')) as Package

const mapOf = <T>(settings: Readonly<Record<string, Setting>>, entry: (name: string, one: Setting) => [string, T]) =>
  Object.fromEntries(Object.entries(settings).map(([name, one]) => entry(name, one)))

/** by version 0.3 of the format, which is the one that hosts know; 0.4 adds Python's uv */
export function manifestOf(service: Service) {
  const { title, description, tools, settings }: Agents = agents[service]
  const { version, license, engines } = readPackage(service)
  return {
    manifest_version: '0.3',
    name: service,
    display_name: title,
    version,
    description,
    author: { name: `The authors of ${title}` },
    license,
    server: {
      type: 'node',
      entry_point: 'server/index.mjs',
      mcp_config: {
        command: 'node',
        args: ['${__dirname}/server/index.mjs'],
        env: mapOf(settings, (name, { variable }) => [variable, `\${user_config.${name}}`]),
      },
    },
    tools: tools.map(({ name, description }) => ({ name, description })),
    user_config: mapOf(settings, (name, { title, description, value, isSecret = false }) => [
      name,
      {
        type: 'string',
        title,
        description,
        required: isSecret,
        ...(isSecret && { sensitive: true }),
        ...(value !== undefined && { default: value }),
      },
    ]),
    compatibility: { runtimes: { node: engines.node } },
  }
}

/** The program in one file, and the licences of the packages in it. */
async function buildProgram(service: Service) {
  const built = await build({
    root,
    configFile: false,
    envDir: false,
    publicDir: false,
    logLevel: 'warn',
    // else the folder of a linked node_modules is named in the program
    resolve: { preserveSymlinks: true },
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: join(import.meta.dirname, `${service}.ts`),
      write: false,
      target: 'node24',
      minify: false,
      rollupOptions: { output: { codeSplitting: false, format: 'es', entryFileNames: 'index.mjs' } },
    },
  })
  if (!('output' in built)) throw new Error('vite answers with something else')
  const [program, ...others] = built.output
  if (program.type !== 'chunk' || others.length > 0) throw new Error('the program is not one file')
  const foreign = [...program.imports, ...program.dynamicImports].filter((one) => !one.startsWith('node:'))
  if (foreign.length > 0) throw new Error(`the program needs ${foreign.join(', ')}`)
  return { code: program.code, licences: licencesOf(Object.keys(program.modules), 'This program') }
}

/** A ZIP file with a fixed date in every time zone, and modes of its own: equal sources give equal bytes. */
function zip(files: Readonly<Record<string, string>>): Uint8Array {
  const options = { level: 9, mtime: new Date(1980, 0, 1), os: 3, attrs: 0o100_644 << 16 } as const
  const entry = (text: string): [Uint8Array, typeof options] => [new TextEncoder().encode(text), options]
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, entry(text)])))
}

export async function bundleOf(service: Service): Promise<Uint8Array> {
  const { code, licences } = await buildProgram(service)
  return zip({
    'manifest.json': `${JSON.stringify(manifestOf(service), null, 2)}\n`,
    'server/index.mjs': code,
    'server/licences.txt': licences,
    LICENSE: readFileSync(join(root, service, 'LICENSE'), 'utf8'),
  })
}

/** The entry of a release for the MCP registry, which names the bundle that the release offers for download. */
export function registryEntryOf(service: Service, repository: string, bundle: Uint8Array) {
  const { title, description, settings }: Agents = agents[service]
  const { version } = readPackage(service)
  const [owner = ''] = repository.split('/')
  const url = `https://github.com/${repository}`
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: `io.github.${owner}/${service}`,
    title,
    description,
    version,
    repository: { url, source: 'github', subfolder: service },
    packages: [
      {
        registryType: 'mcpb',
        identifier: `${url}/releases/download/v${version}/${service}-${version}.mcpb`,
        fileSha256: createHash('sha256').update(bundle).digest('hex'),
        transport: { type: 'stdio' },
        environmentVariables: Object.values(settings).map(({ variable, description, value, isSecret = false }) => ({
          name: variable,
          description,
          isRequired: isSecret,
          isSecret,
          ...(value !== undefined && value !== '' && { default: value }),
        })),
      },
    ],
  }
}

// node house/release/agents/bundles.ts FOLDER [OWNER/REPOSITORY]
if (import.meta.main) {
  const [folder = '', repository] = process.argv.slice(2)
  for (const service of Object.keys(agents) as Service[]) {
    const bundle = await bundleOf(service)
    writeFileSync(join(folder, `${service}-${readPackage(service).version}.mcpb`), bundle)
    if (repository === undefined) continue
    const entry = `${JSON.stringify(registryEntryOf(service, repository, bundle), null, 2)}\n`
    writeFileSync(join(folder, `${service}.server.json`), entry)
  }
}
