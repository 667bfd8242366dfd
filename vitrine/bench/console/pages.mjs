// What is done in the pages of the bench, and how long it took: the console as an operator goes through it, and a plain page
// that draws everything.

export const token = 'the-token-of-the-Bench-q8Zr2Vx5Lm7T'

/** runs in the page: how long until what an act changes has been painted */
const timed = `(act) => new Promise((done) => {
  const beganAt = performance.now()
  act()
  requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - beganAt)))
})`

const typeInto = (selector, text) => `(${timed})(() => {
  const box = document.querySelector(${JSON.stringify(selector)})
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(box, ${JSON.stringify(text)})
  box.dispatchEvent(new Event('input', { bubbles: true }))
})`

/** the longest frame while what scrolls goes from its top to its end in sixty steps */
const scrolled = (selector) => `(async () => {
  const box = document.querySelector(${JSON.stringify(selector)})
  const step = (box.scrollHeight - box.clientHeight) / 60
  let [longest, last] = [0, performance.now()]
  for (let i = 0; i < 60; i++) {
    box.scrollTop += step
    await new Promise(requestAnimationFrame)
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }
  return longest
})()`

const elements = 'document.querySelectorAll("*").length'

async function heapOf(page) {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 2 ** 20
}

/** the page that one writes in an afternoon: everything is drawn */
const plainPage = `(async () => {
  const beganAt = performance.now()
  const { csrf } = await (await fetch('/operator/v1/session')).json()
  const keys = []
  for (let cursor = ''; cursor !== null; ) {
    const path = '/operator/v1/keys?limit=200' + (cursor && '&cursor=' + cursor)
    const page = await (await fetch(path, { headers: { 'x-vitrine-csrf': csrf } })).json()
    keys.push(...page.items)
    cursor = page.nextCursor
  }
  document.body.textContent = ''
  const box = Object.assign(document.createElement('input'), { id: 'filter' })
  const table = document.createElement('table')
  const draw = () => {
    table.textContent = ''
    for (const key of keys) {
      if (!key.name.includes(box.value)) continue
      const row = table.insertRow()
      const { name, state, connections, groups, perMinute, createdAt, expiresAt, lastUsedAt } = key
      for (const cell of [name, state, connections.length, groups.length, perMinute, createdAt, expiresAt, lastUsedAt])
        row.insertCell().textContent = String(cell)
    }
  }
  box.addEventListener('input', draw)
  document.body.append(box, table)
  draw()
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  return performance.now() - beganAt
})()`

async function signedIn(browser, door) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  const answer = await context.request.post(`${door}/operator/v1/session`, { data: { token } })
  if (answer.status() !== 201) throw new Error(`nobody signed in: ${await answer.text()}`)
  return context
}

const since = async (beganAt, shown) => {
  await shown
  return performance.now() - beganAt
}

export async function visitConsole(browser, { door }, { connections, keys }) {
  const context = await signedIn(browser, door)
  const page = await context.newPage()
  let beganAt = performance.now()
  await page.goto(door)
  const overview = await since(beganAt, page.getByText('studio-000', { exact: true }).first().waitFor())
  await page.waitForTimeout(500)
  const overviewElements = await page.evaluate(elements)
  beganAt = performance.now()
  await page.getByRole('link', { name: 'Keys', exact: true }).click()
  const count = (keys + 1).toLocaleString('en')
  const listing = await since(beganAt, page.getByText(new RegExp(`^${count} keys`)).waitFor())
  const told = {
    'overview drawn, ms': overview,
    'keys: all here, ms': listing,
    'keys: filter, ms': await page.evaluate(typeInto('.filter input', 'dashboard-1')),
    'keys: filter off, ms': await page.evaluate(typeInto('.filter input', '')),
    'keys: longest frame of a scroll, ms': await page.evaluate(scrolled('.table')),
    'keys: elements': await page.evaluate(elements),
    'overview: elements': overviewElements,
    'heap, MiB': await heapOf(page),
  }
  beganAt = performance.now()
  await page.getByRole('link', { name: 'Access', exact: true }).click()
  await page
    .getByText(new RegExp(`^${connections} connections`))
    .first()
    .waitFor()
  await page.locator('[role=gridcell]').first().waitFor()
  told['access: matrix drawn, ms'] = performance.now() - beganAt
  told['access: elements'] = await page.evaluate(elements)
  await context.close()
  return told
}

export async function visitPlain(browser, { door }) {
  const context = await signedIn(browser, door)
  const page = await context.newPage()
  await page.goto(`${door}/errors`)
  const told = {
    'keys: all here, ms': await page.evaluate(plainPage),
    'keys: filter, ms': await page.evaluate(typeInto('#filter', 'dashboard-1')),
    'keys: filter off, ms': await page.evaluate(typeInto('#filter', '')),
    'keys: longest frame of a scroll, ms': await page.evaluate(scrolled('html')),
    'keys: elements': await page.evaluate(elements),
    'heap, MiB': await heapOf(page),
  }
  await context.close()
  return told
}
