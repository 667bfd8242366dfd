/**
 * A custom function for Google Sheets: a list of Vitrine as a table that refreshes itself.
 *
 *   1. Extensions > Apps Script: paste this file.
 *   2. Project settings > Script properties: VITRINE_URL (https://…, reachable from the internet), VITRINE_KEY (a key with
 *      only those groups that every editor of the sheet may see), VITRINE_CONNECTION.
 *   3. In a cell: =VITRINE("/apps?sort=name&fields=name,bundleId,sku")
 *
 * The cell gets all pages or an error, never an incomplete list. Text that a spreadsheet would run as a formula gets an
 * apostrophe in front, because testers can write such text.
 *
 * @param {string} pathAndQuery What follows the connection, such as "/apps?fields=name,bundleId".
 * @return {Array<Array<string|number|boolean>>} The names of the fields, then a row for each item.
 * @customfunction
 */
function VITRINE(pathAndQuery) {
  const settings = PropertiesService.getScriptProperties()
  const setting = (name) => {
    const value = settings.getProperty(name)
    if (!value) throw new Error(`Set ${name} under Project settings > Script properties.`)
    return value
  }
  const url = `${setting('VITRINE_URL')}/v1/connections/${encodeURIComponent(setting('VITRINE_CONNECTION'))}${pathAndQuery}`
  const items = []
  let cursor = null
  do {
    const and = url.includes('?') ? '&' : '?'
    const target = cursor === null ? url : `${url}${and}cursor=${encodeURIComponent(cursor)}`
    const page = readPage_(target, setting('VITRINE_KEY'))
    if (!page.items) throw new Error(`${pathAndQuery} is no list: see the routes that answer a page.`)
    items.push(...page.items.map((item) => (typeof item === 'string' ? { id: item } : item)))
    cursor = page.nextCursor
  } while (cursor !== null)
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))]
  return [names, ...items.map((item) => names.map((name) => cellOf_(item[name])))]
}

/** waits as long as Retry-After says, within the 30 seconds that Google gives a custom function */
function readPage_(url, key) {
  for (let waitedSec = 0; ;) {
    const headers = { Authorization: `Bearer ${key}` }
    const answer = UrlFetchApp.fetch(url, { headers, muteHttpExceptions: true, followRedirects: false })
    if (answer.getResponseCode() === 200) return JSON.parse(answer.getContentText())
    const retryAfterSec = Number(answer.getHeaders()['Retry-After'] || answer.getHeaders()['retry-after'] || 30)
    waitedSec += retryAfterSec
    if (![429, 503].includes(answer.getResponseCode()) || waitedSec > 20) throw new Error(messageOf_(answer))
    Utilities.sleep(retryAfterSec * 1000)
  }
}

function messageOf_(answer) {
  try {
    const { message, requestId } = JSON.parse(answer.getContentText()).error
    return `${message} (${requestId})`
  } catch (notFromVitrine) {
    return `Status ${answer.getResponseCode()}, not from Vitrine.`
  }
}

/** numbers stay numbers, lists and objects become JSON, and text is never a formula */
function cellOf_(value) {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return /^[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/.test(text) ? `'${text}` : text
}
