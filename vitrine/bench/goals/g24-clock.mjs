// G24: the platform's clock and ours differ by 25 minutes either way; it checks the dates of tokens.
import { exactly, shownTally } from './measures.mjs'
import { assetPath } from './scene.mjs'
import { keyIdOf } from './service.mjs'

const skews = { ahead: 25 * 60_000, behind: -25 * 60_000 }

export const clock = {
  ids: ['G24'],
  about: "The platform's clock is 25 minutes ahead, or behind",
  async run(scene) {
    const rules = Object.entries(skews).map(([id, clockMs]) => [keyIdOf(id), { clockMs }])
    const platform = await scene.platform(Object.fromEntries(rules))
    const service = await scene.service({ platform: platform.origin, connections: Object.keys(skews) })
    const caller = scene.caller(service)
    const rows = []
    for (const id of Object.keys(skews)) {
      const answers = []
      for (let i = 0; i < 20; i++) answers.push(await caller.ask(assetPath(id)(i)))
      const { calls } = (await platform.counts())[keyIdOf(id)]
      const note = shownTally(answers)
      rows.push(
        exactly('G24', `calls beyond one a request, platform 25 min ${id}`, calls - answers.length, 1, { note }),
      )
      rows.push(exactly('G24', 'answers other than 200', answers.filter(({ status }) => status !== 200).length, 0))
    }
    return rows
  },
}
