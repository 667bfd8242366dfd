// The bundles for hosts of agents: judged by the makers of the format, unpacked as a host does, and used over the sandbox.
import { unpackExtension } from '@anthropic-ai/mcpb'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { bundleOf, registryEntryOf, type Service } from '../../../house/release/agents/bundles.ts'
import { startOverSandbox } from '../support/service.ts'

interface Manifest {
  readonly name: string
  readonly tools: readonly { readonly name: string; readonly description: string }[]
  readonly server: {
    readonly entry_point: string
    readonly mcp_config: { readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> }
  }
  readonly user_config: Readonly<Record<string, { readonly required: boolean; readonly default?: string }>>
}

const scratch = mkdtempSync(join(tmpdir(), 'bundles-'))
test.after(() => rmSync(scratch, { recursive: true, force: true }))
const bundles = { vitrine: await bundleOf('vitrine'), atelier: await bundleOf('atelier') }
const services = Object.keys(bundles) as Service[]

async function unpacked(service: Service): Promise<{ folder: string; manifest: Manifest }> {
  const [file, folder] = [join(scratch, `${service}.mcpb`), join(scratch, service)]
  writeFileSync(file, bundles[service])
  assert.ok(await unpackExtension({ mcpbPath: file, outputDir: folder, silent: true }))
  return { folder, manifest: JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Manifest }
}

/** what a host starts for these answers of its user, as the manifest says */
function commandOf({ folder, manifest }: { folder: string; manifest: Manifest }, answers: Record<string, string>) {
  const fill = (text: string) =>
    text
      .replaceAll('${__dirname}', folder)
      .replaceAll(
        /\$\{user_config\.(\w+)\}/g,
        (_, name: string) => answers[name] ?? manifest.user_config[name]?.default ?? '',
      )
  const { args, env } = manifest.server.mcp_config
  const filled = Object.entries(env).map(([name, value]) => [name, fill(value)])
  return { args: args.map(fill), env: Object.fromEntries(filled) as Record<string, string> }
}

test('a bundle has a valid manifest, one program, the licences in it, and nothing else', async () => {
  const schema = createRequire(import.meta.url)('@anthropic-ai/mcpb/mcpb-manifest-v0.3.schema.json') as object
  const ajv = new Ajv({ strict: false })
  addFormats.default(ajv)
  const fits = ajv.compile(schema)
  for (const service of services) {
    const { folder, manifest } = await unpacked(service)
    assert.ok(fits(manifest), JSON.stringify(fits.errors))
    assert.equal(manifest.name, service)
    assert.deepEqual(readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted(), [
      'LICENSE',
      'manifest.json',
      'server',
      'server/index.mjs',
      'server/licences.txt',
    ])
    const program = readFileSync(join(folder, manifest.server.entry_point), 'utf8')
    assert.doesNotMatch(program, /\/(?:tmp|home|root|Users)\/|sourceMappingURL/)
    assert.match(readFileSync(join(folder, 'server/licences.txt'), 'utf8'), /^@modelcontextprotocol\/server \d/m)
    assert.equal(statSync(join(folder, 'server/index.mjs')).mode & 0o777, 0o644)
    assert.ok(bundles[service].length < 400_000, `${bundles[service].length} bytes`)
  }
})

async function start(t: TestContext, service: Service, answers: Record<string, string>) {
  const bundle = await unpacked(service)
  const client = new Client({ name: 'test', version: '1' })
  // not in the checkout, whose node_modules it could find
  const options = { command: process.execPath, ...commandOf(bundle, answers), cwd: bundle.folder }
  await client.connect(new StdioClientTransport(options))
  t.after(() => client.close())
  const { tools } = await client.listTools()
  assert.deepEqual(
    tools.map(({ name, description }) => ({ name, description })),
    bundle.manifest.tools,
  )
  return client
}

test('a host starts it with what its user entered, and the agent reads over the sandbox', async (t) => {
  const { service, close } = await startOverSandbox()
  t.after(close)
  const client = await start(t, 'vitrine', { url: service.url, key: service.key, connection: 'acme' })
  const params = { fields: ['name'], limit: 2 }
  const answer = await client.callTool({ name: 'read', arguments: { operation: 'listApps', params } })
  assert.notEqual(answer.isError, true, JSON.stringify(answer))
  assert.match(JSON.stringify(answer.structuredContent), /Tidal Charts/)
})

test("Atelier's starts with its tools before its service is asked for anything", async (t) => {
  const begin = `atl_${'0'.repeat(8)}_${'a'.repeat(43)}`
  const key = `${begin}_${createHash('sha256').update(begin).digest('hex').slice(0, 6)}`
  const client = await start(t, 'atelier', { url: 'http://127.0.0.1:9', key })
  const answer = await client.callTool({ name: 'create_container', arguments: {} })
  assert.equal(answer.isError, true)
})

test('without its key a bundle says what to do, and standard output stays empty', async () => {
  for (const service of services) {
    const { args, env } = commandOf(await unpacked(service), {})
    const child = spawn(process.execPath, args, { env, cwd: scratch })
    let [out, err] = ['', '']
    child.stdout.on('data', (part: Buffer) => (out += part.toString()))
    child.stderr.on('data', (part: Buffer) => (err += part.toString()))
    child.stdin.end()
    const [code] = await once(child, 'close')
    assert.deepEqual([code, out], [3, ''], err)
    assert.match(err, new RegExp(`^${service}: There is no \\w+ key: set ${service.toUpperCase()}_KEY`))
  }
})

test('equal sources give the same bundle', async () => {
  assert.deepEqual(await bundleOf('vitrine'), bundles.vitrine)
})

const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength })
const variable = {
  type: 'object',
  required: ['name', 'description', 'isRequired', 'isSecret'],
  properties: {
    name: { type: 'string', pattern: '^[A-Z_]+$' },
    description: text(200),
    isRequired: { type: 'boolean' },
    isSecret: { type: 'boolean' },
    default: text(200),
  },
  additionalProperties: false,
}
/** the members that we use of the registry's schema of 2025-12-11, and what the registry demands of bundles */
const entrySchema = {
  type: 'object',
  required: ['$schema', 'name', 'description', 'version', 'packages'],
  properties: {
    $schema: { const: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json' },
    name: { type: 'string', minLength: 3, maxLength: 200, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' },
    title: text(100),
    description: text(100),
    version: { type: 'string', pattern: String.raw`^\d+\.\d+\.\d+$` },
    repository: {
      type: 'object',
      required: ['url', 'source'],
      properties: { url: { type: 'string', format: 'uri' }, source: { const: 'github' }, subfolder: text(100) },
      additionalProperties: false,
    },
    packages: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['registryType', 'identifier', 'fileSha256', 'transport'],
        properties: {
          registryType: { const: 'mcpb' },
          identifier: {
            type: 'string',
            format: 'uri',
            pattern: String.raw`^https://github\.com/.+/releases/download/.+mcp`,
          },
          fileSha256: { type: 'string', pattern: '^[a-f0-9]{64}$' },
          transport: { type: 'object', required: ['type'], properties: { type: { const: 'stdio' } } },
          environmentVariables: { type: 'array', items: variable },
        },
        additionalProperties: false,
      },
    },
  },
  additionalProperties: false,
}

test('the entry for the registry of a release fits its rules, and names no repository of its own', () => {
  const ajv = new Ajv2020()
  addFormats.default(ajv)
  const fits = ajv.compile(entrySchema)
  for (const service of services) {
    const entry = registryEntryOf(service, 'some/where', bundles[service])
    assert.ok(fits(entry), JSON.stringify(fits.errors))
    assert.equal(entry.name, `io.github.some/${service}`)
    const secrets = entry.packages[0]?.environmentVariables.filter(({ isSecret }) => isSecret) ?? []
    assert.deepEqual(
      secrets.map(({ name, isRequired }) => [name, isRequired]),
      [[`${service.toUpperCase()}_KEY`, true]],
    )
  }
})
