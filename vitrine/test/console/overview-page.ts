// What the tests of the overview share.
import type { Locator, Page } from 'playwright-core'
import type { Card } from '../../src/console/answers.ts'
import { type ConsoleScene, type PageOptions, token } from '../support/console-scene.ts'
import { asEvents } from './overview-events.ts'

export const cardOf = (page: Page, id: string): Locator =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: id, exact: true }) })
export const mark = (page: Page, word: string): Promise<void> =>
  page.locator('.live-indicator', { hasText: word }).waitFor()

/** a reload forgets it */
export const remember = (page: Page) => page.evaluate('window.stayed = true')
export const stayed = (page: Page): Promise<unknown> => page.evaluate('window.stayed')

/** the overview with these connections */
export async function pageOf(scene: ConsoleScene, cards: readonly Card[], options: PageOptions = {}): Promise<Page> {
  const page = await scene.page({ ...options, signedIn: false })
  await page.route('**/operator/v1/events', (route) => route.fulfill(asEvents(cards)))
  await page.context().request.post(`${scene.url}/operator/v1/session`, { data: { token } })
  await page.reload()
  return page
}
