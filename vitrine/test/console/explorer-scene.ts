// The explorer in a real browser: an operation is opened and sent.
import type { TestContext } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { type ConsoleScene, openConsole, type PageOptions } from '../support/console-scene.ts'
import { type Call, type Script, send } from '../support/scripted-platform.ts'
import { untilEqual } from '../../../base/test/until.ts'

export interface Explorer {
  readonly page: Page
  readonly form: Locator
  readonly answer: Locator
  /** the bodies sent to `/read`, in order */
  readonly targets: string[]
  field(name: string): Locator
  /** opens another operation, by its field */
  choose(operation: string): Promise<void>
  fillExample(): Promise<void>
  send(): Promise<void>
  /** sends, and waits for the status of the response */
  sendFor(status: number): Promise<void>
  show(view: string): Promise<void>
  /** the shown JSON, expanded, as text */
  json(): Promise<string>
}

const jsonOf = async (page: Page, answer: Locator): Promise<string> => {
  await answer.getByRole('tab', { name: 'JSON' }).click()
  await page.getByRole('button', { name: 'Expand all' }).click()
  const region = answer.getByRole('region', { name: 'The response as JSON' })
  // long texts are cut until they are wanted
  const cut = region.getByRole('button', { name: /more characters?$/ })
  while ((await cut.count()) > 0) await cut.first().click()
  return (await region.innerText()).replaceAll('Show less', '')
}

/** over the connection `acme` by default */
export async function openExplorer(
  scene: ConsoleScene,
  operation = '',
  { connection = 'acme', ...options }: PageOptions & { connection?: string } = {},
): Promise<Explorer> {
  const query = new URLSearchParams({ ...(connection && { connection }), ...(operation && { operation }) })
  const page = await scene.page({ path: `/explorer?${query.toString()}`, ...options })
  const targets: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/operator/v1/read')) targets.push((request.postDataJSON() as { target: string }).target)
  })
  const form = page.getByRole('form', { name: 'Request' })
  const answer = page.getByRole('region', { name: 'Response', exact: true })
  const send = () => form.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('combobox', { name: 'Operation' }).waitFor()
  return {
    page,
    form,
    answer,
    targets,
    send,
    field: (name) => form.getByRole('textbox', { name: new RegExp(`^${name}( \\(required\\))?$`) }),
    async choose(name) {
      const box = page.getByRole('combobox', { name: 'Operation' })
      await box.fill(name)
      await page
        .getByRole('option', { name: new RegExp(`^${name}\\b`) })
        .first()
        .click()
      await page.locator('.explorer-about').getByText('GET').waitFor()
      await untilEqual(() => box.inputValue(), name)
    },
    fillExample: () => form.getByRole('button', { name: 'Use example' }).click(),
    async sendFor(status) {
      const answered = page.waitForResponse((response) => response.url().endsWith('/operator/v1/read'))
      await send()
      await answered
      await answer.locator('.badge').first().getByText(String(status), { exact: true }).waitFor()
      await answer.and(page.locator('[aria-busy="false"]')).waitFor()
    },
    show: (view) => answer.getByRole('tab', { name: view }).click(),
    json: () => jsonOf(page, answer),
  }
}

/** the texts of the cells, a row for each visible item */
export const cellsIn = async (answer: Locator): Promise<string[][]> => {
  const rows = answer.locator('.rows [role="row"]')
  await rows.first().waitFor()
  return rows.evaluateAll((some) =>
    some.map((row) => [...row.children].map((cell) => (cell as unknown as { innerText: string }).innerText)),
  )
}

/** a scene over a platform that a test can change */
export async function openScripted(t: TestContext) {
  const calls: Call[] = []
  const now: { script: Script } = { script: (_, res) => send(res, { data: [], links: {} }) }
  const script: Script = (call, res) => {
    calls.push(call)
    return now.script(call, res)
  }
  const scene = await openConsole(t, { over: script })
  return scene && { scene, calls, now }
}
