// Builds on both real engines: what comes of them, and that nothing else is left.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { onEveryEngine } from '../engines.ts'
import { contextOf, item, text, withRig } from './build-rig.ts'

onEveryEngine('a build of a few steps is ready, with its configuration and its log', (at) =>
  withRig(at, async (rig) => {
    const image = await rig.ready(
      'FROM base\nARG V\nENV A=$V\nWORKDIR /srv/app\nRUN echo $A > f; pwd >> f; id -u >> f; echo out; echo err >&2\nUSER 5:6\nRUN id -u; id -g',
      { buildArgs: { V: 'given' }, labels: { team: 'x' } },
    )
    assert.deepEqual(
      [image.config.workingDir, image.config.user, image.config.env['A'], image.config.labels],
      ['/srv/app', '5:6', 'given', { team: 'x' }],
    )
    assert.ok((image.sizeBytes ?? 0) > 1000)
    assert.equal(await rig.within(image, 'cat /srv/app/f; env | grep -c ^V='), 'given\n/srv/app\n0\n0\n')
    const log = await rig.logOf(image.id)
    assert.deepEqual(
      log.map(({ seq }) => seq),
      log.map((_, i) => i + 1),
    )
    assert.deepEqual(
      log.filter(({ stream }) => stream === 'service').map(({ step }) => step),
      [1, 2, 3, 4, 5, 6, 7],
    )
    assert.ok(log.some(({ stream, data, step }) => stream === 'stdout' && data === 'out\n' && step === 5))
    assert.ok(log.some(({ stream, data, step }) => stream === 'stderr' && data === 'err\n' && step === 5))
    const below = await rig.ready(`FROM ${image.id}\nCOPY a .`, { files: [text('a', 'A')] })
    assert.equal(await rig.within(below, 'cat /srv/app/a /srv/app/f'), 'Agiven\n/srv/app\n0\n')
    await rig.assertNothingLeft(image, below)
  }),
)

const files = [
  text('a.txt', 'A'),
  text('run.sh', '#!/bin/sh\necho ran\n', '755'),
  text('d/x', 'X'),
  text('d/e/y', 'Y'),
  text('sp ace', 'S'),
]

/** lines below FROM base, a script, and what it prints */
const copies: [lines: string, script: string, printed: string][] = [
  ['COPY a.txt /to', 'cat /to; stat -c %u:%g:%a /to', 'A0:0:644\n'],
  ['COPY a.txt run.sh /into/', '/into/run.sh; stat -c %u:%g:%a /into /into/run.sh', 'ran\n0:0:755\n0:0:755\n'],
  ['COPY d /copied', 'cat /copied/x /copied/e/y; stat -c %u:%g:%a /copied /copied/e', 'XY0:0:755\n0:0:755\n'],
  ['COPY d a.txt /both/', 'cd /both; ls; cat x a.txt', 'a.txt\ne\nx\nXA'],
  ['COPY d/e /deep/er/est', 'cat /deep/er/est/y', 'Y'],
  ['COPY a.txt /tmp', 'cat /tmp/a.txt; stat -c %a /tmp', 'A1777\n'],
  ['COPY a.txt .', 'cat /var/tmp/a.txt; stat -c %a /var/tmp', 'A1777\n'],
  ['WORKDIR w\nCOPY a.txt b\nWORKDIR ..', 'cat /var/tmp/w/b; stat -c %u:%g:%a /var/tmp/w', 'A0:0:755\n'],
  ['COPY --chown=3:4 d /owned', 'stat -c %u:%g /owned /owned/x /owned/e', '3:4\n3:4\n3:4\n'],
  ['COPY ["sp ace","/space here"]', 'cat "/space here"', 'S'],
  ['COPY . /all', 'cd /all; cat a.txt d/x d/e/y "sp ace"', 'AXYS'],
  ['COPY d d/e /flat/', 'cat /flat/x /flat/e/y /flat/y', 'XYY'],
  ['COPY a.txt /etc/passwd', 'cat /etc/passwd', 'A'],
  [
    'RUN ln -s /srv/real /link; mkdir -p /srv/real\nCOPY a.txt /link/',
    'cat /srv/real/a.txt; readlink /link',
    'A/srv/real\n',
  ],
  ['RUN mkdir /r; ln -s ../r /tmp/l\nCOPY d /tmp/l/sub', 'cat /r/sub/x', 'X'],
]

onEveryEngine('COPY puts files and directories where they belong', (at) =>
  withRig(at, async (rig) => {
    const image = await rig.ready(`FROM base\n${copies.map(([lines]) => lines).join('\n')}`, { files })
    const printed = await rig.within(image, copies.map(([, script]) => `(${script}) 2>&1; echo ---`).join('\n'))
    const wanted = copies.map(([, , each]) => each)
    assert.deepEqual(printed.split('---\n').slice(0, -1), wanted)
    for (const [lines, message] of [
      ['COPY a.txt nothing /x/', 'The source "nothing" is not in the context.'],
      ['COPY d /etc/passwd', 'The destination "/etc/passwd" is a file.'],
      ['COPY a.txt /etc/passwd/x', 'A part of the path "/etc/passwd/x" is not a directory.'],
      ['RUN ln -s /proc /p\nCOPY a.txt /p/x', 'The path "/p/x" leads into /proc, /sys or /dev.'],
      ['COPY a.txt/ b /x/', 'The source "b" is not in the context.'],
    ] as const) {
      const { status, error } = await rig.build(`FROM base\n${lines}`, { files })
      const step = lines.split('\n').length + 1
      assert.deepEqual([status, error?.type, error?.step, error?.message], ['failed', 'copy_failed', step, message])
    }
    await rig.assertNothingLeft(image)
  }),
)

onEveryEngine('a context by tar keeps its links and modes; a link as a source is followed', (at) =>
  withRig(at, async (rig) => {
    const link = (path: string, linkTarget: string) => item(path, { type: 'symlink', linkTarget, mode: 0o777 })
    const context = contextOf(
      item('s', { type: 'directory', mode: 0o750 }),
      item('s/f', { content: 'data', mode: 0o754 }),
      link('l', 's/f'),
      link('ld', 's'),
      item('big', { content: 'x'.repeat(3_000_000) }),
    )
    const image = await rig.ready('FROM base\nCOPY . /ctx\nCOPY l /one\nCOPY ld /two\nCOPY ld/f /three', { context })
    assert.equal(
      await rig.within(image, 'cd /ctx; cat l; readlink l; stat -c %a:%u s s/f; wc -c < big; cat /one /two/f /three'),
      'datas/f\n750:0\n754:0\n3000000\ndatadatadata',
    )
    for (const [bad, limits, code] of [
      [contextOf(item('../x')), {}, 'invalid_archive'],
      [contextOf(link('a', '/etc/shadow')), {}, 'invalid_archive'],
      [contextOf(item('a', { content: 'x'.repeat(5000) })), { contextBytes: 4000 }, 'too_large'],
      [contextOf(item('a'), item('b')), { archiveEntries: 1 }, 'too_large'],
    ] as const)
      await assert.rejects(rig.submit('FROM base\nCOPY . /x', { context: bad, limits }), { code })
    await rig.assertNothingLeft(image)
  }),
)

onEveryEngine('FROM scratch holds what is copied, and nothing of its empty base is left', (at) =>
  withRig(at, async (rig) => {
    const contentBase64 = readFileSync('/bin/busybox').toString('base64')
    const busybox = [{ path: 'sh', mode: '0755', contentBase64 }]
    const image = await rig.ready('FROM scratch\nCOPY sh /bin/sh\nCOPY sh /bin/sleep\nWORKDIR /w\nCMD ["/bin/sh"]', {
      files: busybox,
    })
    assert.equal(image.base, null)
    assert.equal(await rig.within(image, 'echo /*/sh; cd /w && echo in'), '/bin/sh\nin\n')
    await rig.assertNothingLeft(image)
    await rig.engine.removeImage(image.id)
    await rig.assertNothingLeft()
  }),
)

onEveryEngine('a failing step fails the build and names it', (at) =>
  withRig(at, async (rig) => {
    for (const [lines, step, type] of [
      ['RUN exit 7\nRUN echo never', 2, 'step_failed'],
      ['RUN true\nRUN ["/no/such"]', 3, 'step_failed'],
      ['RUN echo x > /f\nWORKDIR /f', 3, 'step_failed'],
    ] as const) {
      const image = await rig.build(`FROM base\n${lines}`)
      assert.deepEqual([image.status, image.error?.type, image.error?.step], ['failed', type, step], lines)
      assert.ok(!(await rig.logOf(image.id)).some(({ data }) => data.startsWith('never')))
    }
    const large = await rig.build('FROM base\nRUN true', { limits: { imageBytes: 1000 } })
    assert.equal(large.error?.type, 'image_too_large')
    await rig.assertNothingLeft()
  }),
)

onEveryEngine('what a RUN leaves in the background ends with its step', (at) =>
  withRig(at, async (rig) => {
    const stray = (name: string) => `setsid sh -c 'echo began > /began-${name}; exec sleep 4713' >/dev/null 2>&1 &`
    const count = 'cat /proc/[0-9]*/cmdline | tr "\\0" " " | grep -c "sleep 471[3]" >> /counts; true'
    const begun = (name: string) => `while [ ! -e /began-${name} ]; do :; done`
    const image = await rig.ready(
      [
        'FROM base',
        `RUN ${stray('root')} ${begun('root')}; cat /began-root`,
        `RUN ${count}`,
        'RUN mkdir -m 777 /open',
        'USER 1000',
        `RUN (trap '' TERM HUP; echo began > /open/began; while :; do :; done) & while [ ! -e /open/began ]; do :; done`,
        'USER 0',
        `RUN ls -d /proc/[0-9]*/exe | wc -l > /processes; ${count}`,
        'RUN echo kept > /kept',
      ].join('\n'),
    )
    assert.equal(await rig.within(image, 'cat /counts /kept'), '0\n0\nkept\n')
    // the init, what keeps it alive, the step's shell, ls and wc
    assert.ok(Number(await rig.within(image, 'cat /processes')) <= 5)
    const unending = await rig.ready('FROM base\nRUN sleep 4714 & echo said\nRUN echo more')
    const said = (await rig.logOf(unending.id)).flatMap(({ stream, data }) => (stream === 'stdout' ? [data] : []))
    assert.deepEqual(said, ['said\n', 'more\n'])
    await rig.assertNothingLeft(image, unending)
  }),
)

onEveryEngine('a build is cancelled, and ends at its time limit, with all it runs', (at) =>
  withRig(at, async (rig) => {
    const running = await rig.submit('FROM base\nRUN setsid sleep 4711 & echo go; sleep 4712')
    while (!(await rig.logOf(running.id)).some(({ data }) => data === 'go\n')) await pause(50)
    assert.equal(await rig.builder.cancel(running.id), true)
    assert.equal((await rig.store.images.find(running.id))!.status, 'cancelled')
    assert.equal(await rig.builder.cancel(running.id), false)
    const startedAt = Date.now()
    const late = await rig.build('FROM base\nRUN setsid sleep 777 & sleep 778', { timeoutSeconds: 2 })
    assert.deepEqual([late.status, late.error?.type, late.error?.step], ['failed', 'build_timeout', 2])
    assert.ok(Date.now() - startedAt < 12_000)
    for (const waitMs of [0, 20, 60, 120, 200]) {
      const { id } = await rig.submit('FROM base\nRUN true')
      await pause(waitMs)
      await rig.builder.cancel(id)
    }
    const made = await rig.store.images.living()
    await rig.assertNothingLeft(...made.filter(({ account, status }) => account !== null && status === 'ready'))
  }),
)

onEveryEngine('the log ends with one mark when it is full, and the build goes on', (at) =>
  withRig(at, async (rig) => {
    const limits = { buildLogBytes: 20_000 }
    const image = await rig.ready('FROM base\nRUN yes ü | head -c 300000; echo done > /f\nRUN echo more', { limits })
    const log = await rig.logOf(image.id)
    assert.deepEqual(
      log.flatMap(({ stream }, i) => (stream === 'truncated' ? [i] : [])),
      [log.length - 1],
    )
    assert.doesNotMatch(log.map(({ data }) => data).join(''), /\uFFFD/)
    assert.equal(await rig.within(image, 'cat /f'), 'done\n')
  }),
)

onEveryEngine('what cannot be taken in is refused, and gives its place back', (at) =>
  withRig(at, async (rig) => {
    const slow = await Promise.all([1, 2, 3].map(() => rig.submit('FROM base\nRUN sleep 100')))
    await assert.rejects(rig.submit('FROM base'), { code: 'build_limit' })
    await assert.rejects(rig.submit('FROM nothing'), { code: 'invalid_dockerfile' })
    await assert.rejects(rig.submit(`FROM ${slow[0]!.id}`), { code: 'image_not_ready' })
    await Promise.all(slow.map(({ id }) => rig.builder.cancel(id)))
    const twice = [text('a', ''), text('a', '')]
    for (let n = 0; n < 5; n++)
      await assert.rejects(rig.submit('FROM base', { files: twice }), { code: 'invalid_archive' })
    const image = await rig.ready('FROM base', { name: 'mine' })
    await assert.rejects(rig.submit('FROM base', { name: 'mine' }), { code: 'name_in_use' })
    await assert.rejects(rig.submit('FROM base', { limits: { images: 1 } }), { code: 'quota_exceeded' })
    await rig.assertNothingLeft(image)
  }),
)

onEveryEngine('a build that writes more than it may ends during the step, and after a short one', (at) =>
  withRig(at, async (rig) => {
    const limits = { imageBytes: 32 * 1024 * 1024 }
    const write = 'dd if=/dev/zero of=/big bs=1M count=48'
    for (const script of [`${write}; sleep 4715`, write]) {
      const image = await rig.build(`FROM base\nRUN ${script}\nRUN echo never`, { limits })
      assert.deepEqual([image.status, image.error?.type, image.error?.step], ['failed', 'image_too_large', 2])
    }
    await rig.ready('FROM base\nRUN dd if=/dev/zero of=/big bs=1M count=24', { limits })
  }),
)

onEveryEngine('a COPY is measured before anything is sent: links count as what they lead to', (at) =>
  withRig(at, async (rig) => {
    const links = Array.from({ length: 60 }, (_, i) => `l${i}`)
    const link = (path: string) => item(path, { type: 'symlink', linkTarget: 'big', size: 0, body: null })
    const context = () => contextOf(item('big', { content: 'x'.repeat(1024 * 1024) }), ...links.map(link))
    const limits = { imageBytes: 32 * 1024 * 1024 }
    const copy = (names: readonly string[]) => `FROM base\nCOPY ${names.join(' ')} /to/`
    const image = await rig.build(copy(links), { limits, context: context() })
    assert.deepEqual([image.status, image.error?.type, image.error?.step], ['failed', 'image_too_large', 2])
    assert.equal(image.error?.message, 'The COPY would write 62914560 bytes; 33554432 remain.')
    const made = await rig.ready(copy(links.slice(0, 8)), { limits, context: context() })
    assert.equal(await rig.within(made, 'wc -c /to/l7'), '1048576 /to/l7\n')
  }),
)
