// What has become worse between the two newest records, or two given ones: node bench/compare.ts [OLDER NEWER]. Exit status 1 where
// something has.
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { paceOf, worseIn } from './changes.ts'
import { readRecord, type Recorded, resultsFolder } from './record.ts'

const say = (line: string) => void process.stdout.write(`${line}\n`)
const given = process.argv.slice(2)
/** their names begin with the day */
const newest = () => globSync(join(resultsFolder, '*.json')).toSorted().slice(-2)

const aboutOf = ({ at, version, machine, load }: Recorded) =>
  `${version} of ${at.slice(0, 16)}: ${String(machine['cpu'])}, ${String(machine['cores'])} cores, Node.js ${String(machine['node'])}, ` +
  `load before ${String(machine['loadBefore'])}, ${load['rounds']} rounds`

const [older, newer] = (given.length > 0 ? given : newest()).map(readRecord)
if (!older || !newer) {
  process.stderr.write('compare: two records are needed, in bench/results or by path\n')
  process.exit(2)
}
say(`older  ${aboutOf(older)}\nnewer  ${aboutOf(newer)}`)
say(
  `The peers take ${paceOf(older, newer).toFixed(2)} times as much processor time in the newer one; times are shown without that.\n`,
)
const worse = worseIn(older, newer)
say(worse.length > 0 ? worse.join('\n') : 'Nothing has become worse beyond what varies from round to round.')
process.exitCode = worse.length > 0 ? 1 : 0
