// Tars of a few entries that the service makes itself: what gives an engine a root, a directory an owner, an image the resident.
const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`

const blockBytes = 512
const end = Buffer.alloc(2 * blockBytes)

function header(name: string, type: '0' | '5', uid: number, gid: number, size: number) {
  const block = Buffer.alloc(blockBytes)
  const fields: readonly (readonly [number, string])[] = [
    [100, octal(0o755, 7)],
    [108, octal(uid, 7)],
    [116, octal(gid, 7)],
    [124, octal(size, 11)],
    [136, octal(0, 11)],
    [148, ' '.repeat(8)],
    [156, type],
    [257, 'ustar\x0000'],
  ]
  for (const [at, text] of fields) block.write(text, at, 'latin1')
  if (block.write(name, 0, 100, 'utf8') < Buffer.byteLength(name)) throw new RangeError('the name is too long')
  let sum = 0
  for (const byte of block) sum += byte
  block.write(`${octal(sum, 6)} `, 148, 'latin1')
  return block
}

export const directoryTar = (name: string, uid: number, gid: number) =>
  Buffer.concat([header(name, '5', uid, gid, 0), end])

/** one file of mode 0755 in a directory of mode 0755, both root's */
export function programTar(directory: string, name: string, program: Uint8Array) {
  const padding = Buffer.alloc((blockBytes - (program.length % blockBytes)) % blockBytes)
  const file = [header(`${directory}/${name}`, '0', 0, 0, program.length), program, padding]
  return Buffer.concat([header(`${directory}/`, '5', 0, 0, 0), ...file, end])
}
