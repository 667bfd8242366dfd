// Loaded in front of a replica that is watched for long: on SIGWINCH it collects its garbage, and writes down what is left.
import { writeFileSync, renameSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

process.on('SIGWINCH', () => {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  writeFileSync('vitals.new', JSON.stringify({ pid: process.pid, heapUsed, external }))
  renameSync('vitals.new', 'vitals.json')
})
