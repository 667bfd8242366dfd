// What the Redis and the PostgreSQL inside answered in a run, beside real ones: where a promise broke, one of them may be wrong.
import { Redis } from 'ioredis'
import { freshDatabase, noPostgres } from '../postgres.ts'
import { noRedis, ownRedis } from '../redis.ts'
import { type Difference as PostgresDifference, replayOnPostgres } from './postgres/replay.ts'
import type { Recorded as RecordedOnPostgres } from './postgres/server.ts'
import { type Difference, replayOn } from './redis/replay.ts'
import type { Recorded } from './redis/server.ts'
import type { Result } from './subject.ts'

export async function compareOnRedis(recorded: readonly Recorded[]): Promise<readonly Difference[]> {
  const server = await ownRedis()
  const redis = new Redis(server.url)
  try {
    return await replayOn(redis, recorded)
  } finally {
    redis.disconnect()
    await server.kill()
  }
}

export async function compareOnPostgres(recorded: readonly RecordedOnPostgres[]): Promise<PostgresDifference[]> {
  const database = await freshDatabase()
  try {
    return await replayOnPostgres(database.url, recorded)
  } finally {
    await database.drop()
  }
}

const sentenceOf = (what: string, count: number, [first]: readonly object[]): string =>
  first === undefined
    ? `${what}: ${count} answers, the same as those of a real one`
    : `${what}: not as a real one: ${JSON.stringify(first)}`

/** a line for each server that was asked */
export async function compareWithReal({ recorded, recordedOnPostgres }: Result): Promise<string[]> {
  const lines: string[] = []
  if (recorded.length > 0)
    lines.push(
      noRedis
        ? `Redis: not compared, ${noRedis}`
        : sentenceOf('Redis', recorded.length, await compareOnRedis(recorded)),
    )
  for (const one of recordedOnPostgres)
    lines.push(
      noPostgres
        ? `PostgreSQL: not compared, ${noPostgres}`
        : sentenceOf('PostgreSQL', one.length, await compareOnPostgres(one)),
    )
  return lines
}
