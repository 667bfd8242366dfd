// The terminal of the console in a real browser, over an engine in memory: what a program puts out stays in its cells.
import assert from 'node:assert/strict'
import test from 'node:test'
import { until, untilEqual } from '../../../base/test/until.ts'
import { assertAccessible, type ConsoleScene, openConsole } from './scene.ts'

type Page = Awaited<ReturnType<ConsoleScene['page']>>

async function openTerminal(scene: ConsoleScene, id: string, context: object = {}) {
  const page = await scene.page({ path: `/console/terminal?id=${id}`, ...context })
  await page.getByText('Connected.').waitFor()
  await until(() => scene.engine.commandsOf(id).length === 1, 30_000)
  return { page, command: scene.engine.commandsOf(id)[0]! }
}

const shows = (page: Page, text: string) =>
  until(async () => (await page.locator('.xterm-rows').innerText()).includes(text), 30_000)

async function worksAsOne(scene: ConsoleScene, id: string) {
  const { page, command } = await openTerminal(scene, id)
  command.say('ready $ ')
  await shows(page, 'ready $')
  await page.keyboard.type('ls -l')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Control+c')
  await until(() => command.heard === 'ls -l\t\u0003', 30_000)
  const before = command.sizes.length
  await page.setViewportSize({ width: 700, height: 700 })
  await until(() => command.sizes.length > before, 30_000)
  // the keyboard has a way out
  await page.keyboard.press('Control+Shift+F6')
  await untilEqual(() => page.evaluate('document.activeElement.textContent'), 'Disconnect')
  await page.keyboard.press('Enter')
  await page.getByText('You have disconnected.').waitFor()
  await until(() => scene.engine.commandsOf(id).length === 0, 30_000)
  await page.getByRole('button', { name: 'Connect again' }).click()
  await page.getByText('Connected.').waitFor()
  await until(() => scene.engine.commandsOf(id).length === 1, 30_000)
  scene.engine.commandsOf(id)[0]?.end(3)
  await page.getByText('The shell has ended with exit code 3.').waitFor()
  await page.context().close()
}

/** each would reach beyond the cells in a terminal that lets it */
const hostile = [
  '\u001b]0;owned\u0007',
  '\u001b]52;c;b3duZWQ=\u0007',
  '\u001b]8;;javascript:document.title="owned"\u0007link\u001b]8;;\u0007',
  '\u001b[21t\u001b[14t',
  '<img src=x onerror="document.title=1">',
  '\u001b[38;2;200;10;10mred\u001b[0m \u202egpj.exe',
]

async function keepsInside(scene: ConsoleScene, id: string) {
  const { page, command } = await openTerminal(scene, id, { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.evaluate("navigator.clipboard.writeText('mine')")
  const title = await page.title()
  for (const one of hostile) command.say(`${one}\r\n`)
  command.say('x'.repeat(300_000) + '\r\nthe end')
  await shows(page, 'the end')
  assert.equal(await page.title(), title)
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), 'mine')
  assert.equal(await page.locator('.terminal-box :is(a, img)').count(), 0)
  assert.equal(command.heard, '', 'no report was sent as input')
  await page.context().close()
}

async function saysWhy(scene: ConsoleScene, id: string) {
  const { text: key } = await scene.key(scene.account)
  const { page } = await openTerminal(scene, id)
  await scene.call('DELETE', `/containers?id=${id}&graceSeconds=0`, { key })
  await page.getByText('The container has ended.').waitFor()
  await page.getByRole('button', { name: 'Connect again' }).click()
  await page.getByText('The container does not run: it was deleted. Create another one.').waitFor()
  await page.context().close()
}

async function isAccessible(scene: ConsoleScene, id: string) {
  const { page, command } = await openTerminal(scene, id)
  command.say('ready $ ')
  await shows(page, 'ready $')
  await page.getByLabel('Read output out').check()
  await assertAccessible(page, 'the terminal')
  await page.context().close()
}

test('the terminal of the console', { timeout: 300_000 }, async (t) => {
  const scene = await openConsole(t)
  if (!scene) return
  const { text: key } = await scene.key(scene.account)
  for (const [title, check] of [
    ['input, output and sizes pass; the keyboard has a way out; it connects again', worksAsOne],
    ['what a program puts out stays in its cells', keepsInside],
    ['it is accessible in both themes, and fits a phone', isAccessible],
    ['it says why it has ended, and why it does not open', saysWhy],
  ] as const)
    await t.test(title, async () => {
      const { body } = await scene.call('POST', '/containers', { key, body: { image: 'base' } })
      await check(scene, body.id)
      // the browser tells of every WebSocket that was refused
      const complaints = scene.complaints.splice(0).filter((one) => !/^WebSocket .* response code: 409$/.test(one))
      assert.deepEqual(complaints, [])
    })
})
