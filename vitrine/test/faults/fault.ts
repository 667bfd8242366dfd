// The fault runner: each row is a test with its own service. It states the fault, the answer the caller must get and how many
// platform calls it may cost; then the next healthy request must be answered within six seconds.
import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { answerRead, type ExampleRoute, page } from '../support/example-routes.ts'
import { answerOf, type RawPlatform, type RawScript, startRawPlatform } from '../support/raw-platform.ts'
import { type Script, type ScriptedPlatform, startScriptedPlatform } from '../support/scripted-platform.ts'
import { type Answer, type Service, type ServiceOptions, startService } from '../support/service.ts'
import { checkExpected, checkNever, type Expected, rangeOf } from './expected.ts'
import { type HeldClock, holdClock } from './manual-clock.ts'

export { canary, checkExpected, checkNever, type Expected } from './expected.ts'

interface Common {
  /** `F13`, or several that one test covers: `F13 F14` */
  readonly id: string
  readonly fault: string
  readonly expect: Expected
  /** the requested path; the page route if it is left out */
  readonly at?: ExampleRoute
  readonly path?: string
  /** the deadline of the request; 2,000 if it is left out */
  readonly timeoutMs?: number
  /** the answer must come within this; a second after the deadline if it is left out */
  readonly withinMs?: number
  readonly options?: ServiceOptions
  /** the fault affects a connection that has answered before */
  readonly usedBefore?: true
  /** for this many seconds the same refusal comes without a platform call; the clock is then advanced by them */
  readonly restsSec?: number
  /** the answer during that time, if it is another one */
  readonly resting?: Expected
  /** the next healthy request is repeated for at most this long */
  readonly healsWithinMs?: number
  readonly more?: (answer: Answer, scene: Scene) => void | Promise<void>
}

/** a platform that fails before it reads a request, and how it recovers */
export interface Ground {
  readonly platform: RawPlatform
  readonly heal: () => void | Promise<void>
}

export interface RawFault extends Common {
  /** bytes for each platform request in order; the last one repeats */
  readonly raw: RawScript | readonly RawScript[]
}

/** counts the calls that the service reports, since the platform may see none of them */
export interface GroundFault extends Common {
  readonly ground: () => Promise<Ground>
}

export interface ScriptedFault extends Common {
  /** answers for each platform request in order; the last one repeats */
  readonly script: Script | readonly Script[]
}

export interface Scene {
  readonly service: Service
  /** the calls that the platform has received */
  readonly calls: () => number
  readonly platform: RawPlatform | ScriptedPlatform
  /** the platform is healthy from here on */
  readonly heal: () => void | Promise<void>
}

export type Fault = RawFault | ScriptedFault | GroundFault

const inTurn = <S extends (...args: any[]) => unknown>(scripts: S | readonly S[]): S => {
  const list: readonly S[] = typeof scripts === 'function' ? [scripts] : scripts
  let at = 0
  return ((...args: unknown[]) => list[Math.min(at++, list.length - 1)]?.(...args)) as S
}

const healthyAt =
  (at: ExampleRoute): RawScript =>
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
  const healthy = answerRead(at, at.healthy)
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

/** the platform would answer again, and is not called until the end of the time that it named, or we chose */
async function sitOut(clock: HeldClock, scene: Scene, row: Common, restsSec: number) {
  const { at = page, path = at.path } = row
  const { retryAfter, ...expected } = row.resting ?? row.expect
  void retryAfter
  await scene.heal()
  const calls = scene.calls()
  // requests that can wait that long within their deadline do so
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
      // if the clock is set ahead, the wait ends exactly
      await healthyAgain(scene, clock ? { ...row, healsWithinMs: 0 } : row)
    })
}
