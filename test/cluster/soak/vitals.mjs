// Loaded in front of a replica that is watched for long: on SIGWINCH it collects its garbage, and writes down what is left; apart
// from it what the engine has compiled, which grows for as long as paths that are rarely taken become hot.
import { writeFileSync, renameSync } from 'node:fs'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

/** code, and what belongs to it: its bytes before and after compilation, and tables */
const isCompiled = ({ space_name: name }) =>
  /^(?:code|trusted|code_large_object|trusted_large_object)_space$/.test(name)

process.on('SIGWINCH', () => {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  const compiled = getHeapSpaceStatistics()
    .filter(isCompiled)
    .reduce((sum, { space_used_size: size }) => sum + size, 0)
  writeFileSync('vitals.new', JSON.stringify({ pid: process.pid, objects: heapUsed + external - compiled, compiled }))
  renameSync('vitals.new', 'vitals.json')
})
