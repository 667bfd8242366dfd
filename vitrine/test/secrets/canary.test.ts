import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { findCanaries } from '../support/canaries.ts'
import { freshDatabase, noPostgres } from '../../../base/test/postgres.ts'
import { manage, misconfigure, read } from './every-operation.ts'
import { canariesOf, type Planted } from './planted.ts'
import type { Running, Stage } from './program.ts'
import { dump, prepare, searchFiles, searchHeard } from './search.ts'

/** some at a time */
async function inTurns(acts: readonly (() => Promise<unknown>)[]) {
  const due = [...acts]
  const turn = async () => {
    for (let next = due.shift(); next; next = due.shift()) await next()
  }
  await Promise.all([turn(), turn(), turn()])
}

const credential = (file: string, id = 'CLI1000000') => ['--key-id', id, '--key-file', `given/${file}.p8`]

async function command({ run, folder }: Stage, planted: Planted, database: string | undefined) {
  const { pems, password, masterKeys } = planted
  const first = planted.keys.get('the first facade key') ?? ''
  const made = await run(['keys', 'create', '--name', 'cli', '--connections', '*'], { meant: ['the key of the cli'] })
  planted.keys.set('the key of the cli', made.out.trim().split('\n').at(-1) ?? '')
  const id = made.out.trim().split('_').at(-3) ?? ''
  const handed = await run(['keys', 'reroll', id], { meant: ['the key handed over'] })
  planted.keys.set('the key handed over', handed.out.trim().split('\n').at(-1) ?? '')
  const add = ['connections', 'add']
  const acts: (() => Promise<unknown>)[] = [
    [...add, 'cli', ...credential('first')],
    [...add, 'untried', ...credential('second'), '--no-check'],
    [...add, 'refused', ...credential('stranger', 'STRANGER00')],
    [...add, 'misplaced', '--key-id', pems.misplaced.slice(28), '--key-file', 'given/first.p8'],
    [...add, 'directory', '--key-id', 'CLI2000000', '--key-file', 'given'],
    ['connections', 'replace', 'studio', ...credential('stranger', 'STRANGER00')],
    ['connections', 'list'],
    ['connections', 'check', 'studio'],
    ['keys', 'create', '--name', 'x', '--connections', '*', '--expires', first],
    ['keys', 'list'],
    ['vault', 'status'],
    ['vault', 'verify'],
    ['store', 'copy', '--to', `postgres://u:${password}@127.0.0.1:1/none`],
    ['store', 'copy', '--to', 'sqlite:copy/v.db'],
    ['store', 'check'],
    ...(database === undefined ? [] : [['store', 'copy', '--to', database]]),
  ].map((args) => () => run(args))
  const input = pems.misplaced.slice(0, 170)
  await inTurns([
    ...acts,
    () => run([...add, 'piped', '--key-id', 'CLI2000000', '--key-file', '-'], { input }),
    () =>
      run([...add, 'named', '--key-id', 'CLI2000000', '--key-env', 'THE_KEY'], {
        env: { THE_KEY: pems.misplaced.slice(28) },
      }),
    () => run(['vault', 'status'], { env: { VITRINE_MASTER_KEYS: masterKeys.join() } }),
    () => run(['keys', 'list'], { env: { VITRINE_STORE: `postgres://u:${password}@127.0.0.1:1/none` } }),
  ])
  writeFileSync(join(folder, 'given', 'master-keys.txt'), masterKeys.toReversed().join('\n'))
  await inTurns(
    [
      ['vault', 'rotate'],
      ['audit', '--limit', '500'],
      ['audit', '--verify'],
    ].map((args) => () => run(args)),
  )
}

async function stopWhileReading({ ask }: Stage, { url, child, ended }: Running, planted: Planted) {
  const authorization = `Bearer ${planted.keys.get('the first facade key')}`
  const path = '/v1/connections/studio/apps/slow/beta-feedback-screenshot-submissions'
  const slow = ask(`${url}${path}`, { headers: { authorization }, meant: ['e-mail', 'comment'] })
  await pause(150)
  child.kill('SIGTERM')
  assert.equal((await slow).status, 200)
  assert.equal(await ended, 0)
}

test('every operation keeps each secret where it belongs', async (t) => {
  const { stage, planted } = await prepare(t)
  const database = noPostgres === false ? await freshDatabase() : undefined
  if (database) t.after(database.drop)
  const running = await stage.serve()
  await manage(stage, running, planted)
  await read(stage, running, planted)
  await command(stage, planted, database?.url)
  await misconfigure(stage, running, planted)
  await pause(300)
  const canaries = canariesOf(planted)
  const finds = searchFiles(stage, canaries)
  await stopWhileReading(stage, running, planted)
  finds.push(...searchFiles(stage, canaries), ...searchHeard(stage, canaries))
  if (database) finds.push(...findCanaries(await dump(database.url), canaries).map((find) => `the dump: ${find}`))
  assert.deepEqual(finds, [])
  checkThatAllWasDone(stage, planted)
})

/** that the search had something to find: each secret was where it was meant to be, and each act left its line */
function checkThatAllWasDone({ heard }: Stage, planted: Planted) {
  const all = canariesOf(planted)
  for (const name of [...planted.keys.keys(), 'e-mail', 'comment']) {
    const own = all.filter((canary) => canary.name === name)
    assert.ok(
      heard.some(({ text, meant }) => meant.includes(name) && findCanaries(text, own).length > 0),
      name,
    )
  }
  assert.equal(planted.keys.size, 4)
  assert.ok(planted.tokens.size >= 5)
  const audit = heard.find(({ what }) => what === 'the output of audit --limit 500')?.text ?? ''
  for (const act of ['create', 'replace', 'check', 'remove']) assert.match(audit, new RegExp(`connections.${act}`))
  for (const act of ['keys.create', 'keys.reroll', 'read', 'denied', 'done']) assert.ok(audit.includes(act), act)
  assert.doesNotMatch(heard.find(({ what }) => what === 'the log')?.text ?? '', /"kind":"failed"/)
}

test('a secret given in place of a name at the command line is neither stored nor printed', async (t) => {
  const { stage, planted } = await prepare(t)
  const { pems } = planted
  const made = await stage.run(['keys', 'create', '--name', 'x', '--connections', '*'], { meant: ['a facade key'] })
  const key = made.out.trim()
  planted.keys.set('a facade key', key)
  // texts in the form of a name count as names; these have another form
  const body = `+${pems.misplaced.slice(28, 90)}`
  const mistakes = [
    ['keys', 'revoke', key],
    ['keys', 'show', key],
    ['keys', 'reroll', key],
    ['keys', 'create', '--name', 'x', '--connections', key],
    ['connections', 'add', body, ...credential('first')],
    ['connections', 'add', ` ${pems.misplaced}`, ...credential('first')],
    ['connections', 'replace', body, ...credential('first')],
    ['connections', 'remove', body, '--yes'],
    ['connections', 'check', body],
    ['connections', 'show', key],
    ['connections', 'add', 'x', '--key-id', 'CLI2000000', '--key-file', body],
    ['connections', 'add', 'x', '--key-id', 'CLI2000000', '--key-env', body],
    ['connections', 'add', 'x', '--linkage', body, ...credential('first')],
    ['connections', 'add', 'x', '--key-id', 'CLI2000000', '--issuer-id', body, '--key-file', 'given/first.p8'],
    ['connections', 'add', 'x', pems.misplaced],
    [pems.misplaced],
  ]
  await inTurns(mistakes.map((args) => () => stage.run(args)))
  const canaries = canariesOf(planted)
  assert.deepEqual([...searchHeard(stage, canaries), ...searchFiles(stage, canaries)], [])
})

test('a process that crashes reports where, and no secret from its memory', async (t) => {
  const { stage, planted } = await prepare(t)
  const { pems, operatorToken, email, password } = planted
  planted.tokens.add(`eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJ4In0.${'Ab1-_'.repeat(17)}`)
  planted.keys.set('a facade key', `vtr_live_A1b2C3d4E5f6_${'Zx9Yw8Vu7Ts6'.repeat(4).slice(0, 43)}_0aB1cD`)
  const words = [
    pems.managed,
    JSON.stringify({ pem: pems.first }),
    pems.second.replaceAll(/-----[^-]+-----\n/g, ''),
    `Bearer ${operatorToken}`,
    email,
    `postgres://u:${password}@h/d`,
    ...planted.tokens,
    ...planted.keys.values(),
  ]
  const throwing = `setTimeout(() => { throw new Error(${JSON.stringify(words.join('\n'))}) }, 400)`
  const rejecting = throwing.replace('throw new Error', 'void Promise.reject(new TypeError').replace(') }', ')) }')
  for (const poison of [throwing, rejecting]) {
    writeFileSync(join(stage.folder, 'given', 'poison.mjs'), poison)
    const running = await stage.serve({ env: { NODE_OPTIONS: '--import=./given/poison.mjs' } })
    assert.equal(await running.ended, 1)
    assert.match(running.log(), /Error: \[private key redacted\]/)
    assert.match(running.log(), /\n {4}at /)
  }
  const canaries = canariesOf(planted)
  assert.deepEqual([...searchHeard(stage, canaries), ...searchFiles(stage, canaries)], [])
})
