// A thirtieth route as a catalogue file would define it, and a platform that answers it. Where it must appear without
// another edit is tested in test/catalogue/thirtieth-route.test.ts.
import type { TestContext } from 'node:test'
import { any, contents, known, page, record, resource, stamp, text, to, words } from '../../src/catalogue/define.ts'
import { contract } from '../../src/catalogue/index.ts'
import { send } from './scripted-platform.ts'
import { type ServiceOptions, startScripted } from './service.ts'

const listNotes = page({
  path: '/apps/{appId}/notes/{shelfId}',
  group: 'builds',
  summary: 'List the notes of an app',
  about: 'In no order.',
  from: { read: '/v1/apps/{appId}/notes/{shelfId}' },
  filters: { tone: any('Only of this tone.') },
  sort: ['date'],
  returns: resource({
    name: 'Note',
    type: 'notes',
    attributes: {
      title: text('What it is called.'),
      body: words('What it says.'),
      details: record({ tone: known(['GLAD', "IT'S"], 'How it */ sounds.') }, 'More.'),
    },
    links: { buildId: to('build', 'builds', 'version', 'Build it is about.') },
    fromPath: ['appId'],
  }),
  reviewed: stamp('4.6', '2027-01-02', '0123abcd'),
  example: "/apps/a%2F1/notes/7?limit=2&tone=it's,glad",
})

/** the contract's routes, so that this one is the thirtieth */
export const routes = contents({ ...contract, listNotes })
export const thirtieth = routes[29]!

const data = [
  {
    type: 'notes',
    id: 'n1',
    attributes: { title: 'First', body: 'Five stars', details: { tone: 'GLAD' }, secret: 'x' },
    relationships: { build: { data: { type: 'builds', id: 'b1' } } },
  },
]

/** the whole service with the route, over a platform with one note */
export async function startWithThirtieth(t: TestContext, options: ServiceOptions = {}) {
  const { service, platform, close } = await startScripted((_, res) => send(res, { data, links: {} }), {
    ...options,
    routes,
  })
  t.after(close)
  return { service, platform }
}

/** the note as callers get it */
export const note = {
  id: 'n1',
  title: 'First',
  body: 'Five stars',
  details: { tone: 'GLAD' },
  appId: '1',
  buildId: 'b1',
}
