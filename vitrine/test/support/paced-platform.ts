// Scripts of a healthy platform that answers after a delay, or when the test says so.
import { page } from './example-routes.ts'
import { type Script, send } from './scripted-platform.ts'

export const delayed =
  (ms: number): Script =>
  (_, res) =>
    void setTimeout(() => send(res, page.healthy), ms)

export function pausedPlatform() {
  const waiting: (() => void)[] = []
  const script: Script = (_, res) => void waiting.push(() => send(res, page.healthy))
  return { waiting, script, release: () => waiting.splice(0).forEach((answer) => answer()) }
}
