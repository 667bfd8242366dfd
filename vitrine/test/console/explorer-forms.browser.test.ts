// The explorer's form is what the API describes: here it describes operations that do not exist.
import assert from 'node:assert/strict'
import test from 'node:test'
import { openConsole } from '../support/console-scene.ts'
import { openExplorer } from './explorer-scene.ts'
import { untilEqual } from '../../../base/test/until.ts'

const said = { description: 'About `it`.', required: false }
const form = {
  operation: 'findShells',
  group: 'beach',
  summary: 'Find shells',
  description: 'Only at low tide.',
  isList: true,
  path: '/beaches/{beachId}/shells',
  ids: [{ name: 'beachId', description: 'The beach.', pattern: '^[a-z]+$', from: 'listBeaches' }],
  parameters: [
    { ...said, name: 'tide', kind: 'choice', required: true, values: ['LOW', 'HIGH'] },
    { ...said, name: 'colours', kind: 'choices', values: ['RED', 'RUST', 'BLUE'], open: true },
    { ...said, name: 'shape', kind: 'choice', values: ['ROUND', 'LONG'], open: true },
    { ...said, name: 'finder', kind: 'text' },
    { ...said, name: 'deep', kind: 'integer', minimum: -5, maximum: 5, standard: '0' },
    { ...said, name: 'parts', kind: 'fields', values: ['size', 'ownerId'], unique: true },
  ],
  fields: [
    { name: 'size', description: 'How big.', type: 'integer', kind: 'attribute' },
    { name: 'ownerId', description: 'Whose.', type: 'string', kind: 'linkage' },
  ],
  example: { ids: { beachId: 'north' }, query: { tide: 'LOW' } },
}

test('a form has a field of the right kind for everything that the API describes', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const { page, form: shown, targets, send, choose, answer } = await openExplorer(scene)
  await page.route('**/operator/v1/operations', (route) => route.fulfill({ json: { items: [form] } }))
  await page.reload()
  await page.getByRole('heading', { name: 'beach' }).waitFor()
  await choose('findShells')
  await page.getByText('Only at low tide. GET …/beaches/{beachId}/shells').waitFor()
  await send()
  assert.deepEqual(await shown.locator('.fault:not(:empty)').allInnerTexts(), [
    'Required. Enter an ID or browse for one.',
    'Required.',
  ])
  await shown.getByLabel('beachId (required)').fill('North')
  await shown.getByLabel('tide (required)').selectOption('HIGH')
  await shown.getByText('5 more parameters').click()
  await shown.getByLabel('deep').fill('-6')
  await untilEqual(() => shown.getByLabel('deep').getAttribute('placeholder'), 'Default: 0')
  await send()
  await shown.getByText('Enter a whole number from -5 to 5.').waitFor()
  await shown.getByText('Control characters').waitFor()
  await shown.getByLabel('beachId (required)').fill('north')
  await shown.getByLabel('deep').fill('-5')
  await shown.getByLabel('finder').fill('a,b')

  // known values are offered while one types, and others are accepted too
  const colours = shown.getByRole('combobox', { name: 'colours' })
  await colours.fill('PINK,r')
  assert.deepEqual(await page.getByRole('listbox').getByRole('option').allInnerTexts(), ['RED', 'RUST'])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await untilEqual(() => colours.inputValue(), 'PINK,RUST')
  await shown.getByRole('combobox', { name: 'shape' }).fill('odd')
  await shown.locator('summary', { hasText: 'parts' }).click()
  await shown.getByRole('group', { name: 'Linkages' }).getByRole('checkbox', { name: 'ownerId' }).check()
  await send()
  await answer.getByText('The request was rejected.').waitFor()
  assert.deepEqual(targets, [
    '/beaches/north/shells?tide=HIGH&colours=PINK,RUST&shape=odd&finder=a,b&deep=-5&parts=ownerId',
  ])
  assert.deepEqual(scene.complaints, [])
})

test('operations that could not be loaded can be loaded again', async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const { page } = await openExplorer(scene)
  await page.route('**/operator/v1/operations', (route) => route.abort(), { times: 1 })
  await page.reload()
  await page.getByText('Vitrine is not responding.').waitFor()
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('link', { name: 'listApps' }).waitFor()
  assert.deepEqual(scene.complaints, [])
})

test('without connections, the page links to adding one', async (t) => {
  const scene = await openConsole(t, { file: { connections: {} } })
  if (!scene) return
  const page = await scene.page({ path: '/explorer' })
  await page.getByText('No connections yet.').waitFor()
  await page.getByRole('link', { name: 'Add a connection' }).click()
  await page.getByRole('heading', { name: 'Connections', level: 1 }).waitFor()
  assert.deepEqual(scene.complaints, [])
})
