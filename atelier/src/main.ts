// The command line of Atelier: a table of commands, each loaded when it is called.
import { Command } from 'commander'
import { printableLines } from '../../base/core/printable.ts'
import { redact } from '../../base/core/redact.ts'
import { defineCallerCommands } from './commands/call/define.ts'
import { version } from './version.ts'

process.stderr.on('error', () => {})
process.on('uncaughtException', (error) => {
  process.stderr.write(`${redact(error.stack ?? String(error))}\n`)
  process.exit(1)
})

const program = new Command('atelier')
  .description('Short-lived Linux containers over HTTP, on a Podman or Docker engine.')
  .version(version)
  .showHelpAfterError('(atelier --help lists the commands)')
  // what stands behind the image of `atelier run` belongs to the command
  .enablePositionalOptions()

const withConfig = (command: Command): Command =>
  command.option('--config <file>', 'settings file (default: ATELIER_CONFIG, or atelier.json in this folder)')

program.commandsGroup('Use a running service:')
defineCallerCommands(program)

program.commandsGroup('Operate:')
withConfig(program.command('serve').description('start the service')).action(async (options) =>
  (await import('./commands/serve.ts')).serve(options),
)

const accounts = program.command('accounts').description('create and list accounts')
withConfig(accounts.command('create').description('create an account; prints its id'))
  .requiredOption('--email <address>', 'e-mail of its holder')
  .option('--password-file <file>', 'file with the password; - for standard input; without it, for OIDC alone')
  .action(async (options) => (await import('./commands/accounts.ts')).createAccount(options))
withConfig(accounts.command('list').description('list the accounts')).action(async (options) =>
  (await import('./commands/accounts.ts')).listAccounts(options),
)

const keys = program.command('keys').description('create, list and revoke API keys')
withConfig(keys.command('create').description('create a key; it is printed once, on the last line'))
  .requiredOption('--account <email>', 'account that gets it')
  .requiredOption('--name <name>', 'what the key is for')
  .option('--scopes <scopes>', 'what it may do, separated by commas (default: everything)')
  .option('--expires <time>', 'when it expires, such as 90d (default: never)')
  .action(async (options) => (await import('./commands/keys.ts')).createKey(options))

withConfig(keys.command('list').description('list the keys of all accounts')).action(async (options) =>
  (await import('./commands/keys.ts')).listKeys(options),
)
withConfig(keys.command('revoke').description('revoke a key of any account, at once'))
  .requiredOption('--key <id>', 'id or prefix of the key, as keys list shows it')
  .action(async (options) => (await import('./commands/keys.ts')).revokeKey(options))

const images = program.command('images').description('import base images')
withConfig(images.command('import').description('make an image of the engine a base image; prints its id'))
  .requiredOption('--name <name>', 'name under which accounts see it')
  .option('--reference <reference>', 'an image that the engine has, such as localhost/base:1')
  .option('--archive <file>', 'an archive as docker save or podman save writes it')
  .action(async (options) => (await import('./commands/images.ts')).importImage(options))

withConfig(program.command('doctor').description('list the problems of the installation with their fixes')).action(
  async (options) => (await import('./commands/doctor.ts')).doctor(options),
)

withConfig(program.command('backup').description('copy the store and the SSH host key while the service runs'))
  .requiredOption('--to <folder>', 'new folder for the copies')
  .action(async (options) => (await import('./commands/backup.ts')).backup(options))

withConfig(program.command('restore').description('put a backup back, and end all sessions; stop the service before'))
  .option('--from <folder>', 'folder of `atelier backup`; without it, the store was restored by other means')
  .action(async (options) => (await import('./commands/backup.ts')).restore(options))

program
  .command('demo')
  .description('start a service with a private engine, and print commands to try; Ctrl-C removes it all')
  .option('--folder <folder>', 'private folder, which is emptied', '/var/lib/atelier-demo')
  .action(async (options) => (await import('./commands/demo.ts')).demo(options))

program.commandsGroup('Help:')
program
  .command('completion')
  .description('print a script that completes commands and options')
  .argument('<shell>', 'bash, zsh or fish')
  .action(async (shell) => (await import('./commands/completion.ts')).completion(shell))
program
  .command('complete', { hidden: true })
  .description('candidates at the cursor, for the completion script')
  .argument('[words...]')
  .allowUnknownOption()
  .passThroughOptions()
  .helpOption(false)
  .action(async (words) => (await import('./commands/completion.ts')).complete(words, program))

if (process.argv.length < 3) program.help({ error: true })
try {
  await program.parseAsync()
} catch (error) {
  const { UserError } = await import('../../base/cli/user-error.ts')
  if (!(error instanceof UserError)) throw error
  process.stderr.write(`${redact(printableLines(error.message))}\n`)
  process.exitCode = error.exitCode
}
