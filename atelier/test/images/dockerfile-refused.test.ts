// What a Dockerfile may not hold, and how the refusal says it. Long because it is a table.
import assert from 'node:assert/strict'
import test from 'node:test'
import { below, parse, refusal } from './parsed.ts'

/** text, line, instruction, a part of the reason */
type Row = readonly [text: string, line: number, instruction: string | null, reason: RegExp]

const order: Row[] = [
  ['', 1, null, /no FROM/],
  ['\n\n# only a comment\n', 1, null, /no FROM/],
  ['ARG A=1', 1, null, /no FROM/],
  ['RUN true', 1, 'RUN', /before FROM/],
  ['RUN true\nFROM base', 1, 'RUN', /before FROM/],
  ['ARG A\nENV B=1\nFROM base', 2, 'ENV', /before FROM/],
  ['LABEL a=b\nFROM base', 1, 'LABEL', /before FROM/],
  ['FROM base\nFROM base', 2, 'FROM', /one FROM/],
  ['FROM base\nRUN a\nFROM scratch', 3, 'FROM', /one FROM/],
  ['FROM base\nRUN a\n\n# c\nfrom base', 5, 'FROM', /one FROM/],
]
const bases: Row[] = [
  ['FROM', 1, 'FROM', /argument/],
  ['FROM base AS one', 1, 'FROM', /stage/],
  ['FROM base as one', 1, 'FROM', /stage/],
  ['FROM base other', 1, 'FROM', /one image/],
  ['FROM base AS', 1, 'FROM', /stage/],
  ['FROM --platform=linux/amd64 base', 1, 'FROM', /flag/],
  ['FROM localhost/base-busybox:1', 1, 'FROM', /name or id/],
  ['FROM registry.example/library/alpine:3', 1, 'FROM', /name or id/],
  ['FROM alpine:3', 1, 'FROM', /name or id/],
  ['FROM base@sha256:0123', 1, 'FROM', /name or id/],
  ['FROM Base', 1, 'FROM', /name or id/],
  ['FROM -base', 1, 'FROM', /name or id/],
  [`FROM ${'a'.repeat(64)}`, 1, 'FROM', /name or id/],
  ['FROM $UNSET', 1, 'FROM', /name or id/],
  ['FROM ${X:?no}', 1, 'FROM', /supported/],
  ['FROM "base', 1, 'FROM', /quote/],
  ['ARG X=a/b\nFROM $X', 2, 'FROM', /name or id/],
]
const unsupported: Row[] = [
  'ADD a /a',
  'ADD http://127.0.0.1/x /x',
  'VOLUME /v',
  'ONBUILD RUN true',
  'SHELL ["sh"]',
  'STOPSIGNAL 9',
  'HEALTHCHECK CMD true',
  'HEALTHCHECK NONE',
  'MAINTAINER me',
  'NONSENSE x',
  'RUNS x',
  '// a',
  'INCLUDE x',
  'onbuild run true',
  'CROSS_BUILD',
  'EOF',
  '__PROTO__ x',
  'CONSTRUCTOR x',
].map((line) => [`FROM base\n${line}`, 2, line.split(' ')[0]!.toUpperCase(), /not supported/])
const flags: Row[] = [
  ['RUN --mount=type=cache,target=/c true', 'RUN'],
  ['RUN --network=host true', 'RUN'],
  ['RUN --security=insecure true', 'RUN'],
  ['RUN --"mount=x" true', 'RUN'],
  ['RUN --mount=x ["true"]', 'RUN'],
  ['COPY --from=base /etc/passwd /p', 'COPY'],
  ['COPY --link a /a', 'COPY'],
  ['COPY --chmod=777 a /a', 'COPY'],
  ['COPY --chown a /a', 'COPY'],
  ['COPY --parents a /a', 'COPY'],
  ['COPY --exclude=b a /a', 'COPY'],
  ['COPY --CHOWN=1 a /a', 'COPY'],
  ['COPY --chown=1 --link a /a', 'COPY'],
  ['ENV --a=b', 'ENV'],
  ['CMD --help', 'CMD'],
  ['USER --x 5', 'USER'],
  ['WORKDIR --x /a', 'WORKDIR'],
  ['LABEL --x a=b', 'LABEL'],
  ['ARG --x A', 'ARG'],
  ['EXPOSE --x 80', 'EXPOSE'],
  ['ENTRYPOINT --x ["a"]', 'ENTRYPOINT'],
].map(([line, instruction]) => [`FROM base\n${line!}`, 2, instruction!, /flag is not supported/])
const directives: Row[] = [
  '# syntax=docker/dockerfile:1',
  '# escape=`',
  '# escape=\\',
  '#check=skip=all',
  '  #  SYNTAX  =  docker/dockerfile:1',
  '\uFEFF# syntax=x',
  '#\tEscape=`',
].map((line) => [`${line}\nFROM base`, 1, null, /directives/])
const hereDocuments: Row[] = [
  ['COPY <<EOF /a\nx\nEOF', 'COPY'],
  ['COPY <<-"EOF" /a\nx\nEOF', 'COPY'],
  ['COPY a <<EOF /b/\nx\nEOF', 'COPY'],
  ['RUN <<EOF\ntrue\nEOF', 'RUN'],
  ['RUN <<-EOF\ntrue\nEOF', 'RUN'],
  ["RUN <<'EOF'\ntrue\nEOF", 'RUN'],
  ['RUN cat <<EOF > /f\ntrue\nEOF', 'RUN'],
  ['RUN 3<<EOF cat <&3\nx\nEOF', 'RUN'],
  ['RUN x=$(cat <<EOF)\nx\nEOF', 'RUN'],
].map(([lines, instruction]) => [`FROM base\n${lines!}`, 2, instruction!, /here-documents/])

const instructionRows: [line: string, reason: RegExp][] = [
  ['RUN', /argument/],
  ['RUN   ', /argument/],
  ['RUN --', /argument/],
  ['RUN []', /empty/],
  ['RUN [""]', /empty/],
  ['RUN ["a",1]', /strings/],
  ['RUN [["a"]]', /strings/],
  ['RUN ["a\\u0000"]', /NUL/],
  [`RUN ${JSON.stringify(Array.from({ length: 257 }, () => 'a'))}`, /256/],
  ['CMD', /argument/],
  ['CMD []', /empty/],
  ['CMD [null]', /strings/],
  ['CMD ["", "a"]', /empty/],
  ['ENTRYPOINT', /argument/],
  ['ENTRYPOINT []', /empty/],
  ['ENTRYPOINT [{}]', /strings/],
  ['ENV', /argument/],
  ['ENV A', /needs a value/],
  ['ENV =x', /name=value/],
  ['ENV A=1 B', /name=value/],
  ['ENV A=1 =2', /name=value/],
  ['ENV 1A=x', /name of a variable/],
  ['ENV A-B=x', /name of a variable/],
  ['ENV A.B x', /name of a variable/],
  ['ENV "A B"=x', /name of a variable/],
  ['ENV $UNSET=x', /name of a variable/],
  ['ENV É=x', /name of a variable/],
  ['ENV ATELIER_EXEC=1', /ATELIER_/],
  ['ENV ATELIER_ 1', /ATELIER_/],
  ['ENV A=1 ATELIER_X=2', /ATELIER_/],
  ['ENV "ATELIER_X"=2', /ATELIER_/],
  ['ENV A="x', /double quote/],
  ["ENV A='x", /single quote/],
  ['ENV A=${A:?x}', /supported/],
  ['ENV A=${A?x}', /supported/],
  ['ENV A=${A-x}', /supported/],
  ['ENV A=${A+x}', /supported/],
  ['ENV A=${A:=x}', /supported/],
  ['ENV A=${A#x}', /supported/],
  ['ENV A=${A%%x}', /supported/],
  ['ENV A=${A/x/y}', /supported/],
  ['ENV A=${A:1}', /supported/],
  ['ENV A=${!A}', /supported/],
  ['ENV A=${}', /no name/],
  ['ENV A=${:-x}', /no name/],
  ['ENV A=${A', /brace/],
  ['ENV A=${A:-x', /brace/],
  ['ENV A=${A:', /supported|brace/],
  ['ENV A=${A:-${B:-x}', /brace/],
  [`ENV A=${'${A:-'.repeat(40)}x${'}'.repeat(40)}`, /deeply/],
  [`ENV ${Array.from({ length: 129 }, (_, i) => `A${i}=1`).join(' ')}`, /128 names/],
  ['ARG', /argument/],
  ['ARG =x', /name of a variable/],
  ['ARG 1=x', /name of a variable/],
  ['ARG A-B', /name of a variable/],
  ['ARG ATELIER_X=1', /ATELIER_/],
  ['ARG A="x', /double quote/],
  ['ARG A=${B:?x}', /supported/],
  ['LABEL', /argument/],
  ['LABEL a', /needs a value/],
  ['LABEL =b', /name=value/],
  ['LABEL a=1 b', /name=value/],
  ['LABEL ""=b', /name of a label/],
  ['LABEL atelier.instance=x', /atelier/],
  ['LABEL Atelier.instance=x', /atelier/],
  ['LABEL "atelier.kind"=x', /atelier/],
  ['LABEL a=b atelier.id=x', /atelier/],
  ['LABEL atelier.id x', /atelier/],
  ['ARG L=atelier.id\nLABEL $L=x', /atelier/],
  ['ARG L=elier.id\nLABEL at${L}=x', /atelier/],
  [`LABEL ${'a'.repeat(256)}=x`, /name of a label/],
  ['LABEL a="x', /double quote/],
  ['WORKDIR', /argument/],
  ['WORKDIR $UNSET', /path is empty/],
  ['WORKDIR ""', /path is empty/],
  ['WORKDIR /a*', /asterisk/],
  ['WORKDIR /a\u0007', /control/],
  ['WORKDIR /proc', /\/proc/],
  ['WORKDIR /sys/x', /\/proc/],
  ['WORKDIR /a/../dev/shm', /\/proc/],
  ['WORKDIR /\nWORKDIR dev', /\/proc/],
  [`WORKDIR /${'a/'.repeat(65)}`, /64 levels/],
  [`WORKDIR /${'a'.repeat(4096)}`, /4096/],
  ['USER', /argument/],
  ['USER root', /uid/],
  ['USER u', /uid/],
  ['USER 1024', /1023/],
  ['USER 5:1024', /1023/],
  ['USER 5:', /uid/],
  ['USER :5', /uid/],
  ['USER -1', /uid/],
  ['USER 1.5', /uid/],
  ['USER 0x5', /uid/],
  ['USER 05', /uid/],
  ['USER 5:6:7', /uid/],
  ['USER 5 6', /uid/],
  ['USER ٣', /uid/],
  ['USER $UNSET', /uid/],
  ['EXPOSE', /argument/],
  ['EXPOSE many', /port/],
  ['EXPOSE 0', /port/],
  ['EXPOSE 65536', /port/],
  ['EXPOSE 80/icmp', /port/],
  ['EXPOSE 80/', /port/],
  ['EXPOSE 90-80', /port/],
  ['EXPOSE 80-65536', /port/],
  ['EXPOSE 80:80', /port/],
  ['EXPOSE 127.0.0.1:80:80', /port/],
  ['EXPOSE 80 x', /port/],
  ['EXPOSE -80', /port/],
  ['EXPOSE $UNSET', /port/],
  ['COPY', /argument/],
  ['COPY a', /source and a destination/],
  ['COPY ["a"]', /source and a destination/],
  ['COPY []', /source and a destination/],
  ['COPY ["a",1]', /strings/],
  ['COPY a b /c', /slash/],
  ['COPY ["a","b","/c"]', /slash/],
  ['COPY a* /a/', /wildcards/],
  ['COPY a? /a/', /wildcards/],
  ['COPY [ab] /a/', /wildcards/],
  ['COPY ["a*","/a/"]', /wildcards/],
  ['ARG W=*\nCOPY $W /a/', /wildcards/],
  ['COPY ../a /a', /context/],
  ['COPY a/../../b /a', /context/],
  ['COPY .. /a', /context/],
  ['COPY /../a /a', /context/],
  ['COPY $UNSET /a', /source is empty/],
  ['COPY a $UNSET', /path is empty/],
  ['COPY a /b*', /asterisk/],
  ['COPY a /proc/x', /\/proc/],
  ['COPY a /dev/', /\/proc/],
  ['COPY "a b" /c', /quote/],
  ['COPY --chown=root a /a', /uid/],
  ['COPY --chown=9999 a /a', /1023/],
  ['COPY --chown=1:9999 a /a', /1023/],
  ['COPY --chown= a /a', /uid/],
  ['COPY --chown=$U a /a', /uid/],
  ['COPY --chown=1 --chown=2 a /a', /twice/],
]

for (const [what, rows] of Object.entries({ order, bases, unsupported, flags, directives, hereDocuments })) {
  test(`a Dockerfile is refused with its line and instruction: ${what}`, () => {
    for (const [text, line, instruction, reason] of rows) {
      const refused = refusal(text)
      assert.deepEqual(
        [refused.code, refused.line, refused.instruction],
        ['invalid_dockerfile', line, instruction],
        text,
      )
      assert.match(refused.reason ?? '', reason, text)
    }
  })
}

test('an instruction with a wrong argument is refused', () => {
  for (const [lines, reason] of instructionRows) {
    const refused = refusal(`FROM base\n${lines}`)
    const last = lines.split('\n').at(-1)!
    assert.deepEqual(
      [refused.code, refused.line, refused.instruction],
      ['invalid_dockerfile', 1 + lines.split('\n').length, last.split(' ')[0]],
      lines,
    )
    assert.match(refused.reason ?? '', reason, lines)
  }
})

test('the line is that where the instruction begins', () => {
  for (const [text, line] of [
    ['FROM base\nRUN true \\\n  && \\\n  true\nADD x y', 5],
    ['FROM base\n\n# c\nRUN --network=host true', 4],
    ['FROM base\r\n\r\nADD a b\r\n', 3],
    ['FROM base\nENV A=1 \\\n  B', 2],
    ['\n\n\\\nADD x', 3],
    ['FROM base\nRUN a \\\n# c\n\n b\nADD x', 6],
    ['FROM base\nRUN a\\\\\nADD x', 3],
    ['FROM base\nRUN \0', 2],
  ] as const)
    assert.equal(refusal(text).line, line, text)
})

test('a Dockerfile has at most 100 steps and 64 KiB', () => {
  assert.equal(below('RUN true\n'.repeat(99)).steps.length, 100)
  assert.deepEqual(
    [
      refusal(`FROM base\n${'RUN true\n'.repeat(101)}`).line,
      refusal(`FROM base\n${'RUN true\n'.repeat(101)}`).instruction,
    ],
    [101, 'RUN'],
  )
  const full = `FROM base\n#${'x'.repeat(65_536 - 11)}`
  assert.equal(parse(full).steps.length, 1)
  assert.match(refusal(`${full}x`).reason!, /64 KiB/)
  assert.match(refusal(`FROM base\n#${'é'.repeat(33_000)}`).reason!, /64 KiB/)
})

test('variables that grow line by line are refused before they fill the memory', () => {
  const doubling = (instruction: string) => `${instruction} A=0123456789\n${`${instruction} A=$A$A\n`.repeat(60)}`
  for (const lines of [doubling('ENV'), doubling('ARG')])
    assert.match(refusal(`FROM base\n${lines}`).reason!, /128 KiB/)
  const wide = `ARG A\nLABEL ${Array.from({ length: 100 }, (_, i) => `l${i}=$A`).join(' ')}`
  assert.match(refusal(`FROM base\n${wide}`, { A: 'x'.repeat(4000) }).reason!, /128 KiB/)
  assert.match(refusal('FROM base\nARG A', { A: 'x'.repeat(140_000) }).reason!, /128 KiB/)
})

test('a build argument that the file does not declare is an invalid request', () => {
  for (const [text, buildArgs, field] of [
    ['FROM base', { X: '1' }, 'buildArgs.X'],
    ['FROM base\nARG V', { X: '1' }, 'buildArgs.X'],
    ['FROM base\nARG V', { V: '1', W: '2' }, 'buildArgs.W'],
    ['FROM base\nENV X=1', { X: '1' }, 'buildArgs.X'],
    ['FROM base', { HTTP_PROXY: 'x' }, 'buildArgs.HTTP_PROXY'],
    ['FROM base', { constructor: 'x' }, 'buildArgs.constructor'],
  ] as const) {
    const refused = refusal(text, buildArgs)
    assert.deepEqual([refused.code, refused.field], ['invalid_request', field])
  }
  assert.equal(refusal('FROM base\nARG V', { V: 'a\0b' }).code, 'invalid_dockerfile')
})

test('an unknown word is quoted in part only', () => {
  assert.equal(refusal(`FROM base\n${'X'.repeat(500)}`).instruction?.length, 32)
})
