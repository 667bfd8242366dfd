// The only door: a table of commands. Each lives in a file of its own, and is loaded when it is called.
import { Command } from 'commander'
import { version } from './derive/version.ts'
import { redact } from './redact.ts'

// a reader who has gone, or a full disk under the log, is no reason to die
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

// a defect ends the process, and its stack goes through the same net as every other line
process.on('uncaughtException', (error) => {
  process.stderr.write(`${redact(error.stack ?? String(error))}\n`)
  process.exit(1)
})

const program = new Command('vitrine')
  .description('A read-only facade over App Store Connect: keys that can only look.')
  .version(version)
  .configureHelp({ showGlobalOptions: true })
  .configureOutput({ writeErr: (text) => void process.stderr.write(redact(text)) })
  .showHelpAfterError('(vitrine --help lists the commands)')

const withConfig = (command: Command): Command =>
  command.option('--config <file>', 'settings file (else VITRINE_CONFIG, else vitrine.json here)')

withConfig(program.command('serve').description('start the service'))
  .option('--workers <n>', 'answer with so many processes (default: the workers setting)')
  .action(async (options) => (await import('./commands/serve.ts')).serve(options))
program
  .command('worker', { hidden: true })
  .description('one of the processes of serve, which starts it')
  .action(async () => (await import('./commands/worker.ts')).worker())
program
  .command('demo')
  .description('start the service over a sandbox platform: no account needed')
  .option('--data <folder>', 'where the demo keeps its files', 'data/demo')
  .option('--trouble <rule...>', 'let the sandbox platform misbehave, such as latency=300 or 429:10@/v1/apps')
  .action(async (options) => (await import('./commands/demo.ts')).demo(options))
program
  .command('sandbox')
  .description('start a pretend platform to point a service at')
  .option('--port <port>', 'port on 127.0.0.1', '8090')
  .option('--data <folder>', 'where its signing key is kept', 'data/sandbox')
  .option('--trouble <rule...>', 'misbehave, such as latency=300 or 429:10@/v1/apps')
  .option('--linkages', 'supply linkages unasked', false)
  .action(async (options) => (await import('./commands/sandbox.ts')).sandbox(options))
program
  .command('routes')
  .description('list the routes with their groups and review stamps')
  .action(async () => (await import('./commands/routes.ts')).routes())
program
  .command('explain')
  .description('say what a request would ask of the platform, and ask nothing')
  .argument('<url>', "path and query, such as '/v1/connections/demo/apps?limit=5'")
  .option('--linkage', 'as on a connection with linkage "asked"', false)
  .action(async (url, options) => (await import('./commands/explain.ts')).explain(url, options))
program
  .command('openapi')
  .description('print the OpenAPI description')
  .option('--operator', "of the operator's door", false)
  .action(async (options) => (await import('./commands/openapi.ts')).openapi(options))

const withCredential = (command: Command): Command =>
  withConfig(command)
    .requiredOption('--key-id <id>', 'id of the signing key at the platform')
    .option('--issuer-id <id>', 'issuer of a team key; without it the key is an individual one')
    .option('--key-file <file>', 'the .p8 file as it was downloaded; - for standard input')
    .option('--key-env <variable>', 'or the variable that holds it')
    .option('--no-check', 'store it without asking the platform first')

const connections = program.command('connections').description('add, try, replace and remove hosted connections')
withCredential(connections.command('add').description('store a signing key, sealed, under a name').argument('<id>'))
  .option('--linkage <word>', 'asked: ask the platform for to-one relations')
  .option('--token-scope <word>', 'request: sign each token for one GET alone')
  .action(async (id, options) => (await import('./commands/connections.ts')).addConnection(id, options))
withConfig(connections.command('list').description('list the connections, managed and hosted')).action(
  async (options) => (await import('./commands/connections.ts')).listConnections(options),
)
withConfig(connections.command('show').description('show one, without its key').argument('<id>')).action(
  async (id, options) => (await import('./commands/connections.ts')).showConnection(id, options),
)
withConfig(connections.command('check').description('try its key at the platform').argument('<id>')).action(
  async (id, options) => (await import('./commands/connections.ts')).checkConnection(id, options),
)
withCredential(
  connections
    .command('replace')
    .description('give it another signing key; the old one serves until then')
    .argument('<id>'),
).action(async (id, options) => (await import('./commands/connections.ts')).replaceConnection(id, options))
withConfig(connections.command('remove').description('remove it, at once and for good').argument('<id>'))
  .option('--yes', 'do not ask', false)
  .action(async (id, options) => (await import('./commands/connections.ts')).removeConnection(id, options))

const keys = program.command('keys').description('make, list, hand over and revoke facade keys')
withConfig(keys.command('create').description('make a key; it is printed once, alone, on the last line'))
  .requiredOption('--name <name>', 'what the key is for')
  .requiredOption('--connections <ids>', "connections it may read, separated by commas; '*' for all")
  .option('--groups <groups>', 'route groups it may read, separated by commas (default: all)')
  .option('--expires <when>', 'after a time such as 90d or 12h, or at a date such as 2027-01-31')
  .option('--per-minute <n>', 'requests a minute; 0 for no limit (default: the rateLimit.perMinute setting)')
  .option('--note <text>', 'anything that helps you to remember')
  .action(async (options) => (await import('./commands/keys.ts')).createKey(options))
withConfig(keys.command('list').description('list the keys, without their secrets')).action(async (options) =>
  (await import('./commands/keys.ts')).listKeys(options),
)
withConfig(keys.command('show').description('show one key, without its secret').argument('<id>')).action(
  async (id, options) => (await import('./commands/keys.ts')).showKey(id, options),
)
withConfig(
  keys.command('reroll').description('make a successor with the same grants; the old key ends').argument('<id>'),
)
  .option('--overlap <time>', 'how long both are good, such as 24h; 0 ends the old one at once', '24h')
  .action(async (id, options) => (await import('./commands/keys.ts')).rerollKey(id, options))
withConfig(keys.command('revoke').description('revoke a key, at once and for good').argument('<id>')).action(
  async (id, options) => (await import('./commands/keys.ts')).revokeKey(id, options),
)

const vault = program.command('vault').description('the master keys, and what they seal')
withConfig(vault.command('status').description('which master key wraps how much')).action(async (options) =>
  (await import('./commands/vault.ts')).vaultStatus(options),
)
withConfig(vault.command('rotate').description('move everything under the first master key')).action(async (options) =>
  (await import('./commands/vault.ts')).rotateVault(options),
)
withConfig(vault.command('verify').description('open every stored credential, and say which do not open')).action(
  async (options) => (await import('./commands/vault.ts')).verifyVault(options),
)
vault
  .command('new-key')
  .description('print a fresh master key')
  .option('--id <id>', 'what to call it', `k${new Date().toISOString().slice(0, 10).replaceAll('-', '')}`)
  .action(async (options) => (await import('./commands/vault.ts')).newMasterKey(options))

withConfig(program.command('status').description('ask the running service how it and its connections stand'))
  .argument('[id]', 'only this connection')
  .option('--url <url>', "origin of the operator's door (default: the operatorListen setting)")
  .action(async (id, options) => (await import('./commands/status.ts')).status(id, options))

withConfig(program.command('audit').description('who did what, when and from where, newest first'))
  .option('--limit <n>', 'how many lines', '50')
  .option('--before <seq>', 'only lines before this one')
  .option('--act <act>', 'only this act, such as keys.revoke, or its first word')
  .option('--target <id>', 'only what was done to this')
  .option('--who <who>', 'only what this one did')
  .option('--denied', 'only what was refused', false)
  .option('--verify', 'check instead that no line was changed or taken out', false)
  .action(async (options) => (await import('./commands/audit.ts')).audit(options))

const store = program.command('store').description('the store: its schema, its soundness, its move to another one')
withConfig(store.command('migrate').description('bring the schema up to date')).action(async (options) =>
  (await import('./commands/store.ts')).migrate(options),
)
withConfig(store.command('check').description('check file, schema, rows and audit')).action(async (options) =>
  (await import('./commands/store.ts')).check(options),
)
withConfig(store.command('copy').description('copy the whole installation into another store, and verify it'))
  .requiredOption('--to <store>', 'sqlite:PATH or postgres://USER@HOST/DATABASE, empty or half copied before')
  .action(async (options) => (await import('./commands/store.ts')).copy(options))

try {
  await program.parseAsync()
} catch (error) {
  // what a person can mend is said in words; only a defect shows its stack
  const { Complaint } = await import('./commands/complaint.ts')
  const words = error instanceof Complaint ? `vitrine: ${error.message}` : (error as Error).stack
  process.stderr.write(`${redact(words ?? String(error))}\n`)
  // parts that were opened before the failure would keep the process alive
  process.exit(1)
}
