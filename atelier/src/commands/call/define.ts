// The commands of callers, for the table of main.ts: each is loaded when it is called.
import { type Command, Option } from 'commander'

const withService = (command: Command): Command =>
  command
    .option('--url <address>', 'where the service is (default: ATELIER_URL, or http://127.0.0.1:8090)')
    .option('--key-file <file>', 'file with the API key, instead of ATELIER_KEY or ATELIER_KEY_FILE')
    .option('--insecure', 'allow plain http to another machine, in a network of your own: the key can be read there')

/** with `--`, options may stand behind the image; without it, everything behind the image is the command */
const hasDashes = process.argv.includes('--')

const output = (choices: readonly string[], standard: string): Option =>
  new Option('-o, --output <format>', `default: ${standard}`).choices(choices)

/** usage errors end with the command's own exit code */
const withExit = (command: Command, usage = 2): Command =>
  command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : usage))

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value]

function defineRun(program: Command) {
  withService(withExit(program.command('run'), 125))
    .description('run a command in a new container, which is removed at the end')
    .argument('<image>', 'name or id of an image')
    .argument('[command...]', 'the command and its arguments, behind --')
    .passThroughOptions(!hasDashes)
    .option('--memory <size>', 'memory, such as 512m or 2g (default: 512m)')
    .option('--cpu <number>', 'processors, such as 0.5 (default: 0.5)')
    .option('--timeout <time>', 'how long the command may run, such as 90s or 10m (default: 1h)')
    .option('-e, --env <variable>', 'NAME=value, or NAME for its value here; may be repeated', collect)
    .option('-w, --workdir <path>', 'working directory (default: that of the image)')
    .option('-u, --user <user>', 'uid or uid:gid (default: that of the image)')
    .option('--name <name>', 'name of the container')
    .addOption(new Option('--network <network>', 'default: none').choices(['none', 'egress']))
    .option('--egress-host <host>', 'host that it reaches, such as pypi.org or *.pypi.org; may be repeated', collect)
    .option(
      '--secret <secret>',
      'NAME@host: the variable NAME of here, which stays outside and is put into requests to the host; may be repeated',
      collect,
    )
    .option('--keep', 'do not remove the container; its id is printed on standard error')
    .option('-d, --detach', 'print the ids of the container and the command, and let it run on; logs follows it')
    .option('--no-stdin', 'pass no standard input, even if it is a pipe or a file')
    .addOption(output(['text', 'json'], 'text, as it comes'))
    .addHelpText(
      'after',
      '\nExamples:\n  atelier run busybox -- sh -c "id; uname -sr"\n  tar c src | atelier run busybox -- tar t',
    )
    .action(async (image, command, options) => (await import('./run.ts')).run(image, command, options))
}

function defineContainers(program: Command) {
  const containers = program.command('containers').description('list and remove containers')
  withService(withExit(containers.command('list')))
    .description('list containers, newest first')
    .option('--status <statuses>', 'running, exited, failed or deleted, separated by commas (default: all but deleted)')
    .option('--label <label>', 'k=v; may be repeated, and all must match', collect)
    .addOption(output(['table', 'json'], 'table on a terminal, otherwise json'))
    .action(async (options) => (await import('./containers.ts')).listContainers(options))
  withService(withExit(containers.command('remove')))
    .description('remove containers; prints the id of each')
    .argument('<container...>', 'ids or names')
    .option('--grace <time>', 'how long its own command may take to end, such as 5s (default: 2s)')
    .addOption(output(['text', 'json'], 'text'))
    .action(async (words, options) => (await import('./containers.ts')).removeContainers(words, options))
}

export function defineCallerCommands(program: Command) {
  defineRun(program)
  withService(withExit(program.command('cp')))
    .description('copy a file or a directory into a container or out of it')
    .argument('<from>', 'a local path, or CONTAINER:PATH')
    .argument('<to>', 'the other one; behind a slash at its end, what is copied keeps its name')
    .addOption(output(['text', 'json'], 'text'))
    .action(async (from, to, options) => (await import('./copy.ts')).copy(from, to, options))
  withService(withExit(program.command('ssh'), 255))
    .description('log in to a container, or run a command in it, with the ssh program and a key made for it')
    .argument('<container>', 'id or name')
    .argument('[command...]', 'a command, behind --; without one, a shell')
    .passThroughOptions(!hasDashes)
    .option('--ttl <time>', 'how long the session lasts, such as 10m (default: 60m)')
    .action(async (container, command, options) => (await import('./ssh.ts')).ssh(container, command, options))
  withService(withExit(program.command('logs')))
    .description('show the log of a build, or follow a command that runs on')
    .argument('<id>', 'name or id of an own image, or id of a command')
    .option('-f, --follow', 'go on until the build ends; a command is always followed to its end')
    .addOption(output(['text', 'json'], 'text; json: one object for each line'))
    .action(async (id, options) => (await import('./logs.ts')).logs(id, options))
  defineContainers(program)
  withService(withExit(program.command('mcp')))
    .description('let an agent use containers, over standard input and output (MCP)')
    .option('--image <image>', 'that new containers have if the agent names none')
    .option('--container <container>', 'id or name of one that the agent may use, and that stays')
    .action(async (options) => (await import('./mcp.ts')).mcp(options))
}
