// The command line: a table of commands, each loaded when it is called. Long because it is a table.
import { Command, Option } from 'commander'
import { resolve } from 'node:path'
import { version } from './version.ts'
import { printableLines } from '../../base/core/printable.ts'
import { redact } from '../../base/core/redact.ts'

// a closed or full log must not end the process; lost output of a command is a failure
process.stderr.on('error', () => {})
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE' || process.exitCode) return
  process.exitCode = 1
  process.stderr.write(`vitrine: the output cannot be written (${code ?? message}).\n`)
})

// the stack of a defect is redacted like any other line
process.on('uncaughtException', (error) => {
  process.stderr.write(`${redact(error.stack ?? String(error))}\n`)
  process.exit(1)
})

const configWords = 'settings file (default: VITRINE_CONFIG, or vitrine.json in this folder)'

const program = new Command('vitrine')
  .description('A read-only facade over App Store Connect: keys that can only look.')
  .version(version)
  // taken out of the arguments before they are parsed; listed here for completion only
  .addOption(new Option('--config <file>', configWords).hideHelp())
  .configureHelp({ showGlobalOptions: true })
  .configureOutput({ writeErr: (text) => void process.stderr.write(redact(text)) })
  .showHelpAfterError('(vitrine --help lists the commands)')
  // `vitrine read` parses its own parameters
  .enablePositionalOptions()
  .addHelpText(
    'after',
    `\nEvery command takes --config FILE, before or after its name: the ${configWords}.\n\nExamples:\n  vitrine demo                 try it without an account\n  vitrine read                 list what can be read\n  vitrine read listApps --help parameters, and examples to paste`,
  )

const withConfig = (command: Command): Command => command.option('--config <file>', configWords)

/** usage errors end with the command's own exit code */
const withExits = (command: Command): Command =>
  command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))

/** options of commands that use a facade key, as in commands/read/options.ts */
const withService = (command: Command, keyFile = 'the facade key, instead of VITRINE_KEY'): Command =>
  command
    .option('--url <address>', 'where the service is (default: VITRINE_URL, or http://127.0.0.1:8080)')
    .option('--key-file <file>', keyFile)
    .option(
      '--insecure',
      'allow plain http to another machine, in a network of your own: the key can be read there',
      false,
    )

program.commandsGroup('Run:')
withConfig(withExits(program.command('serve').description('start the service')))
  .option('--check', 'check everything the service needs, report problems, and start nothing', false)
  .action(async (options) => (await import('./commands/serve.ts')).serve(options))
program
  .command('demo')
  .description('start the service with a sandbox platform; no account needed')
  .option('--data <folder>', 'where the demo keeps its files', 'data/demo')
  .option('--trouble <rule...>', 'inject faults into the sandbox platform, such as latency=300 or 429:10@/v1/apps')
  .action(async (options) => (await import('./commands/demo.ts')).demo(options))
program
  .command('sandbox')
  .description('start a simulated platform for a service')
  .option('--port <port>', 'port on 127.0.0.1', '8090')
  .option('--data <folder>', 'where its signing key is kept', 'data/sandbox')
  .option('--trouble <rule...>', 'inject faults, such as latency=300 or 429:10@/v1/apps')
  .option('--linkages', 'include linkages in every answer', false)
  .option(
    '--disorder <name>',
    'write an installation that is broken in one way, for vitrine doctor; none for a healthy one',
  )
  .action(async (options) => (await import('./commands/sandbox.ts')).sandbox(options))
program.commandsGroup('Read:')
program
  .command('read')
  .description('read the store account through a service: see vitrine read --help')
  .argument('[operation]', 'such as listApps; without it, the list of operations')
  .argument('[parameters...]', '--parameter value, by operation')
  .allowUnknownOption()
  .passThroughOptions()
  .helpOption(false)
  .action(async (_operation, _parameters, _options, { args }: Command) =>
    (await import('./commands/read.ts')).read(args),
  )
withExits(withService(program.command('whoami'), 'the facade key, instead of VITRINE_KEY; - for standard input'))
  .description('show what the facade key in VITRINE_KEY may read')
  .option('--timeout <time>', 'how long it may take, such as 10s')
  .addOption(
    new Option('-o, --output <format>', 'default: table on a terminal, otherwise json').choices(['table', 'json']),
  )
  .action(async (options) => (await import('./commands/whoami.ts')).whoami(options))
withExits(withService(program.command('mcp')))
  .description('let an agent read through a running service, over standard input and output')
  .option('--connection <id>', 'connection to read if the agent names none (default: VITRINE_CONNECTION)')
  .action(async (options) => (await import('./commands/mcp.ts')).mcp(options))
withExits(program.command('completion'))
  .description('print a script that completes commands, operations, parameters and their values')
  .argument('<shell>', 'bash, zsh or fish')
  .action(async (shell) => (await import('./commands/completion.ts')).completion(shell))
program
  .command('complete', { hidden: true })
  .description('candidates at the cursor, for the completion script')
  .argument('[words...]')
  .helpOption(false)
  .action(async (words) => (await import('./commands/complete.ts')).complete(words, program))
program.commandsGroup('Inspect:')
program
  .command('routes')
  .description('list the routes with their groups and review stamps')
  .action(async () => (await import('./commands/routes.ts')).routes())
program
  .command('explain')
  .description('show the platform calls of a request without making them')
  .argument('<url>', "path and query, such as '/v1/connections/demo/apps?limit=5'")
  .option('--linkage', 'as on a connection with linkage "asked"', false)
  .option('--without-personal', 'as for a key without the grant `personal`', false)
  .option('--apps', 'as for a key for some apps: also the listings that prove what is below them', false)
  .action(async (url, options) => (await import('./commands/explain.ts')).explain(url, options))
program
  .command('openapi')
  .description('print the OpenAPI description')
  .option('--operator', 'that of the operator endpoint', false)
  .action(async (options) => (await import('./commands/openapi.ts')).openapi(options))
// exit code 1 means drift only, even after a usage error
withExits(program.command('review'))
  .description("compare the routes with the vendor's OpenAPI document: what is gone, changed or new")
  .argument('<file>', 'the JSON document; - for standard input')
  .option('--fail-on <level>', 'break, change or addition: the lowest level with exit code 1', 'change')
  .option('--json', 'print JSON on a terminal, too', false)
  .option('--stamp', 'write the stamps of the reviewed routes into this checkout', false)
  .option('--date <day>', 'day of the stamps (default: today, UTC)')
  .action(async (file, options) => (await import('./commands/review.ts')).review(file, options))

const withCredential = (command: Command): Command =>
  withConfig(command)
    .requiredOption('--key-id <id>', 'id of the signing key at the platform')
    .option('--issuer-id <id>', 'issuer of a team key; without it the key is an individual one')
    .option('--key-file <file>', 'the .p8 file as it was downloaded; - for standard input')
    .option('--key-env <variable>', 'or the variable that contains it')
    .option('--no-check', 'store it without checking it at the platform')

program.commandsGroup('Operate:')
const connections = program.command('connections').description('add, check, replace and remove hosted connections')
withCredential(connections.command('add').description('store a signing key, encrypted, under a name').argument('<id>'))
  .option(
    '--linkage <word>',
    'asked: with every read, ask for the ids of all related resources; otherwise only where rows say nothing without',
  )
  .option('--token-scope <word>', 'request: sign each token for one GET only')
  .action(async (id, options) => (await import('./commands/connections.ts')).addConnection(id, options))
withConfig(connections.command('list').description('list the connections, managed and hosted')).action(
  async (options) => (await import('./commands/connections.ts')).listConnections(options),
)
withConfig(connections.command('show').description('show a connection, without its key').argument('<id>')).action(
  async (id, options) => (await import('./commands/connections.ts')).showConnection(id, options),
)
withConfig(connections.command('check').description('check its key at the platform').argument('<id>')).action(
  async (id, options) => (await import('./commands/connections.ts')).checkConnection(id, options),
)
withCredential(
  connections
    .command('replace')
    .description('replace its signing key; the old one is used until then')
    .argument('<id>'),
).action(async (id, options) => (await import('./commands/connections.ts')).replaceConnection(id, options))
withConfig(connections.command('remove').description('remove a connection, at once and permanently').argument('<id>'))
  .option('--yes', 'do not ask for confirmation', false)
  .action(async (id, options) => (await import('./commands/connections.ts')).removeConnection(id, options))

const keys = program.command('keys').description('create, list, reroll and revoke facade keys')
withConfig(keys.command('create').description('create a key; it is printed once, on the last line'))
  .requiredOption('--name <name>', 'what the key is for')
  .requiredOption('--connections <ids>', "connections it may read, separated by commas; '*' for all, later ones too")
  .option('--groups <groups>', 'route groups it may read, separated by commas (default: all)')
  .option('--expires <when>', "after a time such as 12h, at a date such as 2027-01-31, or 'never' (default: 90d)")
  .option('--apps <ids>', 'apps that it is for, by id, separated by commas (default: all)')
  .option('--personal', 'show it personal data, such as the e-mail addresses of testers')
  .option('--per-minute <n>', 'requests a minute; 0 for no limit (default: the rateLimit.perMinute setting)')
  .option('--platform-calls-per-hour <n>', 'calls to the platform that it may cause an hour (default: no budget)')
  .option('--note <text>', 'for operators only')
  .action(async (options) => (await import('./commands/keys.ts')).createKey(options))
withConfig(keys.command('list').description('list the keys, without their secrets')).action(async (options) =>
  (await import('./commands/keys.ts')).listKeys(options),
)
withConfig(keys.command('show').description('show one key, without its secret').argument('<id>')).action(
  async (id, options) => (await import('./commands/keys.ts')).showKey(id, options),
)
withConfig(
  keys.command('reroll').description('create a successor with the same grants; the old key ends').argument('<id>'),
)
  .option('--overlap <time>', 'how long both are valid, such as 24h; 0 ends the old one at once', '24h')
  .option(
    '--expires <when>',
    "when the successor ends: 90d, 2027-01-31 or 'never' (default: when the old key would have)",
  )
  .action(async (id, options) => (await import('./commands/keys.ts')).rerollKey(id, options))
withConfig(keys.command('revoke').description('revoke a key, at once and permanently').argument('<id>')).action(
  async (id, options) => (await import('./commands/keys.ts')).revokeKey(id, options),
)

const vault = program.command('vault').description('the master keys, and what they encrypt')
withConfig(vault.command('status').description('show how many credentials each master key encrypts')).action(
  async (options) => (await import('./commands/vault.ts')).vaultStatus(options),
)
withConfig(vault.command('rotate').description('encrypt everything with the active (first) master key')).action(
  async (options) => (await import('./commands/vault.ts')).rotateVault(options),
)
withConfig(vault.command('verify').description('decrypt every stored credential, and report failures')).action(
  async (options) => (await import('./commands/vault.ts')).verifyVault(options),
)
vault
  .command('new-key')
  .description('print a new master key')
  .option('--id <id>', 'its id', `k${new Date().toISOString().slice(0, 10).replaceAll('-', '')}`)
  .action(async (options) => (await import('./commands/vault.ts')).newMasterKey(options))

program
  .command('operator')
  .description('what operators sign in with')
  .command('token')
  .description('create a token for the operator endpoint and the console, and print it')
  .option('--file <file>', 'write it to this new file instead, which only this user can read')
  .action(async (options) => (await import('./commands/operator-token.ts')).operatorToken(options))

withConfig(program.command('status').description('show the state of the running service and its connections'))
  .argument('[id]', 'only this connection')
  .option('--url <url>', 'origin of the operator endpoint (default: the operatorListen setting)')
  .action(async (id, options) => (await import('./commands/status.ts')).status(id, options))

withConfig(program.command('doctor').description('check the installation, and report problems with their fixes'))
  .argument('[connection...]', 'only these connections')
  .option('--all', 'one line for each connection, at one platform call each', false)
  .option('--output <form>', 'table or json, instead of table on a terminal and json in a pipe')
  .option('--json', 'print JSON on a terminal, too', false)
  .action(async (ids, options) => (await import('./commands/doctor.ts')).doctor(ids, options))

withConfig(program.command('audit').description('show the audit log, newest first'))
  .option('--limit <n>', 'how many lines', '50')
  .option('--before <seq>', 'only lines before this one')
  .option('--key <id>', 'only what this facade key did, and what was done to it')
  .option('--from <when>', 'only from this moment on: 24h (ago), 2027-01-31 or 2027-01-31T12:00Z')
  .option('--to <when>', 'only before this moment')
  .option('--act <act>', 'only this act, such as keys.revoke, or its first word')
  .option('--target <id>', 'only lines about this id')
  .option('--who <who>', 'only lines of this actor')
  .option('--denied', 'only refusals', false)
  .option('--verify', 'verify instead that no line was changed or removed', false)
  .addOption(
    new Option('-o, --output <format>', 'default: table on a terminal, otherwise json').choices([
      'table',
      'json',
      'csv',
    ]),
  )
  .action(async (options) => (await import('./commands/audit.ts')).audit(options))

const store = program.command('store').description('migrate, check or copy the store')
withConfig(store.command('migrate').description('bring the schema up to date')).action(async (options) =>
  (await import('./commands/store.ts')).migrate(options),
)
withConfig(store.command('check').description('check file, schema, rows and audit')).action(async (options) =>
  (await import('./commands/store.ts')).check(options),
)
withConfig(store.command('copy').description('copy the whole installation into another store, and verify it'))
  .requiredOption('--to <store>', 'sqlite:PATH or postgres://USER@HOST/DATABASE, empty or half copied before')
  .action(async (options) => (await import('./commands/store.ts')).copy(options))

program
  .helpCommand(false)
  .commandsGroup('Help:')
  .command('help')
  .description('show the help of a command, such as vitrine help read listApps')
  .argument('[words...]', 'a command and its arguments')
  .action(async (words: string[]) => {
    const isKnown = program.commands.some((command) => command.name() === words[0])
    // an unknown command is refused with the nearest name
    await program.parseAsync(isKnown || words.length === 0 ? [...words, '--help'] : words, { from: 'user' })
  })

try {
  const { takeConfig, checkConfig } = await import('./commands/config-option.ts')
  const { words, file } = takeConfig(process.argv.slice(2))
  if (file !== undefined) {
    process.env['VITRINE_CONFIG'] = file
    // these two report a missing file among other problems
    program.hook('preAction', (_, command) => {
      if (!['doctor', 'serve'].includes(command.name())) checkConfig(resolve(file))
    })
  }
  await program.parseAsync(words, { from: 'user' })
} catch (error) {
  // only a defect shows its stack
  const { UserError } = await import('../../base/cli/user-error.ts')
  const complaint = error instanceof UserError ? error : undefined
  const words = complaint ? printableLines(`vitrine: ${complaint.message}`) : (error as Error).stack
  process.stderr.write(`${redact(words ?? String(error))}\n`)
  // open parts would keep the process alive
  process.exit(complaint?.exitCode ?? 1)
}
