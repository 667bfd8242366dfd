// Loaded into the service before everything else. On SIGUSR2 it writes down how many bytes its heap has handed out so far.
import { renameSync, writeFileSync } from 'node:fs'
import { getHeapStatistics } from 'node:v8'

const file = process.env['GUARD_FILE']

process.on('SIGUSR2', () => {
  const { total_allocated_bytes: bytes } = getHeapStatistics()
  writeFileSync(`${file}.new`, JSON.stringify({ bytes, node: process.version }))
  renameSync(`${file}.new`, file)
})
