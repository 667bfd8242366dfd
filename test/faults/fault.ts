// The fault runner: each row is a test of its own, over a service of its own. It states the fault, what the caller must get
// and how many platform calls that may cost; and the next healthy request must be answered within six seconds.
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { over, type Place, page } from '../ground/places.ts'
import { answerOf, type RawPlatform, type RawScript, startRawPlatform } from '../ground/raw-platform.ts'
import { type Script, type ScriptedPlatform, startScriptedPlatform } from '../ground/scripted-platform.ts'
import { type Answer, type Service, type ServiceOptions, startService } from '../ground/service.ts'
import { checkExpected, checkNever, type Expected, rangeOf } from './expected.ts'
import { type HeldClock, holdClock } from './held-clock.ts'

export { canary, checkExpected, checkNever, type Expected } from './expected.ts'

interface Common {
  /** `F13`, or several that one test shows: `F13 F14` */
  readonly id: string
  readonly fault: string
  readonly expect: Expected
  /** what is asked; the page route where it is left out */
  readonly at?: Place
  readonly path?: string
  /** the budget of the request; 2,000 where it is left out */
  readonly timeoutMs?: number
  /** the answer is there by then; a second after the budget where it is left out */
  readonly withinMs?: number
  readonly options?: ServiceOptions
  /** the fault meets a line that has answered before */
  readonly usedBefore?: true
  /** for so many seconds the same refusal is given without a platform call; the clock is set ahead by them */
  readonly restsSec?: number
  /** what is answered meanwhile, where it is not the same */
  readonly resting?: Expected
  /** the next healthy request is asked again until this has passed */
  readonly healsWithinMs?: number
  readonly more?: (answer: Answer, scene: Scene) => void | Promise<void>
}

/** a platform that fails before bytes are requests, and how it gets well */
export interface Ground {
  readonly platform: RawPlatform
  readonly heal: () => void | Promise<void>
}

export interface RawFault extends Common {
  /** bytes, one platform request after the other; the last one goes on for ever */
  readonly raw: RawScript | readonly RawScript[]
}

/** calls are those that the service says it made: the platform may have seen none of them */
export interface GroundFault extends Common {
  readonly ground: () => Promise<Ground>
}

export interface ScriptedFault extends Common {
  /** answers, one platform request after the other; the last one goes on for ever */
  readonly script: Script | readonly Script[]
}

export interface Scene {
  readonly service: Service
  /** how many calls the platform has had */
  readonly calls: () => number
  readonly platform: RawPlatform | ScriptedPlatform
  /** the platform is well again from here on */
  readonly heal: () => void | Promise<void>
}

export type Fault = RawFault | ScriptedFault | GroundFault

const inTurn = <S extends (...args: any[]) => unknown>(scripts: S | readonly S[]): S => {
  const list: readonly S[] = typeof scripts === 'function' ? [scripts] : scripts
  let at = 0
  return ((...args: unknown[]) => list[Math.min(at++, list.length - 1)]?.(...args)) as S
}

const healthyAt =
  (at: Place): RawScript =>
  (socket) =>
    void socket.write(answerOf(JSON.stringify(at.healthy)))

async function openGround(t: TestContext, { ground }: GroundFault, settings: ServiceOptions): Promise<Scene> {
  const { platform, heal } = await ground()
  const service = await startService(platform.url, settings)
  t.after(() => service.close().then(platform.close))
  return { service, platform, calls: () => service.events.filter(({ kind }) => kind === 'called').length, heal }
}

export async function openScene(t: TestContext, row: Fault): Promise<Scene> {
  const { at = page, timeoutMs = 2_000, options = {} } = row
  const settings = {
    ...options,
    file: { ...options.file, upstream: { timeoutMs, ...(options.file?.['upstream'] as object) } },
  }
  if ('ground' in row) return openGround(t, row, settings)
  if ('raw' in row) {
    const platform = await startRawPlatform(inTurn(row.raw))
    const service = await startService(platform.url, settings)
    t.after(() => service.close().then(platform.close))
    const heal = () => void (platform.script = healthyAt(at))
    return { service, platform, calls: () => platform.requests.length, heal }
  }
  const platform = await startScriptedPlatform(inTurn(row.script))
  const service = await startService(platform.url, settings)
  t.after(() => service.close().then(platform.close))
  const healthy = over(at, at.healthy)
  return { service, platform, calls: () => platform.calls.length, heal: () => void (platform.script = healthy) }
}

export async function healthyAgain(
  { service, heal }: Pick<Scene, 'service' | 'heal'>,
  { at = page, path = at.path, healsWithinMs = 6_000 }: Partial<Common> = {},
) {
  await heal()
  const endsAt = performance.now() + healsWithinMs
  for (;;) {
    const { status, json, text } = await service.ask(path)
    if (status === 200) return assert.deepEqual(json, at.answer, 'the next healthy request is answered')
    assert.ok(performance.now() < endsAt, `still ${status} ${text}`)
    await sleep(100)
  }
}

async function askHealthy({ service, platform, heal }: Scene, { at = page, path = at.path }: Common) {
  const sick = platform.script
  await heal()
  assert.equal((await service.ask(path)).status, 200)
  platform.script = sick as never
  const asked = 'calls' in platform ? platform.calls : platform.requests
  asked.length = 0
}

/** the platform would answer again, and is not asked until the time that it named, or we chose, is over */
async function sitOut(clock: HeldClock, scene: Scene, row: Common, restsSec: number) {
  const { at = page, path = at.path } = row
  const { retryAfter, ...expected } = row.resting ?? row.expect
  void retryAfter
  await scene.heal()
  const calls = scene.calls()
  // who can wait for the end within his own time does so
  const checked = restsSec > 3 ? [restsSec, 3] : expected.status === 429 ? [] : [restsSec]
  for (const leftSec of checked) {
    clock.setAhead((restsSec - leftSec) * 1_000)
    const answer = await scene.service.ask(path)
    checkExpected(answer, expected)
    checkNever(answer, scene)
    const said = answer.headers['retry-after']
    if (expected.status === 429) assert.equal(said, String(leftSec))
    assert.equal(scene.calls(), calls, `nothing is asked ${leftSec} s before the end`)
  }
  clock.setAhead(restsSec * 1_000)
  clock.letGo()
}

const listCalls = ({ service }: Scene): string => JSON.stringify(service.events.filter(({ kind }) => kind === 'called'))

/** one test for each row */
export function faults(rows: readonly Fault[]) {
  for (const row of rows)
    test(`${row.id}: ${row.fault}`, { timeout: 60_000 }, async (t) => {
      const { at = page, path = at.path, timeoutMs = 2_000, expect, more } = row
      const clock = row.restsSec === undefined ? undefined : holdClock(t)
      const scene = await openScene(t, row)
      if (row.usedBefore) await askHealthy(scene, row)
      const startedAt = performance.now()
      const answer = await scene.service.ask(path)
      const tookMs = performance.now() - startedAt
      assert.ok(tookMs < (row.withinMs ?? timeoutMs + 1_000), `${Math.round(tookMs)} ms`)
      checkExpected(answer, expect)
      const [least, most] = rangeOf(expect.calls)
      assert.ok(scene.calls() >= least && scene.calls() <= most, `${scene.calls()} platform calls: ${listCalls(scene)}`)
      await more?.(answer, scene)
      checkNever(answer, scene)
      if (clock) await sitOut(clock, scene, row, row.restsSec ?? 0)
      // where the clock is set ahead, the time is over to the millisecond
      await healthyAgain(scene, clock ? { ...row, healsWithinMs: 0 } : row)
    })
}
