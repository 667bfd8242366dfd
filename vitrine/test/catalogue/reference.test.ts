// The pages of the reference against the tables that they are derived from, in both directions. Their examples are
// tested against a running service in reference-examples.test.ts.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import test from 'node:test'
import { routes } from '../../src/catalogue/index.ts'
import { shownDefault } from '../../../base/core/settings-reader.ts'
import { problems } from '../../src/problems.ts'
import {
  guideOf,
  otherVariables,
  readSettings,
  type SettingName,
  settingsTable,
  variableOf,
} from '../../src/settings.ts'

const folder = 'docs/reference'
const read = (name: string): string => readFileSync(`${folder}/${name}`, 'utf8')
const pagesIn = (part: string): string[] => readdirSync(`${folder}/${part}`).map((file) => file.replace(/\.md$/, ''))

const tables = {
  routes: routes.map(({ operation }) => operation),
  errors: Object.keys(problems),
  settings: Object.keys(settingsTable),
}

test('every route, error and setting has a page with a link in its index, and there is no other page', () => {
  for (const [part, names] of Object.entries(tables)) {
    assert.deepEqual(pagesIn(part).sort(), [...names].sort(), part)
    const listed = [...read(`${part}.md`).matchAll(/\]\((\w+)\/([\w.]+)\.md\)/g)]
    assert.deepEqual(listed.map(([, , name = '']) => name).sort(), [...names].sort(), part)
    assert.ok(listed.every(([, of]) => of === part))
    for (const name of names) assert.match(read(`${part}/${name}.md`), new RegExp(`^<!-- Derived.* -->\n# ${name}\n`))
  }
  for (const part of Object.keys(tables)) assert.ok(read('README.md').includes(`(${part}.md)`), part)
  for (const { operation, summary } of routes)
    assert.ok(read('README.md').includes(`- [${operation}](routes/${operation}.md): ${summary}`), operation)
})

test("a route's page has its stamp, its path, its group, every parameter and every field", () => {
  for (const { operation, path, group, reviewed, from, filters, sort, returns } of routes) {
    const page = read(`routes/${operation}.md`)
    const { version, date } = reviewed
    assert.ok(page.includes(`Reviewed against platform ${version}, \`GET ${from.read}\`, on ${date}.`), operation)
    assert.ok(read('routes.md').includes(`| \`${path}\` | ${version}, ${date} |`), operation)
    assert.ok(page.includes(`GET /v1/connections/{connectionId}${path}\n`), operation)
    assert.ok(page.includes(`Group \`${group}\``), operation)
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const { attributes = {}, links = {}, fromPath = [] } = returns ?? {}
    const fields = [...Object.keys(attributes), ...Object.keys(links), ...fromPath]
    for (const name of [...inPath, ...Object.keys(filters), ...(sort.length > 0 ? ['sort'] : []), ...fields])
      assert.ok(page.includes(`\n| \`${name}\` |`), `${operation} ${name}`)
    for (const value of Object.values(filters).flatMap(({ values = [] }) => values))
      assert.ok(page.includes(`\`${value}\``))
  }
})

test("a route's page says what it costs, whether it is cached, and where its ids come from", () => {
  const lines: [operation: string, ...words: string[]][] = [
    ['listApps', 'Cost: 1 platform call for each page.', 'off by default'],
    ['getEvent', 'Cost: 1 platform call.', 'The in-app event. From [listEvents](listEvents.md).'],
    ['listLibraryVideoPlacements', 'The video in the asset library. No route lists it.'],
    ['listBuilds', 'Cost: 2 platform calls. First the service checks that `appId` exists', 'Beyond the contract'],
    ['listEventScreenshotIds', 'Cost: 2 platform calls. First the service looks up the localization', '409'],
    ['listTerritoryAgeRatings', 'Cost: 2 platform calls. First the service checks that `appInfoId` belongs'],
    ['listBetaFeedbackSubmissions', 'never, because the answer holds personal data of testers'],
    [
      'getBuildUploadFile',
      'From [listBuildUploadFileIds](listBuildUploadFileIds.md),',
      'never, because the answer holds signed addresses',
    ],
    ['listAppVersionIds', 'From [listApps](listApps.md)'],
    ['getPerformanceOverview', '`insights.regressions[].populations[].deltaPercentage`', 'Known: `HANG`, `LAUNCH`'],
  ]
  for (const [operation, ...words] of lines)
    for (const word of words) assert.ok(read(`routes/${operation}.md`).includes(word), `${operation}: ${word}`)
  assert.ok(!read('routes/listApps.md').includes('ambiguous_selection'))
  assert.ok(!read('routes/getEvent.md').includes('cursor_invalid'))
})

test("an error's page has its status, type, meaning and fix", () => {
  for (const [code, { status, type, summary, cure, retryable }] of Object.entries(problems)) {
    const page = read(`errors/${code}.md`)
    for (const words of [
      summary,
      cure,
      `Status: ${status}`,
      `Type: \`${type}\``,
      `Retryable: ${retryable ? 'yes' : 'no'}`,
    ])
      assert.ok(page.includes(words), `${code}: ${words}`)
  }
})

test("a setting's page has an example that the service accepts, in the file and in the environment", () => {
  for (const [name, setting] of Object.entries(settingsTable)) {
    const page = read(`settings/${name}.md`)
    for (const words of [setting.about, `Default: \`${shownDefault(setting)}\``, `\`${variableOf(name)}\`, which wins`])
      assert.ok(page.includes(words), `${name}: ${words}`)
    const file = JSON.parse(/```json\n([^]*?)\n```/.exec(page)?.[1] ?? '')
    const [, variable = '', text = ''] = /```sh\n(\w+)=([^]*?)\n```/.exec(page) ?? []
    const fromFile = readSettings(file, {})
    const fromEnvironment = readSettings({}, { [variable]: text.replaceAll(/^'|'$/g, '') })
    assert.equal(variable, variableOf(name))
    assert.deepEqual(fromEnvironment, fromFile, name)
    assert.notDeepEqual(fromFile, readSettings({}, {}), `the example of ${name} is its default`)
    assert.ok(existsSync(`docs/guides/${guideOf(name as SettingName)}.md`), name)
  }
  for (const name of Object.keys(otherVariables)) assert.ok(read('settings.md').includes(`| \`${name}\` |`), name)
})

test('an edit of a derived page, and a leftover page, fail the check of derived files', (t) => {
  const cwd = mkdtempSync(join(tmpdir(), 'vitrine-derived-'))
  t.after(() => rmSync(cwd, { recursive: true }))
  for (const part of [folder, 'docs/guides', 'src/derive', 'client', 'src/console', 'src/version.ts'].filter((one) =>
    existsSync(one),
  ))
    cpSync(part, join(cwd, part), { recursive: true })
  const [gone, known] = [`${folder}/routes/listNothing.md`, `${folder}/errors/stopping.md`]
  writeFileSync(join(cwd, gone), '# listNothing\n')
  writeFileSync(join(cwd, known), `${read('errors/stopping.md')}\nmore\n`)
  const run = (...flags: string[]) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [resolve('scripts/derive.ts'), ...flags], {
      cwd,
      encoding: 'utf8',
      timeout: 60_000,
    })
    return { told: `${stderr}${stdout}`.trim().split('\n'), status }
  }
  const { told, status } = run('--check')
  assert.deepEqual(told.slice(0, -1), [
    `${known} is not what is derived: run npm run derive`,
    `${gone} is derived no longer: run npm run derive`,
  ])
  assert.match(told.at(-1) ?? '', /^\d+ derived files, 2 stale$/)
  assert.equal(status, 1)
  assert.deepEqual(run(), { told: [`wrote ${known}`, `removed ${gone}`], status: 0 })
  assert.ok(!existsSync(join(cwd, gone)))
  assert.equal(readFileSync(join(cwd, known), 'utf8'), read('errors/stopping.md'))
})
