import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { once } from 'node:events'
import { resolve } from 'node:path'
import test from 'node:test'
import { routes } from '../../src/catalogue/index.ts'
import { probes } from '../../src/catalogue/probes.ts'
import { createReport } from '../../src/commands/doctor-report.ts'
import { paintFor } from '../../../base/cli/terminal.ts'
import { brokenInstallations } from '../../src/commands/broken-installations.ts'
import { checks } from '../../src/doctor/checks.ts'
import type { DoctorFinding } from '../../src/doctor/finding.ts'
import { createRunner } from '../../src/doctor/runner.ts'
import { judgeVersion } from '../../src/doctor/settings-check.ts'
import { startScriptedPlatform } from '../support/scripted-platform.ts'
import { clean, install } from './scene.ts'

/** the cells of each row of the guide's table with these heads */
function tableOf(head: string): string[][] {
  const lines = readFileSync('docs/guides/doctor.md', 'utf8').split('\n')
  const at = lines.findIndex((line) => line.startsWith(head))
  assert.ok(at > 0, head)
  const rows = lines.slice(at + 2)
  return rows.slice(0, rows.indexOf('')).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
}

test('the guide lists exactly the checks, in their order', () => {
  assert.deepEqual(
    tableOf('| Check ').map(([id]) => id),
    Object.keys(checks).map((id) => `\`${id}\``),
  )
})

test('the guide lists exactly the disorders, each with the check that reports it', () => {
  assert.deepEqual(
    tableOf('| Disorder '),
    Object.entries(brokenInstallations).map(([name, { about, found }]) => [
      `\`${name}\``,
      about,
      found === undefined ? '' : `\`${found.check}\` ${found.state}`,
    ]),
  )
})

test('the guide lists exactly the read that is made for each group', () => {
  assert.deepEqual(
    tableOf('| Group '),
    Object.entries(probes).map(([group, { read }]) => [`\`${group}\``, `\`GET ${read}\``]),
  )
})

test('every check except version and replicas has a disorder in the sandbox', () => {
  const found = new Set(Object.values(brokenInstallations).flatMap((one) => one.found?.check.split(':')[0] ?? []))
  assert.deepEqual(
    Object.keys(checks).filter((id) => !found.has(id)),
    ['version', 'replicas'],
  )
})

test('a check depends only on earlier checks', () => {
  const ids = Object.keys(checks)
  for (const [id, { needs }] of Object.entries(checks))
    for (const need of needs) assert.ok(ids.slice(0, ids.indexOf(id)).includes(need), `${id} needs ${need}`)
})

test('every group that has a route has a probe in src/catalogue/probes.ts', () => {
  const without = new Set(routes.map(({ group }) => group).filter((group) => probes[group] === undefined))
  assert.deepEqual([...without], [])
})

test('a Node.js that is too old fails with the oldest supported version', () => {
  assert.equal(judgeVersion('v24.15.0').state, 'ok')
  assert.equal(judgeVersion('v26.10.0').state, 'ok')
  assert.equal(JSON.parse(readFileSync('package.json', 'utf8')).engines.node, '>=24.15.0')
  for (const old of ['v24.14.9', 'v22.20.0'])
    assert.deepEqual(
      [judgeVersion(old).state, judgeVersion(old).cure],
      ['fail', 'Install Node.js 24.15 or newer, or name one in VITRINE_NODE.'],
    )
})

test('on a terminal each check is a line with a mark and a word, and problems have their cause and fix below', () => {
  const findings = [
    { id: 'store', state: 'warn', says: 'It is full.', cause: 'much\u001b[2J', cure: 'Make room.' },
    { id: 'token', connection: 'acme', state: 'ok', says: 'It is taken.', tookMs: 3 },
    { id: 'group:builds', connection: 'acme', state: 'fail', says: 'No.' },
    { id: 'token', connection: 'other', state: 'skip', says: 'Not tried: no key.' },
  ] as const
  const report = createReport(paintFor({ isTTY: false }, {}))
  assert.equal(
    [...findings.map((finding) => report.lines(finding)), report.sum(findings)].join('\n'),
    ` ! warn Store              It is full.
                           Cause: much\u{fffd}[2J
                           Fix:   Make room.

acme
 ✓ ok   Token              It is taken.
 ✗ fail Group builds       No.

other
 – skip Token              Not tried: no key.

1 ok, 1 with a warning, 1 failed, 1 skipped.`,
  )
  const coloured = createReport(paintFor({ isTTY: true }, {})).lines(findings[2])
  assert.equal(coloured, '\nacme\n \u001b[31m✗ fail\u001b[39m Group builds       No.')
})

test('a check that hangs fails after its timeout, and checks that depend on it are skipped', async () => {
  const told: DoctorFinding[] = []
  const round = createRunner({ report: (one) => told.push(one), started: () => {}, timeoutMs: 20 })
  await round.run('store', () => new Promise(() => {}))
  await round.run('schema', () => assert.fail('it was tried'))
  await round.run('platform', () => {
    throw new Error('of Bearer abcdefghijkl')
  })
  assert.deepEqual(
    told.map(({ id, state, says, cause }) => [id, state, says, cause]),
    [
      ['store', 'fail', 'The check did not end within 0.02 seconds.', undefined],
      ['schema', 'skip', 'Not tried: the store cannot be used.', undefined],
      ['platform', 'fail', 'The check failed to run.', 'of Bearer [redacted]'],
    ],
  )
})

test('an interrupt ends the command at once, even during a platform call', async (t) => {
  const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>()
  const platform = await startScriptedPlatform(() => onAsked())
  t.after(platform.close)
  const { config } = install(t, platform.url)
  const child = spawn(resolve('bin/vitrine'), ['doctor', '--config', config], { env: clean(), stdio: 'pipe' })
  const ended = once(child, 'exit')
  let out = ''
  child.stdout.on('data', (part: Buffer) => (out += part.toString()))
  child.stderr.on('data', (part: Buffer) => (out += part.toString()))
  await asked
  child.kill('SIGINT')
  assert.deepEqual(await ended, [130, null])
  assert.equal(out, '')
})
