import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { runAtTerminal, bin, hasTerminal, startLongList, vitrine, withoutProgress } from '../support/command-line.ts'

if (!hasTerminal)
  process.stderr.write('SKIPPED: script(1) of util-linux is missing, so the tests at a terminal do not run\n')
const skip = hasTerminal ? false : 'no script(1)'

const escape = '\u001b'
const bold = new RegExp(`${escape}\\[1m`)
const hostile = `${escape}]0;pwned\u0007`

test(
  'at a terminal a list is a table that fits, cells are cut with …, and omitted columns are named',
  { skip },
  async (t) => {
    const attributes = (number: number) => ({
      name: `潮の満ち引き ${number}`,
      bundleId: `com.example.${'long.'.repeat(12)}${number}`,
      sku: `S${number}`,
      primaryLocale: 'ja',
      contentRightsDeclaration: 'DOES_NOT_USE_THIRD_PARTY_CONTENT',
    })
    const { env } = await startLongList(t, { size: 3, attributes })
    const { code, out } = await runAtTerminal(`${bin} read listApps`, { ...env, NO_COLOR: '1' })
    assert.equal(code, 0)
    const [head = '', first = '', , , left = '', cut = ''] = withoutProgress(out).split('\n')
    assert.match(head, /^id {2}name +bundleId +sku +primaryLocale$/)
    assert.match(first, /^1 {3}潮の満ち引き 1 {2}com\.example\.\S*… {2}S1 {3}ja$/)
    assert.match(
      left,
      /^Omitted for lack of width: contentRightsDeclaration\. Choose with --fields, or see all with --wide or --output json\.$/,
    )
    assert.match(cut, /^Cells that end in … are cut/)
    const wide = await runAtTerminal(`${bin} read listApps --wide`, { ...env, NO_COLOR: '1' })
    assert.ok(wide.out.includes('DOES_NOT_USE_THIRD_PARTY_CONTENT') && !wide.out.includes('…'))
  },
)

test('colours are used at a terminal only, and never with NO_COLOR or a dumb terminal', { skip }, async (t) => {
  const { env } = await startLongList(t, { size: 2 })
  const line = `${bin} read listApps`
  assert.match((await runAtTerminal(line, env)).out, bold)
  for (const more of [{ NO_COLOR: '1' }, { TERM: 'dumb' }, { NO_COLOR: '1', FORCE_COLOR: '1' }])
    assert.ok(!withoutProgress((await runAtTerminal(line, { ...env, ...more })).out).includes(escape))
  const piped = await vitrine(['read', 'listApps', '--output', 'table', '--limit', '1'], env)
  assert.ok(!`${piped.out}${piped.err}`.includes(escape))
  assert.match((await vitrine(['read', 'listApps', '--output', 'table'], { ...env, FORCE_COLOR: '1' })).out, bold)
})

test('control characters in a name do not reach the terminal, in rows, in errors or in help', { skip }, async (t) => {
  const { env } = await startLongList(t, { size: 1, attributes: () => ({ name: hostile, sku: 'a\nb\u202ec' }) })
  for (const line of [
    'read listApps',
    'read listApps --output csv',
    'read listApps --output json',
    'read listApps --all --output ndjson',
    "read $'lis\\e]0;pwned\\a'",
    "read listApps $'--\\e]0;pwned\\a' x",
    "read listApps --connection $'\\e]0;pwned\\a'",
    "read listApps --limit $'\\e]0;pwned\\a'",
    "read getEvent --eventId $'\\e]0;pwned\\a'",
  ]) {
    const ran = await runAtTerminal(`bash -c ${JSON.stringify(`${bin} ${line}`).replaceAll('$', String.raw`\$`)}`, {
      ...env,
      NO_COLOR: '1',
    })
    const out = withoutProgress(ran.out)
    assert.ok(!out.includes(escape) && !out.includes('\u0007') && !out.includes('\u202e'), JSON.stringify(out))
    assert.ok(out.length > 10)
  }
  const { out } = await runAtTerminal(`${bin} read listApps`, { ...env, NO_COLOR: '1' })
  assert.ok(out.includes('�]0;pwned�  a↵b�c'), out)
  const json = await runAtTerminal(`${bin} read listApps --all --output json`, env)
  assert.deepEqual(JSON.parse(withoutProgress(json.out)).items, [{ id: '1', name: hostile, sku: 'a\nb\u202ec' }])
  const csv = await vitrine(['read', 'listApps', '--output', 'csv', '--fields', 'name'], env)
  assert.equal(csv.out, `id,name\r\n1,"${hostile}"\r\n`)
})

test('a long read shows its progress on standard error, and erases it at the end', { skip }, async (t) => {
  const pause = async () => new Promise<void>((ok) => setTimeout(ok, 300))
  const { env } = await startLongList(t, { size: 60, pause })
  const shown = await runAtTerminal(`${bin} read listApps --all --limit 10 --fields name --output csv > /dev/null`, env)
  assert.equal(shown.code, 0)
  assert.match(shown.out, /\r[1-5]0 items from [1-5] pages? so far …/)
  assert.ok(shown.out.endsWith(`\r${escape}[K`), JSON.stringify(shown.out))
  const logged = await runAtTerminal(
    `${bin} read listApps --all --limit 10 --fields name --output csv 2>&1 > /dev/null | cat`,
    env,
  )
  assert.equal(logged.out, '')
  const dumb = await runAtTerminal(`${bin} read listApps --all --limit 10 --fields name --output csv > /dev/null`, {
    ...env,
    TERM: 'dumb',
  })
  assert.deepEqual([dumb.code, dumb.out], [0, ''])
})

test('a dumb terminal gets the lines of the doctor and whoami, and nothing to draw over them', { skip }, async (t) => {
  const { env } = await startLongList(t, { size: 1 })
  const doctor = await runAtTerminal(`${bin} doctor --config /dev/null`, { ...env, TERM: 'dumb' })
  assert.match(doctor.out, /Settings/)
  for (const { out } of [doctor, await runAtTerminal(`${bin} whoami`, { ...env, TERM: 'dumb' })])
    assert.ok(!out.includes(escape) && !out.includes('\r'), JSON.stringify(out))
})

test('a wait that the service asks for is shown', { skip }, async (t) => {
  const { service, env } = await startLongList(t, { size: 3 })
  const key = await service.issue({ perMinute: 1 })
  // its whole rate is used first
  assert.equal((await vitrine(['read', 'listApps'], { ...env, VITRINE_KEY: key })).code, 0)
  const { code, out } = await runAtTerminal(`${bin} read listApps --timeout 5s`, { ...env, VITRINE_KEY: key })
  assert.equal(code, 5)
  assert.match(out, /Waiting \d+ s: too many requests\./)
})

test('Ctrl-C at the terminal ends a read with 130 and says how to continue', { skip }, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-terminal-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const pidFile = join(folder, 'pid')
  const released = Promise.withResolvers<void>()
  t.after(() => released.resolve())
  const interrupt = () => process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGINT')
  const pause = async (at: number) => {
    if (at < 20) return
    // the page before this one is printed first
    setTimeout(interrupt, 500)
    await released.promise
  }
  const { env } = await startLongList(t, { size: 60, pause })
  const read = `${bin} read listApps --all --limit 10 --fields name --output ndjson`
  const line = `sh -c 'echo $$ > ${pidFile}; exec ${read}' > /dev/null; echo "ended $?"`
  const { out } = await runAtTerminal(line, env)
  assert.match(out, /Ended by SIGINT\.\n +so far +20 items printed, which is not all\n +continue +--cursor \S+\n/)
  assert.match(out, /ended 130\n$/)
})
