// Preloaded in a replica of a soak test: on SIGWINCH it collects garbage and writes down what is left, and separately the size of
// compiled code, which grows as rarely used paths become hot.
import { writeFileSync, renameSync } from 'node:fs'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

/** the size of code: source, bytecode, machine code and tables */
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
