// What a client sends and sees of a file: size, owner, mode and times.
import { type Fields, longOf, MalformedPacket, numberOf } from './packets.ts'

const flags = { size: 1, owner: 2, mode: 4, times: 8, extended: 0x8000_0000 }
const most32 = 0xffff_ffff

/** a member that the client leaves out is undefined */
export interface Wishes {
  size?: number
  owner?: { readonly uid: number; readonly gid: number }
  mode?: number
  times?: { readonly accessed: number; readonly modified: number }
}

export function readWishes(fields: Fields): Wishes {
  const given = fields.number()
  const wishes: Wishes = {}
  if (given & flags.size) wishes.size = fields.long()
  if (given & flags.owner) wishes.owner = { uid: fields.number(), gid: fields.number() }
  if (given & flags.mode) wishes.mode = fields.number()
  if (given & flags.times) wishes.times = { accessed: fields.number(), modified: fields.number() }
  const count = given & flags.extended ? fields.number() : 0
  for (let at = 0; at < count && !fields.isEmpty; at++) {
    fields.string()
    fields.string()
  }
  if (given & ~(flags.size | flags.owner | flags.mode | flags.times | flags.extended))
    throw new MalformedPacket('attributes of another version')
  return wishes
}

export interface Attributes {
  /** type and permissions, as in stat(2) */
  readonly mode: number
  readonly size: number
  readonly uid: number
  readonly gid: number
  readonly accessed: number
  readonly modified: number
}

const shown = /^([0-9a-f]{1,8}) (\d{1,16}) (\d{1,10}) (\d{1,10}) (-?\d{1,18}) (-?\d{1,18}) /

/** what the script in the container shows, and what follows it */
export function parseShown(text: string): { readonly attributes: Attributes; readonly rest: string } | undefined {
  const match = shown.exec(text)
  if (!match) return undefined
  const [mode = 0, size = 0, uid = 0, gid = 0, accessed = 0, modified = 0] = match
    .slice(1)
    .map((one, at) => Number.parseInt(one, at === 0 ? 16 : 10))
  return { attributes: { mode, size, uid, gid, accessed, modified }, rest: text.slice(match[0].length) }
}

const bounded = (value: number): number => Math.min(Math.max(value, 0), most32)

export const attributesBytes = ({ mode, size, uid, gid, accessed, modified }: Attributes): Buffer =>
  Buffer.concat([
    numberOf(flags.size | flags.owner | flags.mode | flags.times),
    longOf(size),
    ...[uid, gid, mode, accessed, modified].map((value) => numberOf(bounded(value))),
  ])

const types: Readonly<Record<number, string>> = { 1: 'p', 2: 'c', 4: 'd', 6: 'b', 8: '-', 10: 'l', 12: 's' }
const letters = ['r', 'w', 'x'] as const
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** a line as of `ls -l`: clients show it as it is */
export function longName({ mode, size, uid, gid, modified }: Attributes, name: Buffer): Buffer {
  const bits = Array.from({ length: 9 }, (_, at) => ((mode >> (8 - at)) & 1 ? letters[at % 3] : '-')).join('')
  const at = new Date(bounded(modified) * 1_000)
  const day = `${months[at.getUTCMonth()]} ${String(at.getUTCDate()).padStart(2)} ${at.getUTCFullYear()}`
  const owners = `${String(uid).padEnd(8)} ${String(gid).padEnd(8)}`
  const head = `${types[mode >> 12] ?? '?'}${bits}    1 ${owners} ${String(size).padStart(12)} ${day} `
  return Buffer.concat([Buffer.from(head), name])
}
