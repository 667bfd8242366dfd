import assert from 'node:assert/strict'
import test from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { until } from '../../../../base/test/until.ts'
import type { EngineExec } from '../../../src/engine/port.ts'
import { outputCredit } from '../../../src/exec/resident/command.ts'
import { greet } from '../../../src/exec/resident/connection.ts'
import { connected, exit, frameOf, lossError, output, ScriptedResident, template, u32 } from './scripted-resident.ts'

const options = { idleMs: null, explainLoss: async () => lossError }
const credit = 5
const input = 3

async function readOutput(command: EngineExec) {
  const text = { stdout: '', stderr: '' }
  for await (const { stream, data } of command.output) text[stream] += data
  return { ...text, exitCode: await command.exitCode(0), startFailure: command.startFailure }
}

test('output goes to its command, and the wait status becomes the exit code', async () => {
  const { resident, connection } = await connected()
  const [one, two] = [connection.start('ex_1', template, false), connection.start('ex_2', template, false)]
  resident.send(output(2, Buffer.from('two')), output(1, Buffer.from('one')), output(1, Buffer.from('bad'), 2))
  resident.send(exit(1, 3 << 8), exit(2, 9))
  assert.deepEqual(await readOutput(one), { stdout: 'one', stderr: 'bad', exitCode: 3, startFailure: undefined })
  assert.deepEqual(await readOutput(two), { stdout: 'two', stderr: '', exitCode: 137, startFailure: undefined })
})

test('a command that could not be started says why', async () => {
  const cases = [
    [1, 2, 'bad_working_dir'],
    [2, 2, 'not_found'],
    [2, 20, 'not_found'],
    [2, 13, 'not_executable'],
    [2, 8, 'not_executable'],
    [2, 7, 'other'],
    [3, 11, 'other'],
    [4, 22, 'other'],
  ] as const
  const { resident, connection } = await connected()
  for (const [index, [stage, errno, failure]] of cases.entries()) {
    const command = connection.start(`ex_${index}`, template, false)
    resident.send(frameOf(67, index + 1, Buffer.from([stage, 0, 0, 0, errno])))
    const { startFailure, exitCode } = await readOutput(command)
    assert.deepEqual([startFailure, exitCode], [failure, undefined], `${stage} ${errno}`)
  }
})

test('a command may put out more only as its output is read', async () => {
  const { resident, connection } = await connected()
  const command = connection.start('ex_1', template, false)
  const start = resident.of(2)[0]?.payload
  assert.equal(start?.readUInt32BE(5), outputCredit)
  const piece = Buffer.alloc(outputCredit / 16, 'x')
  for (let n = 0; n < 16; n++) resident.send(output(1, piece))
  await nextTurn()
  assert.deepEqual(resident.of(credit), [])
  const chunks = command.output[Symbol.asyncIterator]()
  for (let read = 0; read < outputCredit;) read += (await chunks.next()).value.data.length
  const granted = resident.of(credit).map(({ payload }) => [payload[0], payload.readUInt32BE(1)])
  assert.equal(granted.reduce((sum, [, bytes = 0]) => sum + bytes, 0), outputCredit) // prettier-ignore
  assert.ok(granted.every(([stream]) => stream === 1))
  assert.equal(resident.isClosed, false)
})

test('pieces of one stream that wait are read as one, of bounded size, in their order', async () => {
  const { resident, connection } = await connected()
  const command = connection.start('ex_1', template, false)
  const piece = (letter: string) => Buffer.alloc(8_192, letter)
  for (const letter of 'abcdefghij') resident.send(output(1, piece(letter)))
  resident.send(output(1, piece('k'), 2), output(1, piece('l'), 2), output(1, piece('m')), exit(1))
  const read: string[] = []
  for await (const { stream, data } of command.output)
    read.push(`${stream} ${data.toString().replaceAll(/(.)\1{8191}/g, '$1')}`)
  assert.deepEqual(read, ['stdout abcdefgh', 'stdout ij', 'stderr kl', 'stdout m'])
})

test('many small pieces of a slow reader are kept as few', async () => {
  const { resident, connection } = await connected()
  const command = connection.start('ex_1', template, false)
  for (let n = 0; n < 5_000; n++) resident.send(output(1, Buffer.from([65 + (n % 26)]), 1 + (n % 2)))
  resident.send(exit(1))
  let pieces = 0
  const bytes = { stdout: 0, stderr: 0 }
  for await (const { stream, data } of command.output) {
    pieces += 1
    bytes[stream] += data.length
  }
  assert.deepEqual(bytes, { stdout: 2_500, stderr: 2_500 })
  assert.ok(pieces < 600, `${pieces} pieces`)
})

test('input is sent within the credit that the command gives, in order, and its end last', async () => {
  const { resident, connection } = await connected()
  const command = connection.start('ex_1', { ...template, input: true }, false)
  let isWritten = false
  const data = Buffer.from(Array.from({ length: 100_000 }, (_, n) => n % 251))
  void command.write(data.subarray(0, 60_000)).then(() => command.write(data.subarray(60_000))).then(() => (isWritten = true)) // prettier-ignore
  await nextTurn()
  assert.deepEqual(resident.of(input), [])
  const sent = () => Buffer.concat(resident.of(input).map(({ payload }) => payload))
  for (const upTo of [40_000, 80_000]) {
    resident.send(frameOf(69, 1, u32(40_000)))
    await until(() => sent().length === upTo)
  }
  assert.equal(isWritten, false)
  command.endInput()
  resident.send(frameOf(69, 1, u32(40_000)))
  await until(() => resident.of(4).length === 1)
  assert.ok(sent().equals(data) && isWritten)
  assert.equal(resident.frames.at(-1)?.type, 4)
})

test('what is written to a command that has ended is dropped', async () => {
  const { resident, connection } = await connected()
  const command = connection.start('ex_1', { ...template, input: true }, false)
  const written = command.write(Buffer.alloc(1_000))
  resident.send(exit(1))
  await written
  await command.write(Buffer.alloc(1_000))
  command.endInput()
  await nextTurn()
  assert.deepEqual([...resident.of(input), ...resident.of(4)], [])
})

test('a kill is over when the resident says so, also shortly after the end of its command', async () => {
  const { resident, connection } = await connected()
  const command = connection.start('ex_1', template, false)
  for (const isEnded of [false, true]) {
    if (isEnded) resident.send(exit(1, 9))
    const killed = connection.kill('ex_1')
    await nextTurn()
    assert.deepEqual(resident.frames.at(-1), { type: 7, command: 1, payload: Buffer.alloc(0) })
    resident.send(frameOf(71, 1))
    assert.equal(await killed, true)
  }
  assert.equal((await readOutput(command)).exitCode, 137)
})

test('a kill that is not answered, or of a command that was not started here, is left to others', async () => {
  const { resident, connection } = await connected()
  connection.start('ex_1', template, false)
  connection.start('ex_2', template, false)
  const killed = connection.kill('ex_1')
  await nextTurn()
  resident.send(frameOf(71, 2), frameOf(71, 7))
  assert.equal(await killed, false)
  assert.equal(await connection.kill('ex_unknown'), false)
})

test('a connection that is lost leaves the end of its commands unknown, and starts none', async () => {
  let asked: readonly string[] = []
  const explainLoss = async (commands: readonly string[]) => ((asked = commands), lossError)
  const { resident, connection } = await connected({ explainLoss })
  const command = connection.start('ex_1', template, false)
  connection.start('ex_detached', template, true)
  resident.send(output(1, Buffer.from('some')))
  resident.end()
  await assert.rejects(readOutput(command), lossError)
  assert.deepEqual([await command.exitCode(0), asked], [undefined, ['ex_1']])
  await connection.lost
  await assert.rejects(readOutput(connection.start('ex_2', template, false)), { fault: 'unavailable' })
})

test('a resident that sends what it may not loses its connection, and nothing else happens', async () => {
  const piece = Buffer.alloc(60_000, 'x')
  const floods: Record<string, Buffer[]> = {
    'more output than it may': Array.from({ length: Math.ceil(outputCredit / 60_000) + 1 }, () => output(1, piece)),
    'output of no command': Array.from({ length: 4 }, () => output(9, piece)),
    'ends of no command': Array.from({ length: 60_000 }, () => exit(9)),
    padding: Array.from({ length: 4 }, () => Buffer.alloc(60_000)),
    'more credit than there is': Array.from({ length: 2 }, () => frameOf(69, 1, u32(0xffffffff))),
    'kills that nobody asked for': Array.from({ length: 200_000 }, () => frameOf(71, 1)),
    'a second greeting': [frameOf(65, 0, Buffer.alloc(22))],
    noise: [Buffer.from('root:x:0:0:root:/root:/bin/sh\n')],
  }
  for (const [name, pieces] of Object.entries(floods)) {
    const { resident, connection } = await connected()
    const command = connection.start('ex_1', template, false)
    const reading = readOutput(command)
    resident.send(Buffer.concat(pieces))
    assert.equal(resident.isClosed, true, name)
    await assert.rejects(reading, lossError, name)
  }
})

test('frames that cross the end of their command are no fault', async () => {
  const { resident, connection } = await connected()
  for (let round = 0; round < 3_000; round++) {
    const command = connection.start(`ex_${round}`, template, false)
    const n = resident.frames.at(-1)?.command ?? 0
    assert.notEqual(n % 256, 0)
    resident.send(frameOf(66, n, u32(n)), exit(n), frameOf(69, n, u32(65_536)))
    await command.exitCode()
  }
  assert.equal(resident.isClosed, false)
})

test('what does not answer as a resident of this version is none', async () => {
  for (const answer of [
    (one: ScriptedResident) => one.sayHello({ version: 2 }),
    (one: ScriptedResident) => one.end(),
    (one: ScriptedResident) => one.send(Buffer.concat([Buffer.alloc(9), one.of(1)[0]!.payload.subarray(0, 16)])),
  ]) {
    const resident = new ScriptedResident()
    const greeted = greet(resident.channel, 60_000, options)
    await nextTurn()
    answer(resident)
    assert.equal(await greeted, undefined)
    assert.equal(resident.isClosed, true)
  }
  const silent = new ScriptedResident()
  assert.equal(await greet(silent.channel, 20, options), undefined)
  assert.equal(silent.isClosed, true)
})

test('commands get other numbers than those that an earlier connection left running', async () => {
  const resident = new ScriptedResident()
  const greeted = greet(resident.channel, 60_000, options)
  await nextTurn()
  resident.sayHello({ kept: [4, 9, 2] })
  const connection = await greeted
  connection?.start('ex_1', template, true)
  assert.deepEqual(resident.of(2).map(({ command, payload }) => [command, payload[0]]), [[10, 4]]) // prettier-ignore
})

test('a connection without commands is closed after a while, and not while one runs', async () => {
  const { resident, connection } = await connected({ idleMs: 30 })
  connection.start('ex_1', template, false)
  await new Promise((ok) => setTimeout(ok, 120))
  assert.equal(resident.isClosed, false)
  resident.send(exit(1))
  await until(() => resident.isClosed)
  await connection.lost
})

test('a resident that gives no credit over and over is dropped at the first frame', async () => {
  const { resident, connection } = await connected()
  connection.start('ex_1', { ...template, input: true }, false)
  resident.send(frameOf(69, 1, u32(65_536)))
  assert.equal(resident.isClosed, false)
  resident.send(frameOf(69, 1, u32(0)))
  assert.equal(resident.isClosed, true)
})
