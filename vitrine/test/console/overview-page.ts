// What the tests of the overview share.
import type { Locator, Page } from 'playwright-core'

export const cardOf = (page: Page, id: string): Locator =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: id, exact: true }) })
export const mark = (page: Page, word: string): Promise<void> =>
  page.locator('.live-indicator', { hasText: word }).waitFor()

/** a reload forgets it */
export const remember = (page: Page) => page.evaluate('window.stayed = true')
export const stayed = (page: Page): Promise<unknown> => page.evaluate('window.stayed')
