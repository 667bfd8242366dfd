// Tars that must be refused, by the reason. Each is laid between a good entry and one that must never be seen.
import type { ArchiveReason } from '../../src/files/archive-fault.ts'
import { dir, end, extended, file, gnuLong, head, pax, record, symlink, tar } from './tars.ts'

export interface HostileTar {
  readonly title: string
  readonly reason: ArchiveReason
  readonly bytes: Buffer
}

const levels = (count: number): string => Array.from({ length: count }, () => 'd').join('/')
const show = (text: string | Buffer): string =>
  `${JSON.stringify(Buffer.from(text).toString('latin1').slice(0, 40))} of ${text.length}`

const badNames: readonly (string | Buffer)[] = [
  '/abs', '//abs', '/', '..', '../climb', 'a/..', 'a/../b', 'a/../../b', './../a', './..', '.', './.', 'a/.', 'a/./b', './/a',
  'a//b', 'a/', './', '', 'a*b', '*', 'dir/*', '*/a', 'a\nb', 'a\tb', 'a\x07b', 'a\x1bb', 'a\x7fb', '\x01', 'a\u0085b', 'n'.repeat(256),
  `a/${'n'.repeat(256)}`, 'é'.repeat(128), `${'é'.repeat(128)}/b`, levels(65), levels(100), 'n/'.repeat(2048).slice(0, -1), `${`${'n'.repeat(200)}/`.repeat(21)}n`,
  Buffer.from([0x61, 0xff]), Buffer.from([0xc0, 0xaf]), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from([0xe2, 0x82]),
] // prettier-ignore

const badDirectories = ['/', '/abs/', '../', 'a/../', 'a//', './/', 'a/./', '*/', '..', 'a\n/']

/** a name in each of the places that can hold it */
function namedIn(name: string | Buffer): (readonly [where: string, bytes: Buffer])[] {
  const text = Buffer.from(name)
  const inHeader = text.length <= 100 ? ([['header', file(text)]] as const) : []
  return [
    ...inHeader,
    ['PAX path', Buffer.concat([pax({ path: text }), file('innocent')])] as const,
    ['GNU name', Buffer.concat([file('././@LongLink', Buffer.concat([text, Buffer.alloc(1)]), { type: 'L' }), file('innocent')])] as const, // prettier-ignore
  ]
}

const names = badNames.flatMap((name) =>
  namedIn(name).map(([where, bytes]) => ({ title: `name ${show(name)} in ${where}`, reason: 'bad_name', bytes })),
)

const directories = badDirectories.map((name) => ({
  title: `directory ${show(name)}`,
  reason: 'bad_name',
  bytes: head({ name, type: '5', mode: 0o755 }),
}))

/** where the link stands, and where it points */
const badTargets: readonly (readonly [path: string, target: string])[] = [
  ['l', '/etc'], ['l', '/'], ['l', ''], ['l', '..'], ['l', '../x'], ['l', './../x'], ['l', 'a/../../x'], ['l', 'a/b/../../../x'], ['d/l', '../../x'],
  ['d/l', '../..'], ['d/e/l', '../../../x'], ['d/e/l', 'f/../../../../x'], ['l', 'a\nb'], ['l', 'a\x7f'], ['l', 'a*'], ['l', `../${levels(3)}`],
  ['l', levels(65)], ['l', 'l/..'], ['l', 'l/../a'],
] // prettier-ignore

const targets = badTargets.flatMap(([path, target]) => [
  ...(target.length > 100 ? [] : [{ title: `link ${path} -> ${show(target)}`, reason: 'bad_target', bytes: symlink(path, target) }]),
  { title: `link ${path} -> ${show(target)} in PAX`, reason: 'bad_target', bytes: Buffer.concat([pax({ linkpath: target }), symlink(path, 'a')]) },
  { title: `link ${path} -> ${show(target)} in a GNU header`, reason: 'bad_target', bytes: Buffer.concat([gnuLong(target, 'K'), symlink(path, 'a')]) },
]) // prettier-ignore

const viaLinks = [
  ['a link through an earlier one and up', [dir('p'), dir('p/q'), symlink('p/q/s', '../..'), symlink('t', 'p/q/s/..')]],
  ['a link through a later one and up', [symlink('t', 'p/q/s/..'), dir('p'), dir('p/q'), symlink('p/q/s', '../..')]],
  ['a link below an earlier one and up', [dir('d'), symlink('s', 'd'), symlink('t', 's/a/..')]],
  ['a link at a place below which another climbed', [symlink('t', 's/a/..'), symlink('s', 'd')]],
  ['a link with a target of 4,096 bytes', [pax({ linkpath: 'n/'.repeat(2048) }), symlink('l', 'a')]],
  ['a link with a target that is not UTF-8', [symlink('l', Buffer.from([0x61, 0xff]))]],
  ['a link with a NUL in its target', [pax({ linkpath: 'a\0b' }), symlink('l', 'a')]],
].map(([title, parts]) => ({ title, reason: 'bad_target', bytes: Buffer.concat(parts as Buffer[]) }))

const kinds = (
  [
    ['1', 'hard_link'], ['3', 'device'], ['4', 'device'], ['6', 'fifo'], ['S', 'sparse'], ['7', 'unknown_kind'], ['8', 'unknown_kind'], ['Z', 'unknown_kind'], ['D', 'unknown_kind'],
    ['M', 'unknown_kind'], ['V', 'unknown_kind'], ['N', 'unknown_kind'], ['X', 'unknown_kind'], ['A', 'unknown_kind'], ['I', 'unknown_kind'], [' ', 'unknown_kind'], ['\xff', 'unknown_kind'],
  ] as const
).map(([type, reason]) => ({ title: `kind ${show(type)}`, reason, bytes: head({ name: 'k', type, link: 'good' }) })) // prettier-ignore

const modes = [0o4755, 0o2755, 0o1777, 0o7777, 0o4000, 0o104755].flatMap((mode) => [
  { title: `mode ${mode.toString(8)} of a file`, reason: 'bad_mode', bytes: file('m', 'x', { mode }) },
  { title: `mode ${mode.toString(8)} of a directory`, reason: 'bad_mode', bytes: dir('m', { mode }) },
])

const badNumber = ['-0000001\0', '0x1\0', '18\0', 'abc\0', '1 2\0', '\0', ' \0']
const numbers = badNumber.flatMap((text) => [
  { title: `size ${show(text)}`, reason: 'bad_size', bytes: head({ over: [[124, text.padEnd(12, '\0').slice(0, 12)]] }) },
  { title: `mode ${show(text)}`, reason: 'bad_mode', bytes: head({ over: [[100, text.padEnd(8, '\0').slice(0, 8)]] }) },
  { title: `time ${show(text)}`, reason: 'bad_header', bytes: head({ over: [[136, text.padEnd(12, '\0').slice(0, 12)]] }) },
]) // prettier-ignore

const doubles = (
  [
    ['a file twice', 'duplicate', [file('t'), file('t')]],
    ['a file twice, once with ./', 'duplicate', [file('t'), file('./t')]],
    ['a directory twice', 'duplicate', [dir('t'), dir('t')]],
    ['a directory twice, once without a slash', 'duplicate', [dir('t'), head({ name: 't', type: '5' })]],
    ['the tree itself twice', 'duplicate', [dir('./'), dir('.')]],
    ['a link twice', 'duplicate', [symlink('t', 'a'), symlink('t', 'b')]],
    ['a file over a link', 'duplicate', [symlink('t', 'good'), file('t')]],
    ['a link over a file', 'duplicate', [file('t'), symlink('t', 'good')]],
    ['a file over a directory', 'duplicate', [dir('t'), file('t')]],
    ['a directory over a file', 'duplicate', [file('t'), dir('t')]],
    ['a directory over a link', 'duplicate', [symlink('t', 'good'), dir('t')]],
    ['a file over a directory that was implied', 'duplicate', [file('t/x'), file('t')]],
    ['a link over a directory that was implied', 'duplicate', [file('t/x/y'), symlink('t', 'good')]],
    ['a long name twice', 'duplicate', [pax({ path: 'n'.repeat(150) }), file('a'), gnuLong('n'.repeat(150)), file('b')]],
    ['a name that was first in a prefix', 'duplicate', [file('t', 'x', { prefix: 'p' }), file('p/t')]],
    ['a file below a link', 'below_symlink', [dir('d'), symlink('l', 'd'), file('l/x')]],
    ['a file far below a link', 'below_symlink', [dir('d'), symlink('l', 'd'), file('l/x/y/z')]],
    ['a directory below a link', 'below_symlink', [dir('d'), symlink('l', 'd'), dir('l/x')]],
    ['a link below a link', 'below_symlink', [dir('d'), symlink('l', 'd'), symlink('l/x', 'a')]],
    ['a file below a dangling link', 'below_symlink', [symlink('l', 'nowhere'), file('l/x')]],
    ['a file below a file', 'below_file', [file('f'), file('f/x')]],
    ['a file far below a file', 'below_file', [file('f'), file('f/x/y')]],
    ['a directory below a file', 'below_file', [file('f'), dir('f/x')]],
  ] as const
).map(([title, reason, parts]) => ({ title, reason, bytes: Buffer.concat(parts) })) // prettier-ignore

const headers = (
  [
    ['a checksum one too large', 'bad_checksum', file('s', 'x', { sumOff: 1 })],
    ['a checksum one too small', 'bad_checksum', file('s', 'x', { sumOff: -1 })],
    ['no checksum', 'bad_checksum', (() => { const block = head(); block.fill(0, 148, 156); return block })()],
    ['a changed byte', 'bad_checksum', (() => { const block = head(); block[300] = 1; return block })()],
    ['text', 'bad_checksum', Buffer.alloc(512, 'this is no tar ')],
    ['a gzip', 'bad_checksum', Buffer.concat([Buffer.from([0x1f, 0x8b, 8]), Buffer.alloc(509, 7)])],
    ['no magic', 'bad_header', head({ magic: '\0\0\0\0\0\0\0\0' })],
    ['another magic', 'bad_header', head({ magic: 'USTAR\x0000' })],
    ['a directory with a size', 'bad_size', head({ name: 'd/', type: '5', size: 5 })],
    ['a link with a size', 'bad_size', head({ name: 'l', type: '2', link: 'good', size: 5 })],
    ['a negative size', 'bad_size', head({ over: [[124, '\xff'.repeat(12)]] })],
    ['a size beyond all numbers', 'bad_size', head({ over: [[124, `\x80${'\x7f'.repeat(11)}`]] })],
    ['a size that the header and PAX give differently', 'bad_size', Buffer.concat([pax({ size: '3' }), file('p', 'hello')])],
    ['a size in PAX with letters', 'bad_size', Buffer.concat([pax({ size: '1e1' }), file('p', '')])],
    ['a negative size in PAX', 'bad_size', Buffer.concat([pax({ size: '-1' }), file('p', '')])],
    ['an empty size in PAX', 'bad_size', Buffer.concat([pax({ size: '' }), file('p', '')])],
    ['a size in PAX of a directory', 'bad_size', Buffer.concat([pax({ size: '512' }), dir('p')])],
    ['a NUL in a PAX path', 'bad_name', Buffer.concat([pax({ path: 'a\0b' }), file('p')])],
    ['a NUL in a GNU name', 'bad_name', Buffer.concat([gnuLong('a\0b'), file('p')])],
    ['GNU.sparse in PAX', 'sparse', Buffer.concat([pax({ 'GNU.sparse.major': '1' }), file('p')])],
    ['GNU.sparse for the whole archive', 'sparse', pax({ 'GNU.sparse.name': 'x' }, 'g')],
    ['a path for the whole archive', 'bad_header', pax({ path: 'x' }, 'g')],
    ['a size for the whole archive', 'bad_header', pax({ size: '1' }, 'g')],
    ['a target for the whole archive', 'bad_header', pax({ linkpath: 'x' }, 'g')],
    ['seventeen global headers', 'bad_header', Buffer.concat(Array.from({ length: 17 }, () => pax({ comment: 'x' }, 'g')))],
    ['two PAX headers', 'bad_header', Buffer.concat([pax({ path: 'a' }), pax({ path: 'b' }), file('p')])],
    ['two GNU names', 'bad_header', Buffer.concat([gnuLong('a'), gnuLong('b'), file('p')])],
    ['two GNU targets', 'bad_header', Buffer.concat([gnuLong('a', 'K'), gnuLong('b', 'K'), symlink('p', 'x')])],
    ['a name from both PAX and GNU', 'bad_header', Buffer.concat([pax({ path: 'a' }), gnuLong('b'), file('p')])],
    ['a target from both PAX and GNU', 'bad_header', Buffer.concat([pax({ linkpath: 'a' }), gnuLong('b', 'K'), symlink('p', 'x')])],
    ['a path twice in PAX', 'bad_header', Buffer.concat([extended(Buffer.concat([record('path', 'a'), record('path', 'b')])), file('p')])],
    ['a PAX record too long', 'bad_header', Buffer.concat([extended('99 path=x\n'), file('p')])],
    ['a PAX record too short', 'bad_header', Buffer.concat([extended('5 path=x\n'), file('p')])],
    ['a PAX record without a length', 'bad_header', Buffer.concat([extended(' path=x\n'), file('p')])],
    ['a PAX record of length 0', 'bad_header', Buffer.concat([extended('0 path=x\n'), file('p')])],
    ['a PAX record with a padded length', 'bad_header', Buffer.concat([extended('010 path=x\n'), file('p')])],
    ['a PAX record with a length in hexadecimal', 'bad_header', Buffer.concat([extended('0xa path=x\n'), file('p')])],
    ['a PAX record without =', 'bad_header', Buffer.concat([extended('10 path x\n\n'), file('p')])],
    ['a PAX record without a key', 'bad_header', Buffer.concat([extended('5 =x\n'), file('p')])],
    ['a PAX record without its end', 'bad_header', Buffer.concat([extended('9 path=xy'), file('p')])],
    ['a PAX header of zeros', 'bad_header', Buffer.concat([extended(Buffer.alloc(20)), file('p')])],
    ['a PAX header of more than 16 KiB', 'bad_header', Buffer.concat([pax({ comment: 'c'.repeat(16_384) }), file('p')])],
    ['a PAX header of 65 records', 'bad_header', Buffer.concat([extended(Buffer.concat(Array.from({ length: 65 }, () => record('a', 'b')))), file('p')])],
    ['a header of 65 records for the whole archive', 'bad_header', Buffer.concat([extended(Buffer.concat(Array.from({ length: 65 }, () => record('a', 'b'))), 'g'), file('p')])],
    ['a GNU name of more than 16 KiB', 'bad_header', Buffer.concat([gnuLong('n'.repeat(16_384)), file('p')])],
  ] as const
).map(([title, reason, bytes]) => ({ title, reason, bytes })) // prettier-ignore

const good = file('good', 'g')

const between = [...names, ...directories, ...targets, ...viaLinks, ...kinds, ...modes, ...numbers, ...doubles, ...headers].map(
  ({ title, reason, bytes }) => ({ title: String(title), reason: reason as ArchiveReason, bytes: tar(good, bytes, file('after')) }),
) // prettier-ignore

const ends: readonly HostileTar[] = (
  [
    ['nothing', 'missing_end', Buffer.alloc(0)],
    ['part of a header', 'missing_end', head().subarray(0, 100)],
    ['no end', 'missing_end', file('a')],
    ['half an end', 'missing_end', Buffer.concat([file('a'), end.subarray(512)])],
    ['an end cut short', 'missing_end', Buffer.concat([file('a'), end.subarray(1)])],
    ['an end with an entry in the middle', 'missing_end', Buffer.concat([file('a'), end.subarray(512), file('after'), end])],
    ['a header alone', 'bad_size', head({ size: 100 })],
    ['data cut short', 'bad_size', file('a', 'x'.repeat(1000)).subarray(0, 900)],
    ['padding cut short', 'missing_end', file('a', 'x').subarray(0, 600)],
    ['a size that reaches beyond the end', 'bad_size', Buffer.concat([head({ size: 5000 }), end])],
    ['a size that leaves data over', 'bad_checksum', Buffer.concat([head({ size: 1 }), Buffer.alloc(1024, 'x'), end])],
    ['a PAX header before the end', 'bad_header', tar(pax({ path: 'x' }))],
    ['a GNU name before the end', 'bad_header', tar(gnuLong('x'))],
    ['a PAX header cut short', 'missing_end', pax({ path: 'x' }).subarray(0, 700)],
    ['an archive after the end', 'trailing_data', Buffer.concat([tar(file('a')), tar(file('after'))])],
    ['a byte after the end', 'trailing_data', Buffer.concat([tar(file('a')), Buffer.from('x')])],
    ['zeros without an end after the end', 'trailing_data', Buffer.concat([tar(file('a')), Buffer.alloc(1_048_577)])],
  ] as const
).map(([title, reason, bytes]) => ({ title, reason, bytes })) // prettier-ignore

export const hostileTars: readonly HostileTar[] = [...between, ...ends]
