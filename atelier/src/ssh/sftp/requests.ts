// What each request of SFTP asks of the script, and what is answered.
import { readWishes, type Wishes } from './attributes.ts'
import { type Answer, type SftpContext, done, mostFileBytes, statusAnswer } from './context.ts'
import { faultOf, SftpFault } from './faults.ts'
import { checkMode, close, look, lookAtHandle, mostTransferBytes, open, read } from './file-requests.ts'
import { openFolder, pathAnswer, readFolder } from './folder-requests.ts'
import { mostHandles } from './handles.ts'
import type { FilePlace } from './script-caller.ts'
import { answerTypes, type Fields, longOf, mostPacketBytes, type RequestName } from './packets.ts'
import { changeablePlaceOf, fullPath, linkTargetOf, placeOf, textOf } from './request-paths.ts'

type Handler = (context: SftpContext, fields: Fields) => Promise<Answer> | Answer

/** as touch takes it, in UTC */
const timeOf = (seconds: number): string => {
  const [year, month, day, hour, minute, second] = new Date(seconds * 1_000).toISOString().split(/[-T:.]/)
  return `${year}${month}${day}${hour}${minute}.${second}`
}

async function change(context: SftpContext, place: FilePlace, identity: string, { size, owner, mode, times }: Wishes) {
  const { script, handles, spec } = context
  if (owner && `${owner.uid}:${owner.gid}` !== spec.user) throw new SftpFault('denied', 'Owners cannot be changed.')
  if (size !== undefined && size > mostFileBytes(context)) throw faultOf('too_large')
  const wanted = mode === undefined ? undefined : checkMode(mode)
  handles.forgetChunks()
  if (size !== undefined) await script.ask('change', place, ['size', size, '-', identity])
  if (wanted !== undefined) await script.ask('change', place, ['mode', wanted, '-', identity])
  if (times) {
    const values = ['times', timeOf(times.accessed), timeOf(times.modified), identity]
    await script.ask('change', place, values)
  }
  return done
}

async function rename({ script, spec }: SftpContext, fields: Fields, isReplacing: boolean) {
  const [from, to] = [fields.string(), fields.string()].map((path) => changeablePlaceOf(path, spec.workingDir)) as [
    FilePlace,
    FilePlace,
  ]
  await script.askAbout('rename', from, isReplacing ? 'replace' : '-', [to.folder, to.name])
  return done
}

/** these send what a link leads to first, unlike the draft, and all others when the server is OpenSSH's */
const targetFirst = /^(?:OpenSSH|dropbear|paramiko)/i

async function link({ script, spec, software }: SftpContext, fields: Fields) {
  const given = [fields.string(), fields.string()] as const
  const [target, path] = targetFirst.test(software) ? given : ([given[1], given[0]] as const)
  const place = changeablePlaceOf(path, spec.workingDir)
  await script.askAbout('link', place, '-', [linkTargetOf(target, place)])
  return done
}

/** of the directory where a session begins, which `~` stands for */
function expand({ spec }: SftpContext, fields: Fields): Answer {
  const text = textOf(fields.string())
  const rest = /^~(?:\/|$)/.test(text) ? text.slice(2) : text
  return pathAnswer(Buffer.from(fullPath(placeOf(Buffer.from(rest), spec.workingDir))))
}

const extensions: Readonly<Record<string, Handler>> = {
  'posix-rename@openssh.com': (context, fields) => rename(context, fields, true),
  'limits@openssh.com': () => ({
    type: answerTypes.extended,
    parts: [mostPacketBytes, mostTransferBytes, mostTransferBytes, mostHandles].map(longOf),
  }),
  'expand-path@openssh.com': expand,
}

export const extensionNames = Object.keys(extensions)

export const handlers: Readonly<Record<Exclude<RequestName, 'init' | 'write'>, Handler>> = {
  open,
  close,
  read,
  lstat: (context, fields) => look(context, placeOf(fields.string(), context.spec.workingDir), false),
  stat: (context, fields) => look(context, placeOf(fields.string(), context.spec.workingDir), true),
  fstat: lookAtHandle,
  setstat: (context, fields) =>
    change(context, changeablePlaceOf(fields.string(), context.spec.workingDir), '-', readWishes(fields)),
  fsetstat: (context, fields) => {
    const { place, identity } = context.handles.file(fields.string())
    return change(context, place, identity, readWishes(fields))
  },
  opendir: openFolder,
  readdir: readFolder,
  remove: async ({ script, spec }, fields) => {
    await script.ask('remove', changeablePlaceOf(fields.string(), spec.workingDir))
    return done
  },
  mkdir: async ({ script, spec }, fields) => {
    const place = changeablePlaceOf(fields.string(), spec.workingDir)
    const { mode = 0o755 } = readWishes(fields)
    await script.ask('make_folder', place, [checkMode(mode)])
    return done
  },
  rmdir: async ({ script, spec }, fields) => {
    await script.ask('remove_folder', changeablePlaceOf(fields.string(), spec.workingDir))
    return done
  },
  realpath: async ({ script, spec }, fields) =>
    pathAnswer(await script.ask('resolve', placeOf(fields.string(), spec.workingDir))),
  rename: (context, fields) => rename(context, fields, false),
  readlink: async ({ script, spec }, fields) =>
    pathAnswer(await script.ask('read_link', placeOf(fields.string(), spec.workingDir))),
  symlink: link,
  extended: (context, fields) => {
    const name = fields.string().toString()
    const handler = Object.hasOwn(extensions, name) ? extensions[name] : undefined
    return handler?.(context, fields) ?? statusAnswer('unsupported', 'The service does not offer this.')
  },
}
