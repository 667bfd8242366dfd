// The only door: a table of commands. Each lives in a file of its own, and is loaded when it is called. Long because it is a table.
import { Command, Option } from 'commander'
import { resolve } from 'node:path'
import { version } from './derive/version.ts'
import { redact } from './redact.ts'

// a reader who has gone, or a full disk under the log, is no reason to die; what a command put out and is lost, is a failure
process.stderr.on('error', () => {})
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE' || process.exitCode) return
  process.exitCode = 1
  process.stderr.write(`vitrine: the output cannot be written (${code ?? message}).\n`)
})

// a defect ends the process, and its stack goes through the same net as every other line
process.on('uncaughtException', (error) => {
  process.stderr.write(`${redact(error.stack ?? String(error))}\n`)
  process.exit(1)
})

const configWords = 'settings file (else VITRINE_CONFIG, else vitrine.json here)'

const program = new Command('vitrine')
  .description('A read-only facade over App Store Connect: keys that can only look.')
  .version(version)
  // taken out of the words before they are read; here it is completed, and not shown beside the option of a command
  .addOption(new Option('--config <file>', configWords).hideHelp())
  .configureHelp({ showGlobalOptions: true })
  .configureOutput({ writeErr: (text) => void process.stderr.write(redact(text)) })
  .showHelpAfterError('(vitrine --help lists the commands)')
  // behind a command, every word is the command's: `vitrine read` has parameters of its own
  .enablePositionalOptions()
  .addHelpText(
    'after',
    `\nEvery command takes --config FILE, before its name and behind it: the ${configWords}.\n\nExamples:\n  vitrine demo                 try it, without an account\n  vitrine read                 what can be read\n  vitrine read listApps --help its parameters, and lines to paste`,
  )

const withConfig = (command: Command): Command => command.option('--config <file>', configWords)

/** wrong words end it with the code that the command itself has for them */
const withExits = (command: Command): Command =>
  command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))

/** who asks a running service with a facade key; `read` has the same words (commands/read/options.ts) */
const withService = (command: Command, keyFile = 'the facade key, instead of VITRINE_KEY'): Command =>
  command
    .option('--url <address>', 'where the service is (default: VITRINE_URL, or http://127.0.0.1:8080)')
    .option('--key-file <file>', keyFile)
    .option(
      '--insecure',
      'allow plain http to another machine, in a network of your own: the key can be read there',
      false,
    )

program.commandsGroup('To run it:')
withConfig(withExits(program.command('serve').description('start the service')))
  .option('--workers <n>', 'answer with so many processes (default: the workers setting)')
  .option('--check', 'look at all that it would stand on, say what is wrong with it, and start nothing', false)
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
  .option('--disorder <name>', 'prepare an installation with one disorder, for vitrine doctor; none for a healthy one')
  .action(async (options) => (await import('./commands/sandbox.ts')).sandbox(options))
program.commandsGroup('To read through it:')
program
  .command('read')
  .description('read the store account through a service: vitrine read --help teaches it by example')
  .argument('[operation]', 'such as listApps; without it, what there is')
  .argument('[parameters...]', '--parameter value, as the operation has them')
  .allowUnknownOption()
  .passThroughOptions()
  .helpOption(false)
  .action(async (_operation, _parameters, _options, { args }: Command) =>
    (await import('./commands/read.ts')).read(args),
  )
withExits(withService(program.command('whoami'), 'the facade key, instead of VITRINE_KEY; - for standard input'))
  .description('say what the facade key in VITRINE_KEY may read')
  .option('--timeout <time>', 'how long it may take, such as 10s')
  .addOption(
    new Option('-o, --output <format>', 'default: table on a terminal, json behind a pipe').choices(['table', 'json']),
  )
  .action(async (options) => (await import('./commands/whoami.ts')).whoami(options))
withExits(withService(program.command('mcp')))
  .description('let an agent read through a running service, over standard input and output')
  .option('--connection <id>', 'read where the agent names none (default: VITRINE_CONNECTION)')
  .action(async (options) => (await import('./commands/mcp.ts')).mcp(options))
withExits(program.command('completion'))
  .description('print a script that completes commands, operations, parameters and their values')
  .argument('<shell>', 'bash, zsh or fish')
  .action(async (shell) => (await import('./commands/completion.ts')).completion(shell))
program
  .command('complete', { hidden: true })
  .description('what may stand at the cursor, for the script of completion')
  .argument('[words...]')
  .helpOption(false)
  .action(async (words) => (await import('./commands/complete.ts')).complete(words, program))
program.commandsGroup('To know what it reads:')
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
// 1 is drift alone, also where it was called wrongly
withExits(program.command('review'))
  .description("hold the routes against the vendor's OpenAPI file: what is gone, what changed, what is new")
  .argument('<file>', 'the JSON document; - for standard input')
  .option('--fail-on <level>', 'break, change or addition: from which on the exit code is 1', 'change')
  .option('--json', 'JSON on a terminal, too', false)
  .option('--stamp', 'write the stamps of the reviewed routes into this checkout', false)
  .option('--date <day>', 'day of the stamps (default: today, UTC)')
  .action(async (file, options) => (await import('./commands/review.ts')).review(file, options))

const withCredential = (command: Command): Command =>
  withConfig(command)
    .requiredOption('--key-id <id>', 'id of the signing key at the platform')
    .option('--issuer-id <id>', 'issuer of a team key; without it the key is an individual one')
    .option('--key-file <file>', 'the .p8 file as it was downloaded; - for standard input')
    .option('--key-env <variable>', 'or the variable that holds it')
    .option('--no-check', 'store it without asking the platform first')

program.commandsGroup('To look after it:')
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
  .requiredOption('--connections <ids>', "connections it may read, separated by commas; '*' for all, later ones too")
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

withConfig(program.command('doctor').description('look the installation over, and name what is ill with its cure'))
  .argument('[connection...]', 'only these connections')
  .option('--json', 'print JSON also on a terminal', false)
  .action(async (ids, options) => (await import('./commands/doctor.ts')).doctor(ids, options))

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

program
  .helpCommand(false)
  .commandsGroup('Help:')
  .command('help')
  .description('what a command takes: vitrine help read listApps')
  .argument('[words...]', 'a command, and what stands behind it')
  .action(async (words: string[]) => {
    const isKnown = program.commands.some((command) => command.name() === words[0])
    // what is no command is refused as without help, with the nearest
    await program.parseAsync(isKnown || words.length === 0 ? [...words, '--help'] : words, { from: 'user' })
  })

try {
  const { takeConfig, checkConfig } = await import('./commands/config-option.ts')
  const { words, file } = takeConfig(process.argv.slice(2))
  if (file !== undefined) {
    process.env['VITRINE_CONFIG'] = file
    // these two look the installation over, and report a file that is missing among the rest
    program.hook('preAction', (_, command) => {
      if (!['doctor', 'serve'].includes(command.name())) checkConfig(resolve(file))
    })
  }
  await program.parseAsync(words, { from: 'user' })
} catch (error) {
  // what a person can mend is said in words; only a defect shows its stack
  const { Complaint } = await import('./commands/complaint.ts')
  const complaint = error instanceof Complaint ? error : undefined
  const words = complaint ? `vitrine: ${complaint.message}` : (error as Error).stack
  process.stderr.write(`${redact(words ?? String(error))}\n`)
  // parts that were opened before the failure would keep the process alive
  process.exit(complaint?.exitCode ?? 1)
}
