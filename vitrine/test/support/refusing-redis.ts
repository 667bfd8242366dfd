// A separate Redis that a test can make refuse writes, in each of the ways in which a Redis still answers reads.
import { rmSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { Redis } from 'ioredis'
import { ownRedis } from '../../../base/test/redis.ts'
import { until } from '../../../base/test/until.ts'
import { freePort } from '../../../base/test/free-port.ts'

type Hand = Redis
interface Trouble {
  begin(hand: Hand): Promise<unknown>
  end(hand: Hand): Promise<unknown>
}

/** its folder is removed, so its snapshots fail */
async function failToSave(hand: Hand) {
  const [, folder] = await hand.config('GET', 'dir')
  if (String(folder).includes('test-redis-')) rmSync(String(folder), { recursive: true, force: true })
  await hand.config('SET', 'save', '3600 1')
  await hand.config('SET', 'stop-writes-on-bgsave-error', 'yes')
  await hand.bgsave()
  await until(async () => (await hand.info('persistence')).includes('rdb_last_bgsave_status:err'))
}

const followNobody = async (hand: Hand) => hand.replicaof('127.0.0.1', await freePort())

/** by the error code of the refusal */
export const troubles: Readonly<Record<string, Trouble>> = {
  READONLY: { begin: followNobody, end: (hand) => hand.replicaof('NO', 'ONE') },
  MASTERDOWN: {
    begin: (hand) => hand.config('SET', 'replica-serve-stale-data', 'no').then(() => followNobody(hand)),
    end: (hand) => hand.replicaof('NO', 'ONE'),
  },
  OOM: {
    begin: (hand) => hand.config('SET', 'maxmemory', '1'),
    end: (hand) => hand.config('SET', 'maxmemory', '0'),
  },
  NOREPLICAS: {
    begin: (hand) => hand.config('SET', 'min-replicas-to-write', '1'),
    end: (hand) => hand.config('SET', 'min-replicas-to-write', '0'),
  },
  MISCONF: { begin: failToSave, end: (hand) => hand.config('SET', 'stop-writes-on-bgsave-error', 'no') },
  NOPERM: {
    begin: (hand) => hand.call('ACL', 'SETUSER', 'service', '-@write'),
    end: (hand) => hand.call('ACL', 'SETUSER', 'service', '+@write'),
  },
}

export interface RefusingRedis {
  readonly url: string
  readonly port: number
  readonly hand: Hand
  refuse(code: string): Promise<void>
  recover(code: string): Promise<void>
}

export async function refusingRedis(t: TestContext): Promise<RefusingRedis> {
  const server = await ownRedis()
  const hand = new Redis(server.url)
  hand.on('error', () => undefined)
  t.after(async () => {
    hand.disconnect()
    await server.kill()
  })
  const rights = ['~vitrine:*', '&vitrine:*', '+@all', '-@admin', '-@dangerous', '+info']
  await hand.call('ACL', 'SETUSER', 'service', 'on', '>word', ...rights)
  return {
    hand,
    port: server.port,
    url: `redis://service:word@127.0.0.1:${server.port}`,
    refuse: async (code) => void (await troubles[code]?.begin(hand)),
    recover: async (code) => void (await troubles[code]?.end(hand)),
  }
}
