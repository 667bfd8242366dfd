// Every operation at both endpoints and at the command line, valid and invalid, with secrets in every place.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Planted } from './planted.ts'
import type { Running, Stage } from './program.ts'

const json = { 'content-type': 'application/json' }
const encoded = encodeURIComponent

/** the texts of the endpoints for a facade key that was just made */
function keep(planted: Planted, name: string, text: string) {
  const [key] = /vtr_(?:live|test)_\w+/.exec(text) ?? []
  if (key !== undefined) planted.keys.set(name, key)
}

interface Endpoint {
  readonly base: string
  readonly auth: Readonly<Record<string, string>>
  readonly ask: Stage['ask']
  readonly post: (path: string, body: unknown, meant?: readonly string[], headers?: object) => ReturnType<Stage['ask']>
}

function endpointOf({ ask }: Stage, { operatorUrl }: Running, { operatorToken }: Planted): Endpoint {
  const auth = { authorization: `Bearer ${operatorToken}` }
  const base = `${operatorUrl}/operator/v1`
  return {
    base,
    auth,
    ask,
    post: (path, body, meant = [], headers = {}) =>
      ask(`${base}${path}`, {
        method: 'POST',
        headers: { ...auth, ...json, ...headers },
        meant,
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  }
}

const goodOf = ({ pems }: Planted) => ({ id: 'studio', keyId: 'STUDIO1', issuerId: 'i1', privateKey: pems.first })
const lostOf = ({ pems }: Planted) => ({ id: 'lost', keyId: 'STRANGER', privateKey: pems.stranger })

function badBodies(planted: Planted): unknown[] {
  const { pems, stray } = planted
  const good = goodOf(planted)
  return [
    good,
    lostOf(planted),
    { ...good, id: pems.misplaced },
    { ...good, id: 'a', keyId: pems.misplaced },
    { ...good, id: 'a', issuerId: pems.misplaced },
    { ...good, id: 'a', linkage: pems.misplaced },
    { ...good, id: 'a', tokenScope: pems.misplaced },
    { ...good, id: 'a', check: pems.misplaced },
    { ...good, id: 'a', [pems.misplaced]: pems.misplaced },
    { ...good, id: 'a', privateKey: [pems.misplaced] },
    { ...good, id: 'a', privateKey: { pem: pems.misplaced } },
    { ...good, id: 'a', privateKey: pems.misplaced.slice(0, 150) },
    { ...good, id: 'a', privateKey: `${pems.misplaced}${pems.stranger}` },
    { ...good, id: 'a', privateKey: pems.misplaced.repeat(50) },
    `{"privateKey":"${pems.misplaced}"`,
    JSON.stringify(pems.misplaced),
    '__proto__',
    'x'.repeat(70_000) + stray,
  ]
}

async function manageConnections({ base, auth, ask, post }: Endpoint, planted: Planted) {
  const { pems, stray } = planted
  const [good, lost] = [goodOf(planted), lostOf(planted)]
  await post('/connections', good)
  for (const body of badBodies(planted)) await post('/connections', body)
  await post('/connections', good, [], { 'content-type': `text/${stray}` })
  await post('/connections/studio/credentials', { keyId: 'STRANGER', privateKey: pems.stranger })
  await post('/connections/studio/credentials', { keyId: 'STUDIO2', issuerId: 'i1', privateKey: pems.second })
  await post('/connections/studio/credentials', { keyId: pems.misplaced, privateKey: pems.misplaced })
  await post('/connections/studio/check', {})
  await post('/connections/studio/check', { privateKey: pems.misplaced })
  await post('/connections', { ...lost, check: false })
  await post('/connections/lost/check', '')
  for (const path of ['/connections', '/connections/studio', '/keys', '/vault', '/audit', '/connections?limit=1'])
    await ask(`${base}${path}`, { headers: auth })
}

async function manageKeys({ post }: Endpoint, planted: Planted) {
  const { pems, stray } = planted
  const wish = { name: 'reader', connections: ['*'], personal: true }
  keep(planted, 'the first facade key', (await post('/keys', wish, ['the first facade key'])).text)
  for (const more of [
    { connections: [pems.misplaced] },
    { groups: [pems.misplaced] },
    { expires: stray },
    { perMinute: stray },
  ])
    await post('/keys', { ...wish, ...more })
  const first = planted.keys.get('the first facade key') ?? ''
  const id = first.split('_')[2] ?? ''
  const name = 'the second facade key'
  keep(planted, name, (await post(`/keys/${id}/reroll`, {}, [name])).text)
  await post(`/keys/${id}/reroll`, { overlap: pems.misplaced })
  await post(`/keys/${first}/reroll`, {})
}

async function misplace({ base, auth, ask }: Endpoint, planted: Planted) {
  const { pems, stray, operatorToken } = planted
  const first = planted.keys.get('the first facade key') ?? ''
  // in the form of an id it would count as a name; these have another form
  for (const one of [first, encoded(pems.misplaced), `~${stray}`, `~${operatorToken}`])
    for (const path of [`/keys/${one}`, `/connections/${one}`, `/connections/${one}/check`, `/${one}`])
      for (const method of ['GET', 'POST', 'DELETE']) await ask(`${base}${path}`, { method, headers: auth })
  for (const one of [first, encoded(pems.misplaced), stray, operatorToken]) {
    // an unknown parameter name is quoted in the error, shortened
    const meant = ['the first facade key', 'stray', "the operator's token"]
    for (const path of [`/audit?limit=0&who=${one}`, `/audit?act=${one}`, `/keys?cursor=${one}`, `/vault?limit=${one}`])
      await ask(`${base}${path}`, { headers: auth })
    await ask(`${base}/keys?${one}=1`, { headers: auth, meant })
  }
  for (const wrong of [first, stray, `${operatorToken}x`])
    await ask(`${base}/keys`, { headers: { authorization: `Bearer ${wrong}` } })
}

export async function manage(stage: Stage, running: Running, planted: Planted): Promise<void> {
  const endpoint = endpointOf(stage, running, planted)
  await manageConnections(endpoint, planted)
  await manageKeys(endpoint, planted)
  await misplace(endpoint, planted)
  await endpoint.ask(`${endpoint.base}/connections/lost`, { method: 'DELETE', headers: endpoint.auth })
}

const moods = [
  'good',
  'text',
  'cut',
  'odd',
  'none',
  'next',
  'html',
  'away',
  'gone',
  's400',
  's401',
  's403',
  's404',
  's409',
  's429',
  's500',
  's503',
]

export async function read({ ask }: Stage, { url }: Running, planted: Planted) {
  const { email, stray, operatorToken, pems, comment } = planted
  const key = planted.keys.get('the first facade key') ?? ''
  const auth = { authorization: `Bearer ${key}` }
  const feedback = (app: string, query = '') =>
    `${url}/v1/connections/studio/apps/${app}/beta-feedback-screenshot-submissions${query}`
  // the odd ones are passed on unchanged: their text is the tester's
  const meant = ['e-mail', 'comment']
  for (const mood of moods)
    await ask(feedback(mood), { headers: auth, meant: mood === 'good' || mood === 'next' ? meant : [] })
  await ask(feedback('good', `?tester=${encoded(email)}`), { headers: auth, meant })
  await ask(feedback('s400', `?tester=${encoded(email)}`), { headers: auth })
  await ask(feedback('good', `?appPlatform=${encoded(comment)}`), { headers: auth, meant })
  await ask(feedback('good', `?cursor=${stray}`), { headers: auth })
  const odd = { ...auth, cookie: stray, 'x-api-key': operatorToken, 'x-key': pems.misplaced.replaceAll('\n', ' ') }
  await ask(feedback('good'), { headers: odd, meant })
  for (const path of [
    `/v1/connections/${stray}/apps`,
    `/v1/${key}`,
    `/v1/connections/acme/apps/${encoded(email)}/versions/ids`,
  ])
    await ask(`${url}${path}`, { headers: auth })
  for (const wrong of [operatorToken, `${key}x`, encoded(pems.misplaced), stray])
    await ask(`${url}/v1/whoami`, { headers: { authorization: `Bearer ${wrong}` } })
  await ask(`${url}/v1/connections/acme/apps`, { method: 'POST', headers: { ...auth, ...json }, body: pems.misplaced })
  for (const path of ['/v1/whoami', '/v1/connections/acme/apps', '/v1/connections/never/apps'])
    await ask(`${url}${path}`, { headers: auth })
}

/** files that are wrong, one after the other, each of which the running service refuses */
export async function misconfigure({ folder }: Stage, running: Running, { pems, stray, masterKeys }: Planted) {
  const spoil = async (name: string, text: string) => {
    const file = join(folder, name)
    const before = readFileSync(file, 'utf8')
    const from = running.log().length
    writeFileSync(file, text)
    running.child.kill('SIGHUP')
    await running.until(/reload_refused/, from)
    writeFileSync(file, before)
    const behind = running.log().length
    running.child.kill('SIGHUP')
    await running.until(/"reloaded"/, behind)
  }
  const settings = JSON.parse(readFileSync(join(folder, 'vitrine.json'), 'utf8'))
  const managed = (more: object) => JSON.stringify({ ...settings, connections: { acme: { keyId: 'M', ...more } } })
  await spoil('vitrine.json', managed({ privateKeyFile: pems.managed }))
  await spoil('vitrine.json', managed({ privateKeyFile: 'given/none.p8', [pems.managed.slice(28, 80)]: stray }))
  await spoil('vitrine.json', `{ "masterKeys": "${masterKeys[0]}",`)
  await spoil('vitrine.json', JSON.stringify({ ...settings, log: masterKeys[0] }))
  await spoil('given/managed.p8', pems.managed.slice(0, 160))
  await spoil('given/master-keys.txt', `k1 ${masterKeys[0]?.slice(3)}`)
  await spoil('given/master-keys.txt', `${masterKeys[0]?.slice(3)}`)
}
