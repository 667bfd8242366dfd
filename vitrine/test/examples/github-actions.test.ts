import assert from 'node:assert/strict'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { readSteps } from './run-blocks.ts'
import { isHere, openScene, type Scene, slowDown } from './scene.ts'

/** as GitHub runs a step with `shell: bash`, with the files that it gives to each */
async function runStep(t: TestContext, scene: Scene, script: string, env: Record<string, string>) {
  const cwd = mkdtempSync(join(tmpdir(), 'vitrine-recipe-'))
  t.after(() => rmSync(cwd, { recursive: true }))
  const [summary, output] = [join(cwd, 'summary'), join(cwd, 'output')]
  const ended = await scene.run('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd,
    env: { GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: output, ...env },
  })
  const read = (file: string) => {
    try {
      return readFileSync(file, 'utf8')
    } catch {
      return ''
    }
  }
  return { ...ended, summary: read(summary), output: read(output) }
}

async function open(t: TestContext) {
  if (!(await isHere(t, 'jq')) || !(await isHere(t, 'curl')) || !(await isHere(t, 'bash'))) return undefined
  const [step] = readSteps('examples/github-actions/release-gate.yml')
  const scene = await openScene(t)
  return {
    scene,
    gate: (app: string) => runStep(t, scene, step?.run ?? '', { BUNDLE_ID: `com.example.northlight.${app}` }),
  }
}

test('the release gate passes and reports an app without a rejected version', async (t) => {
  const opened = await open(t)
  if (!opened) return
  const { code, summary, output, out, err } = await opened.gate('tidal-charts')
  assert.deepEqual([code, out, err], [0, '', ''])
  assert.equal(summary, 'No version of Tidal Charts is rejected.\n')
  assert.equal(output, 'rejected=false\n')
})

test('the release gate fails for an app with a rejected version', async (t) => {
  const opened = await open(t)
  if (!opened) return
  const { code, summary, output, out } = await opened.gate('fjordwalk')
  assert.equal(code, 1)
  assert.match(summary, /^\*\*A version of Fjordwalk is rejected\.\*\*/)
  assert.equal(output, 'rejected=true\n')
  assert.equal(out, '::error title=Rejected::A version of Fjordwalk is rejected\n')
})

test('the release gate fails for an unknown app, a failed read and an answer of another server', async (t) => {
  const opened = await open(t)
  if (!opened) return
  const { scene, gate } = opened
  const unknown = await gate('tidal-chartz')
  assert.match(unknown.out, /^::error title=Vitrine::acme has no app com\.example\.northlight\.tidal-chartz\n$/)
  scene.trouble('agreement:2@/v1/apps')
  const failed = await gate('tidal-charts')
  assert.match(failed.out, /^::error title=Vitrine::.*agreement.* \(req_[\w-]{16}\)\n$/i)
  scene.spoil = () => ({ status: 404, body: '<html>' })
  const foreign = await gate('tidal-charts')
  assert.match(foreign.out, /^::error title=Vitrine::status 404\n$/)
  for (const { code, output, summary } of [unknown, failed, foreign])
    assert.deepEqual([code, output, summary], [1, '', ''])
})

test('the release gate fails for an incomplete list, and matches the whole name of an app', async (t) => {
  const opened = await open(t)
  if (!opened) return
  const { scene, gate } = opened
  const page = (...answer: [items: object[], nextCursor: string | null]) => ({
    status: 200,
    body: JSON.stringify({ items: answer[0], nextCursor: answer[1] }),
  })
  scene.spoil = (nth) => (nth === 2 ? page([], 'more') : undefined)
  const cut = await gate('tidal-charts')
  assert.match(cut.out, /^::error title=Vitrine::the answer is not the whole list\n$/)
  scene.spoil = () =>
    page([{ id: '1', name: 'Tidal Charts 2', bundleId: 'com.example.northlight.tidal-charts.two' }], null)
  const longer = await gate('tidal-charts')
  assert.match(longer.out, /has no app com\.example\.northlight\.tidal-charts\n$/)
  for (const { code, output, summary } of [cut, longer]) assert.deepEqual([code, output, summary], [1, '', ''])
})

test('the release gate waits after a 429', async (t) => {
  const opened = await open(t)
  if (!opened) return
  opened.scene.spoil = (nth) => (nth === 2 ? slowDown : undefined)
  const { code, output } = await opened.gate('tidal-charts')
  assert.deepEqual([code, output], [0, 'rejected=false\n'])
})

/** prints the output of the command and has its exit code */
const standIn = (status: number, out: object, err: string) => `mkdir bin
cat >bin/vitrine <<'END'
#!/bin/sh
[ "$1 $2" = 'review specification.json' ] || exit 9
echo '${JSON.stringify(out)}'
echo '${err}' >&2
exit ${status}
END
chmod +x bin/vitrine
`

test('the drift gate has the exit code of the review, and shows its report in the summary of the run', async (t) => {
  if (!(await isHere(t, 'jq'))) return
  const { run = '' } = readSteps('examples/github-actions/drift-gate.yml').at(-1) ?? {}
  const scene = await openScene(t)
  const finding = { operation: 'listApps', class: 'value-gone', at: 'sort', severity: 'break', cure: 'Take it out.' }
  const summary = { routes: 29, breaks: 1, changes: 0, additions: 2 }
  const drifted = await runStep(t, scene, standIn(1, { summary, findings: [finding] }, '') + run, {})
  assert.deepEqual([drifted.code, drifted.output], [1, 'status=1\n'])
  assert.equal(
    drifted.summary,
    '1 breaks, 0 changes and 2 additions in 29 routes.\n\n- break in `listApps`: value-gone sort. Take it out.\n',
  )
  assert.equal(drifted.out, '::error title=Drift::1 breaks, 0 changes and 2 additions in 29 routes.\n')
  const { operation: _, ...bare } = finding
  const probe = { ...bare, group: 'reviews', class: 'endpoint-absent', at: '/v1/x' }
  const tried = await runStep(t, scene, standIn(1, { summary, findings: [probe] }, '') + run, {})
  assert.match(tried.summary, /^- break in the doctor's read of `reviews`: endpoint-absent \/v1\/x\. Take it out\.$/m)
  const fine = { summary: { ...summary, breaks: 0, additions: 0 }, findings: [{ ...finding, severity: 'absent' }] }
  const same = await runStep(t, scene, standIn(0, fine, '') + run, {})
  assert.deepEqual([same.code, same.out, same.output], [0, '', 'status=0\n'])
  assert.equal(same.summary, '0 breaks, 0 changes and 0 additions in 29 routes.\n\n')
  const unreadable = await runStep(t, scene, standIn(2, {}, 'vitrine: it was cut off') + run, {})
  assert.deepEqual([unreadable.code, unreadable.summary], [2, 'vitrine: it was cut off\n\n'])
  assert.equal(unreadable.out, '::error title=Drift::vitrine: it was cut off\n')
})

test('the workflows read the key only from secrets, pin their actions, and have minimal permissions', () => {
  const files = globSync('examples/github-actions/*.yml')
  assert.ok(files.length > 0)
  for (const file of files) {
    const text = readFileSync(file, 'utf8')
    assert.match(text, /^permissions:( \{\}|\n {2}contents: read)\n\n/m, file)
    assert.doesNotMatch(text, /vtr_(live|test)_/)
    for (const { uses, env, run } of readSteps(file)) {
      if (uses !== undefined) assert.match(uses, /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/, file)
      if (env['VITRINE_KEY'] !== undefined) assert.equal(env['VITRINE_KEY'], '${{ secrets.VITRINE_KEY }}')
      // text of a title or a branch name would run as a script
      assert.doesNotMatch(run ?? '', /\$\{\{/, file)
    }
  }
})
