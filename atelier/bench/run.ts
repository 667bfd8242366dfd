// Measures the service beside the engine's own calls in the same run: npm run bench -w atelier [-- --quick] [-- --json FILE].
// The engines are those of TEST_PODMAN and TEST_DOCKER, or a private Podman.
import { spawnSync } from 'node:child_process'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  type Figure,
  measureBuild,
  measureCache,
  measureCreation,
  measureFiles,
  measureFirstByte,
  measureMany,
} from './works.ts'
import { measureCommands } from './commands.ts'
import { openRaw } from './raw.ts'
import { type EngineResults, judgedOf, loadNow, writeResults } from './results.ts'
import { startSubject } from './subject.ts'

const { json: jsonFile, quick: isQuick = false } = parseArgs({
  options: { quick: { type: 'boolean' }, json: { type: 'string' } },
}).values
const rounds = isQuick ? 4 : 15
const print = (line: string) => void process.stdout.write(`${line}\n`)
const show = (value: number | undefined) =>
  value === undefined ? '' : value < 10 ? value.toFixed(2) : value.toFixed(1)

function printFigure(figure: Figure) {
  const { name, unit, service, raw, cli, most } = figure
  const judged = judgedOf(figure)
  const goal = `${judged <= most ? 'kept  ' : 'MISSED'} ${raw === undefined ? `<= ${show(most)} ${unit}` : `<= ${show(most)} x`}`
  const ratio = raw === undefined ? '' : `${show(judged)} x`
  const columns = [
    name.padEnd(36),
    `${show(service)} ${unit}`.padStart(12),
    show(raw).padStart(9),
    show(cli).padStart(9),
  ]
  print(`${columns.join(' ')} ${ratio.padStart(8)}  ${goal}`)
}

async function measure(socket: string): Promise<EngineResults> {
  const load = loadNow()
  const figures: Figure[] = []
  const take = (...some: readonly Figure[]) => {
    for (const figure of some) printFigure(figure)
    figures.push(...some)
  }
  const raw = await openRaw(socket)
  const subject = await startSubject(socket)
  const bench = { raw, subject, rounds, containers: isQuick ? 20 : 200 }
  print(
    `\n${raw.dialect} ${raw.version}, ${cpus().length} processors, load ${load.toFixed(1)}, medians of ${rounds} rounds`,
  )
  print(`${''.padEnd(36)} ${'service'.padStart(12)} ${'raw'.padStart(9)} ${'command'.padStart(9)}    ratio  goal`)
  try {
    take(await measureCreation(bench))
    take(...(await measureCommands(bench)))
    take(await measureFirstByte(bench))
    take(...(await measureFiles(bench, 1)).slice(0, 2))
    take(...(await measureFiles({ ...bench, rounds: isQuick ? 1 : 4 }, 256)))
    take(await measureBuild(bench))
    take(await measureCache(bench))
    take(...(await measureMany(bench)))
    return { engine: raw.dialect, version: raw.version, load, figures }
  } finally {
    await subject.stop()
    raw.close()
  }
}

const sockets = ['TEST_PODMAN', 'TEST_DOCKER'].flatMap((name) => process.env[name] ?? [])
if (sockets.length > 0) {
  const results: EngineResults[] = []
  for (const socket of sockets) results.push(await measure(socket))
  if (jsonFile !== undefined) writeResults(jsonFile, rounds, results)
} else {
  const wrapper = join(import.meta.dirname, '../scripts/with-engine.ts')
  const words = [wrapper, process.execPath, ...process.argv.slice(1)]
  process.exitCode = spawnSync(process.execPath, words, { stdio: 'inherit' }).status ?? 1
}
