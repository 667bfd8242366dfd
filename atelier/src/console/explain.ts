// Refusals of the API in the words of the console: what is wrong, and what to do about it on these pages.
import { whole } from '../../../base/console/format.ts'
import type { RefusedAnswer } from '../../../base/console/product.ts'
import { mebibytes } from './units.ts'

type Details = RefusedAnswer['details']

const resources: Readonly<Record<string, readonly [what: string, cure: string]>> = {
  containers: ['containers', 'Delete a container'],
  memoryMiB: ['MiB of memory', 'Ask for less memory, delete a container'],
  cpu: ['CPUs', 'Ask for fewer CPUs, delete a container'],
  images: ['images', 'Delete an image'],
  imageBytes: ['bytes of images', 'Delete an image'],
  keys: ['API keys', 'Revoke a key'],
}

function quota({ resource, limit, current }: Details): string {
  const [what, cure] = resources[String(resource)] ?? [String(resource), 'Delete something']
  const isBytes = resource === 'imageBytes'
  const shown = (count: unknown) => (isBytes ? mebibytes(Number(count)) : whole(Number(count)))
  return `Your account has ${shown(current)} of ${shown(limit)}${isBytes ? ' of images' : ` ${what}`}. ${cure}, or ask the operator for more.`
}

const starts: Readonly<Record<string, string>> = {
  not_found: 'The program does not exist in the image. Check its name, or leave the command empty.',
  not_executable: 'The program cannot be executed. Check the file and its mode in the image.',
  bad_working_dir: 'The working directory does not exist in the image. Choose another one, or leave it empty.',
  no_shell: 'The image has no shell, which keeps a container alive. Give the container a command.',
}

function startOf(what: string, { reason, program }: Details): string {
  if (typeof program === 'string') return `The image has no program ${program}, which this needs.`
  return starts[String(reason)] ?? `${what} could not be started. Check the command and the image.`
}

/** why a container is no longer there */
export const endings: Readonly<Record<string, string>> = {
  main_exited: 'its command has ended',
  ttl_expired: 'its lifetime is over',
  idle_timeout: 'it was idle for too long',
  disk_limit: 'it used more disk than its limit',
  engine_lost: 'the container engine lost it',
  exec_kill_escalated: 'a command could not be killed otherwise',
  user_deleted: 'it was deleted',
}

const notRunning = ({ statusReason }: Details): string => {
  const why = endings[String(statusReason)]
  return `The container does not run${why === undefined ? '' : `: ${why}`}. Create another one.`
}

const texts: Readonly<Record<string, (details: Details) => string>> = {
  quota_exceeded: quota,
  start_failed: (details) => startOf('The container', details),
  exec_start_failed: (details) => startOf('The command', details),
  container_not_running: notRunning,
  container_not_found: () => 'This container does not exist any more. Choose one from the list.',
  image_not_found: () => 'There is no such image. Choose one from the list.',
  key_not_found: () => 'There is no such key. Choose one from the list.',
  file_exists: () => 'There is a file or folder of this name.',
  directory_not_empty: () => 'The folder is not empty.',
  image_in_use: () => 'Containers use this image. Delete them first.',
  name_in_use: () => 'This name is in use. Choose another one.',
  rate_limited: () => 'Too many requests. Wait a moment and try again.',
}

export const explain = ({ code, details }: RefusedAnswer): string | undefined =>
  Object.hasOwn(texts, code) ? texts[code]?.(details) : undefined
