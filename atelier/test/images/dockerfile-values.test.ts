// What the builder takes, held against Docker's documented behaviour.
import assert from 'node:assert/strict'
import test from 'node:test'
import { below, parse, valueOf } from './parsed.ts'

/** lines below `FROM base`, and the value of V that they leave; the base has B=base and PATH=/bin */
const values: [lines: string, value: string][] = [
  // pairs and quotes
  ['ENV V=a', 'a'],
  ['env V=a', 'a'],
  ['Env\tV=a', 'a'],
  ['   ENV    V=a   ', 'a'],
  ['ENV V=', ''],
  ['ENV V=""', ''],
  ['ENV V="a b"', 'a b'],
  ["ENV V='a b'", 'a b'],
  ['ENV V=a\\ b', 'a b'],
  ['ENV V=a" "b', 'a b'],
  ['ENV V=a=b', 'a=b'],
  ['ENV "V"=a', 'a'],
  ['ENV V="a\\"b"', 'a"b'],
  ["ENV V='a\\b'", 'a\\b'],
  ['ENV V="a\\b"', 'a\\b'],
  ['ENV V=a\\b', 'ab'],
  ['ENV V="a\\\\b"', 'a\\b'],
  ['ENV V=a\\\\b', 'a\\b'],
  ["ENV V=it\\'s", "it's"],
  ['ENV V="it\'s"', "it's"],
  ['ENV V=\'say "a"\'', 'say "a"'],
  ['ENV V="a  b"', 'a  b'],
  ['ENV V=a#b', 'a#b'],
  ['ENV A=1 V=2 C=3', '2'],
  ['ENV V=1 V=2', '2'],
  ['ENV V=1\nENV V=2', '2'],
  ['ENV V=é"ß "', 'éß '],
  ['ENV V=😀', '😀'],
  // the old form: the whole rest of the line
  ['ENV V a', 'a'],
  ['ENV V a b  c', 'a b  c'],
  ['ENV V   a', 'a'],
  ['ENV V "a" b', 'a b'],
  ['ENV V W= X=world', 'W= X=world'],
  ['ENV V a \\\n  b', 'a   b'],
  ['ENV V\ta', 'a'],
  // variables
  ['ENV V=$B', 'base'],
  ['ENV V=${B}', 'base'],
  ['ENV V=x$B', 'xbase'],
  ['ENV V=$B.x', 'base.x'],
  ['ENV V=$Bx', ''],
  ['ENV V=${B}x', 'basex'],
  ['ENV V=$B$B', 'basebase'],
  ['ENV V="$B $B"', 'base base'],
  ["ENV V='$B'", '$B'],
  ['ENV V=\\$B', '$B'],
  ['ENV V=\\${B}', '${B}'],
  ['ENV V="\\$B"', '$B'],
  ['ENV V="\\${B}"', '${B}'],
  ['ENV V=$', '$'],
  ['ENV V=$/x', '$/x'],
  ['ENV V="$"', '$'],
  ['ENV V=a$', 'a$'],
  ['ENV V=$UNSET', ''],
  ['ENV V=x${UNSET}y', 'xy'],
  ['ENV V=/opt:$PATH', '/opt:/bin'],
  ['ENV V $B and $B', 'base and base'],
  ['ENV V=$$', ''],
  ['ENV V=a$1b', 'ab'],
  ['ENV V=$12b', 'b'],
  ['ENV V=$@', ''],
  ['ENV V={B}', '{B}'],
  ['ENV V=$b', ''],
  ['ENV N=V\nENV $N=x', 'x'],
  // with a default or an alternative
  ['ENV V=${UNSET:-d}', 'd'],
  ['ENV V=${B:-d}', 'base'],
  ['ENV V=${UNSET:+a}', ''],
  ['ENV V=${B:+a}', 'a'],
  ['ENV E=\nENV V=${E:-d}', 'd'],
  ['ENV E=\nENV V=${E:+a}', ''],
  ['ENV V=${UNSET:-}', ''],
  ['ENV V=${UNSET:-$B}', 'base'],
  ['ENV V=${UNSET:-${B}}', 'base'],
  ['ENV V=${UNSET:-${UNSET:-deep}}', 'deep'],
  ['ENV V=${B:+${UNSET:-deep}}', 'deep'],
  ['ENV V=${UNSET:-a}b', 'ab'],
  ['ENV V="${UNSET:-a b}"', 'a b'],
  ['ENV V=${UNSET:-"a}b"}', 'a}b'],
  ["ENV V=${UNSET:-'$B'}", '$B'],
  ['ENV V=${UNSET:-a\\}b}', 'a}b'],
  ['ENV V=${UNSET:-a:-b}', 'a:-b'],
  ['ENV V=${UNSET:-/a/b}', '/a/b'],
  ['ENV V=${V:-first}\nENV V=${V:-second}', 'first'],
  // each value of a line sees the variables as they were before it
  ['ENV A=hello\nENV A=bye V=$A', 'hello'],
  ['ENV A=hello\nENV A=bye V=$A\nENV V=$A', 'bye'],
  ['ENV A=1 V=$A', ''],
  ['ENV constructor=1\nENV V=$constructor', '1'],
  ['ENV V=$constructor', ''],
  ['ENV V=$__proto__', ''],
  ['ENV __proto__=1\nENV V=$__proto__', '1'],
  ['ENV V=$toString', ''],
]

/** lines after the first one, build arguments, and the value of V; `>` stands for FROM base */
const args: [text: string, given: Record<string, string>, value: string][] = [
  ['>ARG A\nENV V=$A', {}, ''],
  ['>ARG A\nENV V=$A', { A: '1' }, '1'],
  ['>ARG A=d\nENV V=$A', {}, 'd'],
  ['>ARG A=d\nENV V=$A', { A: '1' }, '1'],
  ['>ARG A=d\nENV V=$A', { A: '' }, ''],
  ['>ARG A="a b"\nENV V=$A', {}, 'a b'],
  ['>ARG A=a\\ b\nENV V=$A', {}, 'a b'],
  ['>ARG A=$B\nENV V=$A', {}, 'base'],
  ['>ARG A=1\nARG C=$A$A\nENV V=$C', {}, '11'],
  ['>ARG A=1\nARG C=$A$A\nENV V=$C', { A: '2' }, '22'],
  ['>ARG A=1 C=2 D\nENV V=$A$C$D', { D: '3' }, '123'],
  ['>ARG A=1\nARG A=2\nENV V=$A', {}, '2'],
  ['>ARG A=1\nARG A\nENV V=$A', {}, '1'],
  // given as it is: what stands in the value is not expanded
  ['>ARG A\nENV V=$A', { A: '$B "q" \\n' }, '$B "q" \\n'],
  // it counts from its line on
  ['>ENV V=${A:-early}\nARG A=1', {}, 'early'],
  ['>ENV V=${A:-early}\nARG A=1', { A: '2' }, 'early'],
  ['>ENV W=$A\nARG A=1\nENV V=$W$A', {}, '1'],
  // ENV wins, whichever came first
  ['>ARG A=arg\nENV A=env\nENV V=$A', {}, 'env'],
  ['>ENV A=env\nARG A=arg\nENV V=$A', {}, 'env'],
  ['>ENV A=env\nARG A=arg\nENV V=$A', { A: 'given' }, 'env'],
  ['>ARG A=arg\nENV A=${A:-v1}\nENV V=$A', {}, 'arg'],
  ['>ARG A\nENV A=${A:-v1}\nENV V=$A', {}, 'v1'],
  ['>ARG A\nENV A=${A:-v1}\nENV V=$A', { A: 'v2' }, 'v2'],
  ['>ARG B=arg\nENV V=$B', {}, 'base'],
  ['>ARG PATH=/x\nENV V=$PATH', { PATH: '/y' }, '/bin'],
  ['>ARG E\nENV E=\nENV V=${E:-d}', { E: 'given' }, 'd'],
  // before FROM
  ['ARG A=1\n>ENV V=$A', {}, ''],
  ['ARG A=1\n>ARG A\nENV V=$A', {}, '1'],
  ['ARG A=1\n>ARG A\nENV V=$A', { A: '2' }, '2'],
  ['ARG A=1\n>ARG A=3\nENV V=$A', {}, '3'],
  ['ARG A=1\n>ARG A=3\nENV V=$A', { A: '2' }, '2'],
  ['ARG A\n>ARG A\nENV V=$A', { A: '2' }, '2'],
  ['ARG A\n>ENV V=$A', { A: '2' }, ''],
  ['ARG A=1\nARG C=x$A\n>ARG C\nENV V=$C', {}, 'x1'],
  ['ARG A=1\nARG C=x$A\n>ARG C\nENV V=$C', { A: '2' }, 'x2'],
  ['ARG C=$B\n>ARG C\nENV V=$C', {}, ''],
  ['>ARG constructor\nENV V=$constructor', {}, ''],
]

test('ENV takes its values as Docker does', () => {
  for (const [lines, value] of values) assert.equal(valueOf(lines), value, lines)
})

test('ARG takes its values as Docker does', () => {
  for (const [text, given, value] of args)
    assert.equal(parse(text.replace('>', 'FROM base\n'), given).config.env.V, value, text)
})

test('FROM names an image, directly or by an argument', () => {
  for (const [text, name, given] of [
    ['FROM base', 'base'],
    ['from base', 'base'],
    ['FROM scratch', 'scratch'],
    ['FROM img_0123456789abcdefghijklmnop', 'img_0123456789abcdefghijklmnop'],
    ['FROM a.b_c-d', 'a.b_c-d'],
    ['FROM "base"', 'base'],
    ['FROM -- base', 'base'],
    ['FROM $UNSET$$base', 'base'],
    ['FROM ${X:-base}', 'base'],
    ['ARG X=one\nFROM $X', 'one'],
    ['ARG X=one\nFROM ${X}-two', 'one-two'],
    ['ARG X\nFROM ${X:-base}', 'base'],
    ['ARG X\nFROM ${X:-base}', 'given', { X: 'given' }],
    ['ARG X=one\nARG Y=$X.y\nFROM $Y', 'one.y'],
    ['ARG X=one Y=two\nFROM $X$Y', 'onetwo'],
    ['\uFEFFFROM base', 'base'],
    ['FROM \\\n  base', 'base'],
    ['# c\n\n  # c\nFROM base', 'base'],
  ] as const)
    assert.equal(parse(text, given).base, name, text)
})

test('lines are joined as Docker joins them', () => {
  const runs = (lines: string) =>
    below(lines)
      .steps.slice(1)
      .map(({ text }) => text)
  for (const [lines, texts] of [
    ['RUN a \\\n  b', ['RUN a   b']],
    ['RUN a\\\nb', ['RUN ab']],
    ['RUN a \\  \t\nb', ['RUN a b']],
    ['RUN a \\\n# c\n  b', ['RUN a   b']],
    ['RUN a \\\n   # c\n\n   \nb', ['RUN a b']],
    ['RUN a \\\r\n b\r\n', ['RUN a  b']],
    ['RUN a \\', ['RUN a']],
    ['RUN a\\\\\nRUN b', ['RUN a\\\\', 'RUN b']],
    ['RUN a \\ b', ['RUN a \\ b']],
    ['RUN a # b', ['RUN a # b']],
    ['RUN a \\\n b # c \\\n d', ['RUN a  b # c  d']],
    ['\\\nRUN a', ['RUN a']],
    ['RUN \\\n a', ['RUN  a']],
    ['RU\\\nN a', ['RUN a']],
    ['# escape=`\nRUN a', ['RUN a']],
    ['# syntax=x\nRUN a', ['RUN a']],
    ['  RUN a  ', ['RUN a']],
    ['RUN a\n\n\nRUN b\n', ['RUN a', 'RUN b']],
  ] as const)
    assert.deepEqual(runs(lines), texts, lines)
  assert.equal(parse('# a comment\n# syntax=x\nFROM base').steps.length, 1)
  assert.equal(parse('# unknown=x\n# escape=`\nFROM base').steps.length, 1)
})
