// One caller, one request at a time, of several ways in turn. Takes JSON: { ways: [{ name, origin, path, headers }], rounds,
// samples }; `{n}` in a path is another number each time. Prints, for each way, its rounds with p50, p95 and p99 in milliseconds.
import { createAsker } from './asker.mjs'

const { ways, rounds, samples } = JSON.parse(process.argv[2])
/** so many of one way before the other has its turn */
const stretch = 50
const askers = ways.map((way) => ({ ...way, asker: createAsker(way.origin), rounds: [], asked: 0 }))

async function askSome(way, into) {
  for (let i = 0; i < stretch; i++) {
    const { status, ms } = await way.asker.ask(way.path.replace('{n}', String(way.asked++ % 512)), way.headers)
    if (status !== 200) throw new Error(`${way.name} answers ${status}`)
    into.push(ms)
  }
}

async function oneRound() {
  const taken = askers.map(() => [])
  for (let done = 0; done < samples; done += stretch)
    for (const [i, way] of askers.entries()) await askSome(way, taken[i])
  return taken.map((all) => {
    const sorted = all.sort((a, b) => a - b)
    const at = (share) => sorted[Math.floor(sorted.length * share)]
    // the first that fails ends all
    return { success: 1, p50: at(0.5), p95: at(0.95), p99: at(0.99), least: sorted[0], samples: sorted.length }
  })
}

await oneRound()
for (let number = 0; number < rounds; number++)
  for (const [i, round] of (await oneRound()).entries()) askers[i].rounds.push(round)
process.stdout.write(`${JSON.stringify(askers.map(({ name, rounds: all }) => ({ name, rounds: all })))}\n`)
for (const { asker } of askers) asker.close()
