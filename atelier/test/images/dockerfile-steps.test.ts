// What each instruction makes a build do, and the configuration that it leaves.
import assert from 'node:assert/strict'
import test from 'node:test'
import { scratchConfig } from '../../src/images/config.ts'
import { base, below, lastAction, parse } from './parsed.ts'

const shell = (text: string) => ['/bin/sh', '-c', text]

/** the rest of a RUN, CMD or ENTRYPOINT, and its argv */
const commands: [rest: string, argv: string[]][] = [
  ['echo $X "a  b"', shell('echo $X "a  b"')],
  ['["a","b c"]', ['a', 'b c']],
  ['[ "a" , "b" ]', ['a', 'b']],
  ['["a", "$X", "\\"q\\"", "\\u00e9"]', ['a', '$X', '"q"', 'é']],
  ['["a",""]', ['a', '']],
  ['["a" "b"]', shell('["a" "b"]')],
  ["['a']", shell("['a']")],
  ['["a"] b', shell('["a"] b')],
  ['["a",]', shell('["a",]')],
  ['[ -f /x ] && true', shell('[ -f /x ] && true')],
  ['["a\\x"]', shell('["a\\x"]')],
  ['{"a":1}', shell('{"a":1}')],
  ['"a"', shell('"a"')],
  ['[', shell('[')],
  ['a \\\n  && b', shell('a   && b')],
  ['["a", \\\n "b"]', ['a', 'b']],
  ["echo 'a", shell("echo 'a")],
  ['-- true', shell('true')],
  ['echo --flag', shell('echo --flag')],
  ['-x', shell('-x')],
  ['cat <<< a', shell('cat <<< a')],
  ['cat << EOF', shell('cat << EOF')],
  ['echo "<<EOF"', shell('echo "<<EOF"')],
  ['cat<<EOF', shell('cat<<EOF')],
  ['echo $((1<<3))', shell('echo $((1<<3))')],
  ['["cat","<<EOF"]', ['cat', '<<EOF']],
  ['<<-', shell('<<-')],
]

test('RUN, CMD and ENTRYPOINT have a shell form and a JSON form', () => {
  for (const [rest, argv] of commands) {
    const run = lastAction(`RUN ${rest}`)
    assert.deepEqual(run.kind === 'run' && run.argv, argv, rest)
    assert.deepEqual(below(`CMD ${rest}`).config.command, argv, rest)
    assert.deepEqual(below(`ENTRYPOINT ${rest}`).config.entrypoint, argv, rest)
  }
})

test('ENTRYPOINT drops the command of the base, and no other', () => {
  const of = (lines: string) => below(lines).config.command
  assert.deepEqual(of('ENV A=1'), ['/bin/sh'])
  assert.equal(of('ENTRYPOINT ["a"]'), null)
  assert.deepEqual(of('CMD ["b"]\nENTRYPOINT ["a"]'), ['b'])
  assert.deepEqual(of('ENTRYPOINT ["a"]\nCMD ["b"]'), ['b'])
  assert.deepEqual(of('CMD ["a"]\nCMD ["b"]'), ['b'])
})

test('a RUN sees the environment, arguments, directory and user of its line', () => {
  const run = (lines: string, given?: Record<string, string>) => {
    const action = lastAction(`${lines}\nRUN x`, given)
    assert.ok(action.kind === 'run')
    const { argv: _, kind: __, ...rest } = action
    return rest
  }
  const plain = { env: { PATH: '/bin', B: 'base' }, workingDir: '/srv/u', user: '0:0' }
  assert.deepEqual(run(''), plain)
  assert.deepEqual(run('ENV A=1'), { ...plain, env: { ...plain.env, A: '1' } })
  assert.deepEqual(run('ARG A=1'), { ...plain, env: { A: '1', ...plain.env } })
  assert.deepEqual(run('ARG A'), plain)
  assert.deepEqual(run('ARG A', { A: '2' }), { ...plain, env: { A: '2', ...plain.env } })
  assert.deepEqual(run('ARG B=x PATH=/y'), plain)
  assert.deepEqual(run('WORKDIR x\nUSER 5'), { ...plain, workingDir: '/srv/u/x', user: '5:5' })
  const before = below('RUN x\nENV A=1\nUSER 5\nWORKDIR /w').steps[1]!.action
  assert.deepEqual(before, { kind: 'run', argv: shell('x'), ...plain })
})

test('arguments leave no trace in the configuration', () => {
  const { config } = parse('ARG M=1\nFROM base\nARG A=1\nARG M\nRUN x', { A: 'secret' })
  assert.deepEqual(config, base)
})

test('WORKDIR joins a relative path to the last one', () => {
  for (const [lines, path, given] of [
    ['WORKDIR /a', '/a'],
    ['WORKDIR a', '/srv/u/a'],
    ['WORKDIR /a\nWORKDIR b\nWORKDIR c', '/a/b/c'],
    ['WORKDIR /a/', '/a'],
    ['WORKDIR /a//b/./c/../d', '/a/b/d'],
    ['WORKDIR ..', '/srv'],
    ['WORKDIR ../../../..', '/'],
    ['WORKDIR /', '/'],
    ['WORKDIR .', '/srv/u'],
    ['WORKDIR /a b', '/a b'],
    ['WORKDIR "/a b"', '/a b'],
    ['WORKDIR /a\\ b', '/a b'],
    ['ENV D=/x\nWORKDIR $D/y', '/x/y'],
    ['ENV D=/x\nWORKDIR \\$D', '/srv/u/$D'],
    ['ARG D\nWORKDIR /x/$D', '/x/y', { D: 'y' }],
    ['WORKDIR ${D:-/d}', '/d'],
    ['WORKDIR /a[b]?', '/a[b]?'],
    ['WORKDIR /process', '/process'],
    ['WORKDIR /srv/proc', '/srv/proc'],
  ] as const) {
    assert.deepEqual(lastAction(lines, given), { kind: 'workdir', path }, lines)
    assert.equal(below(lines, given).config.workingDir, path, lines)
  }
})

test('USER is numeric; a uid alone is its own group', () => {
  for (const [lines, user, given] of [
    ['USER 5', '5:5'],
    ['USER 5:6', '5:6'],
    ['USER 0', '0:0'],
    ['USER 1023:1023', '1023:1023'],
    ['USER "7"', '7:7'],
    ['ENV U=8\nUSER $U:9', '8:9'],
    ['ARG U\nUSER ${U:-10}', '10:10'],
    ['ARG U\nUSER ${U:-10}', '11:11', { U: '11' }],
    ['USER 5\nUSER 6', '6:6'],
  ] as const)
    assert.equal(below(lines, given).config.user, user, lines)
  assert.equal(below('').config.user, null)
})

test('LABEL takes several pairs, quotes and the old form', () => {
  for (const [lines, labels] of [
    ['LABEL a=b', { a: 'b' }],
    ['LABEL a=b c="d e" "f g"=h', { a: 'b', c: 'd e', 'f g': 'h' }],
    ['LABEL "com.example.vendor"="ACME Incorporated"', { 'com.example.vendor': 'ACME Incorporated' }],
    ['LABEL a b c', { a: 'b c' }],
    ['LABEL a=$B', { a: 'base' }],
    ["LABEL a='$B'", { a: '$B' }],
    ['LABEL of=own', { of: 'own' }],
    ['LABEL a=1\nLABEL a=2', { a: '2' }],
    ['LABEL Version=1', { Version: '1' }],
    ['LABEL a="line \\\n  two"', { a: 'line   two' }],
    ['LABEL ateliers=1 x.atelier.y=2', { ateliers: '1', 'x.atelier.y': '2' }],
    ['LABEL constructor=1', { constructor: '1' }],
  ] as const)
    assert.deepEqual(below(lines).config.labels, { of: 'base', ...labels }, lines)
})

test('EXPOSE is checked and changes nothing', () => {
  const ports = ['80', '80 443/tcp', '53/udp', '9/SCTP', '8000-8010', '8000-8010/tcp', '1', '65535', '${P:-80}', '"80"']
  for (const port of ports) {
    const { steps, config } = below(`EXPOSE ${port}`)
    assert.deepEqual([steps[1]!.action, config], [{ kind: 'none' }, base], port)
  }
  assert.deepEqual(below('ARG P="80 81"\nEXPOSE $P').config, base)
})

const copies: [lines: string, sources: string[], destination: string, intoDirectory?: boolean, owner?: string][] = [
  ['COPY a /b', ['a'], '/b'],
  ['COPY a b', ['a'], '/srv/u/b'],
  ['COPY a /b/', ['a'], '/b', true],
  ['COPY a b c/', ['a', 'b'], '/srv/u/c', true],
  ['COPY a .', ['a'], '/srv/u', true],
  ['COPY a ./', ['a'], '/srv/u', true],
  ['COPY a b .', ['a', 'b'], '/srv/u', true],
  ['COPY a /', ['a'], '/', true],
  ['COPY . /all', ['.'], '/all'],
  ['COPY ./ /all', ['.'], '/all'],
  ['COPY / /all', ['.'], '/all'],
  ['COPY /a /all', ['a'], '/all'],
  ['COPY ./a//b/ /x', ['a/b'], '/x'],
  ['COPY a/../b /x', ['b'], '/x'],
  ['COPY a/.. /x', ['.'], '/x'],
  ['COPY a ../b', ['a'], '/srv/b'],
  ['COPY a /x/../y/', ['a'], '/y', true],
  ['COPY ["a b","/c d"]', ['a b'], '/c d'],
  ['COPY ["a","b","/c/"]', ['a', 'b'], '/c', true],
  ['COPY [ "a" , "b" ]', ['a'], '/srv/u/b'],
  ['COPY "a" /b', ['a'], '/b'],
  ['COPY a/ /b/', ['a'], '/b', true],
  ['COPY ..a /b', ['..a'], '/b'],
  ['COPY .dockerignore /b', ['.dockerignore'], '/b'],
  ['COPY a /b[c]?', ['a'], '/b[c]?'],
  ['COPY $B /x', ['base'], '/x'],
  ['COPY ["$B","/$B"]', ['base'], '/base'],
  ['COPY \\$B /x', ['$B'], '/x'],
  ['ENV D=/d/\nCOPY a b $D', ['a', 'b'], '/d', true],
  ['WORKDIR /w\nCOPY a b', ['a'], '/w/b'],
  ['COPY \\\n a \\\n /b', ['a'], '/b'],
  ['COPY --chown=3:4 a /b', ['a'], '/b', false, '3:4'],
  ['COPY --chown=3 a /b', ['a'], '/b', false, '3:3'],
  ['COPY --chown="3:4" a /b', ['a'], '/b', false, '3:4'],
  ['COPY --chown=3:4 ["a","/b"]', ['a'], '/b', false, '3:4'],
  ['ARG U=5\nCOPY --chown=$U a /b', ['a'], '/b', false, '5:5'],
  ['USER 7\nCOPY a /b', ['a'], '/b', false, '0:0'],
  ['COPY -- a /b', ['a'], '/b'],
]

test('COPY names its sources in the context and its destination in the container', () => {
  for (const [lines, sources, destination, intoDirectory = false, owner = '0:0'] of copies)
    assert.deepEqual(lastAction(lines), { kind: 'copy', sources, destination, intoDirectory, owner }, lines)
})

test('each instruction is a step, with its line and its text', () => {
  const { steps } = parse('ARG A\n\nFROM base\n# c\nrun echo \\\n  a\nCMD ["x"]')
  assert.deepEqual(
    steps.map(({ step, line, text }) => [step, line, text]),
    [
      [1, 1, 'ARG A'],
      [2, 3, 'FROM base'],
      [3, 5, 'run echo   a'],
      [4, 7, 'CMD ["x"]'],
    ],
  )
})

test('an image from scratch begins with nothing', () => {
  const { config } = parse('FROM scratch\nENV A=1\nWORKDIR w\nCMD ["/a"]', {}, scratchConfig)
  assert.deepEqual(config, { ...scratchConfig, env: { A: '1' }, workingDir: '/w', command: ['/a'] })
})
