// Egress by name on real engines: a program of the image uses the proxy from inside, and there is no other way out.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEgress, shownEgress } from '../../src/egress/egress.ts'
import { settleEgress } from '../../src/egress/wish.ts'
import { makeId } from '../../src/ids.ts'
import { readSettings } from '../../src/settings.ts'
import { until } from '../../../base/test/until.ts'
import { baseImage, onEveryEngine, shell, startContainer } from '../engines.ts'
import { openDns, openHttpTarget } from './targets.ts'

const settled = () =>
  settleEgress(
    {
      egress: { hosts: ['api.example.com'] },
      secrets: { API_KEY: { value: 'never-inside', hosts: ['key.example.com'] } },
    },
    ['*'],
  ) ?? assert.fail()

onEveryEngine(
  'a program in a container reaches an allowed host through the proxy, and nothing else',
  async ({ engine }) => {
    const ends: (() => unknown)[] = []
    const t = { after: (end: () => unknown) => ends.push(end) } as unknown as Parameters<typeof openHttpTarget>[0]
    const target = await openHttpTarget(t)
    const dns = await openDns(t, ['127.0.0.1'])
    const egressProxy = { hosts: ['*'], ports: [target.port], resolvers: [dns.at], allowedNetworks: ['127.0.0.0/8'] }
    const rows = { add: async () => 1, find: async () => undefined, removeOf: async () => 1, forget: async () => 1 }
    const folder = mkdtempSync(join(tmpdir(), 'atelier-egress-'))
    ends.push(() => rmSync(folder, { recursive: true }))
    const settings = readSettings({ listen: '127.0.0.1:1', egressProxy }, {})
    const egress = createEgress({ engine, settings, rows, folder, observe: () => {} })
    ends.push(() => egress.closeAll())
    try {
      const image = await engine.adopt(baseImage, makeId('img'))
      const wish = settled()
      const env = egress.environmentOf(wish)
      const open = async (more: { readOnlyRootfs?: boolean; command?: readonly string[] }) => {
        const id = await startContainer(engine, { image, env, ...more })
        await egress.keep(id, wish)
        await egress.open({ id, account: 'acc_1', spec: { user: '1000:1000', ...shownEgress(wish) } })
        return id
      }
      const get = (host: string) => `wget -q -O - http://${host}:${target.port}/ 2>&1`
      for (const more of [{}, { readOnlyRootfs: true, command: ['/bin/sleep', '1000'] }]) {
        const id = await open(more)
        const reached = await shell(engine, id, get('api.example.com'))
        assert.equal(reached.stdout, `hello from api.example.com:${target.port}`)
        const trusted = await shell(engine, id, 'grep -c "BEGIN CERTIFICATE" $SSL_CERT_FILE; echo $API_KEY')
        assert.match(trusted.stdout, /^\d{2,3}\natelier_secret_\w{32}\n$/)
        const refused = await shell(engine, id, get('other.example.com'))
        assert.match(refused.stdout, /403/)
        const around = await shell(engine, id, `unset http_proxy; ${get('127.0.0.1')}; ip -o addr | grep -vc ' lo '`)
        assert.match(around.stdout, /refused[^]*\n0\n$/i)
        if (more.command) continue
        await shell(engine, id, 'kill -9 -1; true')
        await until(async () => (await shell(engine, id, get('api.example.com'))).exitCode === 0, 30_000)
      }
    } finally {
      for (const end of ends) await end()
    }
  },
  { usesResident: true },
)
