import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { freshDatabase, noPostgres } from '../../../base/test/postgres.ts'
import { until } from '../../../base/test/until.ts'
import { hashPassword } from '../../src/accounts/passwords.ts'
import { openRig } from '../service-rig.ts'

interface Case {
  readonly path: string
  readonly table: string
  readonly status: number
  readonly body: (container: string) => object
  readonly idOf: (body: Record<string, string>) => string | undefined
}

const cases: readonly Case[] = [
  { path: '/containers', table: 'containers', status: 201, body: () => ({ image: 'base' }), idOf: ({ id }) => id },
  {
    path: '/images',
    table: 'images',
    status: 202,
    body: () => ({ name: 'mine', dockerfile: 'FROM base\nLABEL a=1' }),
    idOf: ({ id }) => id,
  },
  { path: '/api-keys', table: 'api_keys', status: 201, body: () => ({ name: 'made' }), idOf: ({ id }) => id },
  {
    path: '/containers/ssh',
    table: 'ssh_sessions',
    status: 201,
    body: (containerId) => ({ containerId }),
    idOf: ({ sessionId }) => sessionId,
  },
]

const [email, password] = ['someone@example.org', 'correct horse battery']
const hashed = await hashPassword(password)

async function openCaseRig(t: TestContext, one: Case, store: string | undefined) {
  const limits = { sshSessionsPerContainer: 50, containers: 50, memoryMiB: 50_000, cpu: 50 }
  const ssh = { listen: '127.0.0.1:0', hostKeyFile: 'host_key' }
  const rig = await openRig(t, { settings: { limits, ssh }, ...(store !== undefined && { store }) })
  const account = await rig.account(email, hashed)
  const { text: key } = await rig.key(account)
  await rig.baseImage()
  const byKey = { authorization: `Bearer ${key}` }
  const { body: container } = await rig.call('POST', '/containers', { key, body: { image: 'base' } })
  const { body: session, headers } = await rig.call('POST', '/auth/login', { body: { email, password } })
  const [cookie = ''] = (headers['set-cookie'] as string[])[0]?.split(';') ?? []
  const bySession = () => ({ cookie, 'x-csrf-token': session.csrfToken, origin: rig.service.url })
  return {
    rig,
    byKey,
    post: (idempotencyKey: string, signal?: AbortSignal) =>
      rig.call('POST', one.path, {
        headers: { ...(one.path === '/api-keys' ? bySession() : byKey), 'idempotency-key': idempotencyKey },
        body: one.body(container.id),
        ...(signal && { signal }),
      }),
    async ids(): Promise<string[]> {
      const rows = await rig.service.core.store.db.all(`SELECT id FROM ${one.table} WHERE account = ?`, [account])
      return rows.map((row) => row['id'] as string)
    },
    async isSettled(): Promise<boolean> {
      const living = await rig.service.core.store.containers.living()
      return living.every(({ status }) => status === 'running') && living.length === rig.engine.containers.size
    },
  }
}

type CaseRig = Awaited<ReturnType<typeof openCaseRig>>

/** answers whether the request came to its end before that step */
async function dieAt(step: number, when: 'before' | 'after', key: string, { rig, post }: CaseRig): Promise<boolean> {
  const died = rig.service.process.arm(step, when).then(() => false)
  const stop = new AbortController()
  const answer = post(key, stop.signal).then(
    () => true,
    () => true,
  )
  const isDone = await Promise.race([died, answer])
  stop.abort()
  await rig.restart()
  return isDone
}

async function killAtEachStep(one: Case, when: 'before' | 'after', used: CaseRig) {
  const { rig, post, ids, isSettled, byKey } = used
  let step = 1
  for (let isDone = false; !isDone; step++) {
    const [key, at] = [`${when} ${step}`, `killed ${when} step ${step}`]
    const earlier = await ids()
    isDone = await dieAt(step, when, key, used)
    await until(isSettled)
    const kept = (await ids()).filter((id) => !earlier.includes(id))
    const again = await post(key)
    const made = (await ids()).filter((id) => !earlier.includes(id))
    assert.equal(again.status, one.status, `${at}: ${again.text}`)
    assert.deepEqual(made, [one.idOf(again.body)], at)
    assert.equal(again.headers['idempotency-replayed'], kept.length > 0 ? 'true' : undefined, at)
    const third = await post(key)
    assert.deepEqual([third.status, third.headers['idempotency-replayed']], [one.status, 'true'], at)
    assert.equal(one.idOf(third.body), made[0], at)
    // its name is free again
    if (one.path === '/images') await rig.call('DELETE', `/images/${made[0]}`, { headers: byKey })
  }
  return step
}

for (const one of cases)
  for (const place of ['SQLite', 'PostgreSQL'])
    test(
      `killed at any step of POST ${one.path}, a repeat with the same key makes no second one (${place})`,
      { skip: place === 'PostgreSQL' && noPostgres },
      async (t) => {
        const database = place === 'PostgreSQL' ? await freshDatabase() : undefined
        if (database) t.after(() => database.drop())
        const used = await openCaseRig(t, one, database?.url)
        const steps = await killAtEachStep(one, 'before', used)
        assert.ok(steps > 3, `${steps} steps`)
        await killAtEachStep(one, 'after', used)
      },
    )
