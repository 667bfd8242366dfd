// The only door: a table of commands. Each lives in a file of its own, and is loaded when it is called.
import { Command } from 'commander'
import { version } from './derive/openapi.ts'

// a reader who has gone, or a full disk under the log, is no reason to die
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const program = new Command('vitrine')
  .description('A read-only facade over App Store Connect: keys that can only look.')
  .version(version)
  .configureHelp({ showGlobalOptions: true })
  .showHelpAfterError('(vitrine --help lists the commands)')

const withConfig = (command: Command): Command =>
  command.option('--config <file>', 'settings file (else VITRINE_CONFIG, else vitrine.json here)')

withConfig(program.command('serve').description('start the service')).action(async (options) =>
  (await import('./commands/serve.ts')).serve(options),
)
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
  .action(async () => (await import('./commands/openapi.ts')).openapi())

const keys = program.command('keys').description('make, list and revoke facade keys')
withConfig(keys.command('create').description('make a key; it is printed once, alone, on the last line'))
  .requiredOption('--name <name>', 'what the key is for')
  .requiredOption('--connections <ids>', "connections it may read, separated by commas; '*' for all")
  .option('--groups <groups>', 'route groups it may read, separated by commas (default: all)')
  .option('--expires <when>', 'after a time such as 90d or 12h, or at a date such as 2027-01-31')
  .option('--per-minute <n>', 'requests a minute; 0 for no limit (default: the rateLimit.perMinute setting)')
  .action(async (options) => (await import('./commands/keys.ts')).createKey(options))
withConfig(keys.command('list').description('list the keys, without their secrets')).action(async (options) =>
  (await import('./commands/keys.ts')).listKeys(options),
)
withConfig(keys.command('show').description('show one key, without its secret').argument('<id>')).action(
  async (id, options) => (await import('./commands/keys.ts')).showKey(id, options),
)
withConfig(keys.command('revoke').description('revoke a key, at once and for good').argument('<id>')).action(
  async (id, options) => (await import('./commands/keys.ts')).revokeKey(id, options),
)

try {
  await program.parseAsync()
} catch (error) {
  // what a person can mend is said in words; only a defect shows its stack
  const { Complaint } = await import('./commands/complaint.ts')
  process.stderr.write(error instanceof Complaint ? `vitrine: ${error.message}\n` : `${(error as Error).stack}\n`)
  // parts that were opened before the failure would keep the process alive
  process.exit(1)
}
