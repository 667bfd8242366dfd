// Secrets that are planted before a search: each is different, so that a find names the secret.
import { randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeMasterKey } from '../../src/connections/master-keys.ts'
import { type Canary, keyCanaries, pemCanaries, secretCanaries, tokenCanaries } from '../support/canaries.ts'
import { type Script, send } from '../support/scripted-platform.ts'
import { makeAccount } from './accounts.ts'

const letters = (length: number): string => randomBytes(length).toString('hex')

export interface Planted {
  readonly pems: Readonly<Record<'managed' | 'first' | 'second' | 'stranger' | 'misplaced', string>>
  readonly masterKeys: readonly string[]
  readonly operatorToken: string
  readonly email: string
  readonly comment: string
  readonly password: string
  /** a secret in a header, a path or a query, where it does not belong */
  readonly stray: string
  /** of the platform, as they came there */
  readonly tokens: Set<string>
  /** by the name of their making */
  readonly keys: Map<string, string>
}

export function plant(folder: string): Planted {
  const pem = () => makeAccount('x', 'x').pem
  const planted: Planted = {
    pems: { managed: pem(), first: pem(), second: pem(), stranger: pem(), misplaced: pem() },
    masterKeys: [makeMasterKey('k1'), makeMasterKey('k2')],
    operatorToken: letters(20),
    email: `tester.${letters(8)}@${letters(6)}.canary.example`,
    comment: `The tester ${letters(10)} said this`,
    password: letters(12),
    stray: letters(24),
    tokens: new Set(),
    keys: new Map(),
  }
  mkdirSync(join(folder, 'given'), { mode: 0o700 })
  for (const [name, text] of Object.entries(planted.pems)) writeFileSync(join(folder, 'given', `${name}.p8`), text)
  writeFileSync(join(folder, 'given', 'master-keys.txt'), planted.masterKeys[0] ?? '')
  writeFileSync(join(folder, 'given', 'token.txt'), planted.operatorToken)
  return planted
}

export function canariesOf(planted: Planted): Canary[] {
  const { pems, masterKeys, operatorToken, email, comment, password, stray, tokens, keys } = planted
  return [
    ...Object.entries(pems).flatMap(([name, pem]) => pemCanaries(`the ${name} signing key`, pem)),
    ...masterKeys.flatMap((key) => secretCanaries(`master key ${key.slice(0, 2)}`, key)),
    ...[...tokens].flatMap((token) => tokenCanaries('a token of the platform', token)),
    ...[...keys].flatMap(([name, key]) => keyCanaries(name, key)),
    { name: "the operator's token", secret: operatorToken },
    { name: 'e-mail', secret: email, except: '.canary.example' },
    { name: 'comment', secret: comment, except: ' said this' },
    { name: 'password', secret: password },
    { name: 'stray', secret: stray },
  ]
}

const links = { self: 'https://platform/self' }

/** the platform in one of its moods: the id of the app says in which, and all that it knows it says again */
export function platformOf(planted: Planted): Script {
  const { email, comment, pems, tokens, password } = planted
  return ({ headers, path }, res) => {
    const token = String(headers.authorization).replace('Bearer ', '')
    tokens.add(token)
    const kid = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid
    const words = [email, comment, token, pems.first, pems.managed, password].join(' ')
    const errors = [{ status: '4', code: 'SOME_ERROR', title: words, detail: words, source: { parameter: words } }]
    const feedback = {
      type: 'betaFeedbackScreenshotSubmissions',
      id: 'f1',
      attributes: { email, comment, [email]: words },
    }
    const mood = kid === 'STRANGER' ? 's401' : (/apps\/([^/]+)/.exec(path)?.[1] ?? 'apps')
    const status = /^s(\d{3})$/.exec(mood)?.[1]
    if (status !== undefined) return send(res, { errors }, { 'retry-after': words.slice(0, 40) }, Number(status))
    const bodies: Record<string, unknown> = {
      apps: { data: [{ type: 'apps', id: 'a1', attributes: { name: 'x' } }], links },
      good: { data: [feedback], links },
      text: words,
      cut: JSON.stringify({ data: [feedback] }).slice(0, -9),
      odd: { data: [{ ...feedback, type: words, id: words }], links },
      none: { [email]: words },
      next: { data: [feedback], links: { ...links, next: `https://elsewhere/${encodeURIComponent(words)}` } },
    }
    if (mood === 'html') return send(res, `<html>${words}`, { 'content-type': 'text/html', 'x-words': 'x' }, 502)
    if (mood === 'away') return send(res, words, { location: `https://elsewhere/${token}` }, 302)
    if (mood === 'gone') return void res.destroy()
    if (mood === 'slow') return void setTimeout(() => send(res, bodies['good']), 700).unref()
    return send(res, bodies[mood] ?? { errors }, {}, mood in bodies ? 200 : 404)
  }
}
