// Prints the apps with new feedback from testers, most first: the number, and the date of the latest. It requests dates
// only, so no text or address of a tester leaves the service. If an app cannot be read, it prints only the error and exits with 1.
//
//   npm init -y && npm pkg set type=module && npm install ./vitrine-*.tgz
//   export VITRINE_KEY=vtr_…  VITRINE_CONNECTION=studio
//   node new-feedback.ts 7
import { Vitrine, VitrineError } from 'vitrine/client'

const { VITRINE_URL = 'http://127.0.0.1:8080', VITRINE_KEY = '', VITRINE_CONNECTION = '' } = process.env

// a reader that has seen enough, such as head, is no failure
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

async function findNewFeedback(vitrine: Vitrine, since: number) {
  const found: { app: string; count: number; last: string }[] = []
  // for await requests the next page when it is needed, and throws if that fails
  for await (const { id, name } of vitrine.listApps({ fields: ['name'], sort: 'name', limit: 200 })) {
    const dates: string[] = []
    const newestFirst = vitrine.listBetaFeedbackSubmissions({
      appId: id,
      fields: ['createdDate'],
      sort: '-createdDate',
    })
    for await (const { createdDate } of newestFirst) {
      if (!createdDate) continue
      // dates have different offsets: compare times, never text
      if (Date.parse(createdDate) < since) break
      dates.push(createdDate)
    }
    if (dates[0]) found.push({ app: name ?? id, count: dates.length, last: dates[0] })
  }
  return found.toSorted((a, b) => b.count - a.count)
}

try {
  const days = Number(process.argv[2] ?? 7)
  if (!(days > 0)) throw new TypeError('give the number of days: new-feedback.ts 7')
  const vitrine = new Vitrine({
    url: VITRINE_URL,
    key: VITRINE_KEY,
    connection: VITRINE_CONNECTION,
    timeoutMs: 120_000,
  })
  const found = await findNewFeedback(vitrine, Date.now() - days * 86_400_000)
  for (const { app, count, last } of found) process.stdout.write(`${count}\t${last}\t${app}\n`)
} catch (error) {
  const [message, id] = error instanceof VitrineError ? [error.message, error.requestId] : [String(error), undefined]
  process.stderr.write(`new-feedback: ${message}${id ? ` (${id})` : ''}\n`)
  process.exitCode = 1
}
