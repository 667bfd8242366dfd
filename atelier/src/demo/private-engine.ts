// A Podman engine of its own below one folder, in namespaces of its own: it shares no lock, mount or process with another engine
// of the machine, changes nothing in /etc, and ends with the process that started it, even if that is killed.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EngineClient } from '../engine/client.ts'
import type { EnginePrograms } from './programs.ts'

const startLimitMs = 30_000

/**
 * $1: the folder. What Podman keeps outside its folders goes to a tmpfs. Process 1 of the namespace ends with its standard input,
 * and everything in the namespace with it; until then it takes in the processes that lost their parent.
 */
const script = `set -eu
for place in /dev/shm /run /var/lib/containers; do [ ! -d $place ] || mount -t tmpfs tmpfs $place; done
for file in /etc/subuid /etc/subgid; do [ ! -e $file ] || mount --bind "$1/subids" $file; done
exec 3<&0
podman --root "$1/root" --runroot "$1/run" --tmpdir "$1/tmp" system service --time=0 "unix://$1/engine.sock" </dev/null 3<&- &
engine=$!
{ cat >/dev/null; kill -9 $engine; } <&3 &
wait $engine`

const containersConf = (folder: string, { runtime, catatonit }: EnginePrograms): string => `[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
init_path = "${catatonit}"
log_size_max = 1048576
[network]
network_config_dir = "${folder}/networks"
[engine]
runtime = "${runtime}"
cgroup_manager = "cgroupfs"
events_logger = "file"
exit_command_delay = 10
compat_api_enforce_docker_hub = false
image_copy_tmp_dir = "${folder}/tmp"
`

function writeConfiguration(folder: string, programs: EnginePrograms) {
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text, { mode: 0o600 })
  // the engine looks for the policy of images in its home
  mkdirSync(join(folder, 'home/.config/containers'), { recursive: true })
  write('home/.config/containers/policy.json', '{"default":[{"type":"insecureAcceptAnything"}]}\n')
  write('containers.conf', containersConf(folder, programs))
  write('registries.conf', 'unqualified-search-registries = []\nshort-name-mode = "disabled"\n')
  write('subids', 'containers:1000000:1000000\n')
}

const launch = (folder: string): ChildProcess => {
  const log = openSync(join(folder, 'engine.log'), 'a', 0o600)
  const namespaces = ['--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
  const child = spawn('unshare', [...namespaces, 'sh', '-c', script, 'sh', folder], {
    // an interrupt at the terminal is for the program alone; helpers leave files in the working directory
    detached: true,
    cwd: folder,
    stdio: ['pipe', log, log],
    env: {
      PATH: `${process.env['PATH']}:/usr/sbin:/sbin`,
      HOME: join(folder, 'home'),
      CONTAINERS_CONF: join(folder, 'containers.conf'),
      CONTAINERS_REGISTRIES_CONF: join(folder, 'registries.conf'),
    },
  })
  closeSync(log)
  child.stdin?.on('error', () => undefined)
  return child
}

const lastWords = (folder: string): string =>
  readFileSync(join(folder, 'engine.log'), 'utf8').trim().split('\n').slice(-3).join('\n')

async function untilItAnswers(child: ChildProcess, folder: string, socket: string) {
  const client = new EngineClient(socket)
  try {
    for (const endsAt = performance.now() + startLimitMs; ; await sleep(50)) {
      const reply = await client.call({ method: 'GET', path: '/_ping', timeoutMs: 1_000 }).catch(() => undefined)
      if (reply?.status === 200) return
      if (child.exitCode !== null || child.signalCode !== null || performance.now() > endsAt)
        throw new Error(`The private engine did not start:\n${lastWords(folder)}`)
    }
  } finally {
    client.close()
  }
}

export interface PrivateEngine {
  readonly socket: string
  /** resolves when the engine has ended by itself */
  readonly ended: Promise<void>
  /** ends the engine with everything that runs in it; its folder stays */
  stop(): Promise<void>
}

/** The folder exists, belongs to this user and is empty. */
export async function startPrivateEngine(folder: string, programs: EnginePrograms): Promise<PrivateEngine> {
  writeConfiguration(folder, programs)
  const socket = join(folder, 'engine.sock')
  const child = launch(folder)
  const ended = once(child, 'exit').then(() => undefined)
  const stop = async () => {
    child.stdin?.end()
    await ended
  }
  try {
    await untilItAnswers(child, folder, socket)
  } catch (error) {
    await stop()
    throw error
  }
  return { socket, ended, stop }
}
