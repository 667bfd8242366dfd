// An SFTP channel whose client or container stands still. The command is a stand-in: what it says, and when, is the test.
import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import test from 'node:test'
import { createCounter } from '../../src/api/counters.ts'
import type { Command, KillReason } from '../../src/exec/command.ts'
import { serveSftp, type SftpParts } from '../../src/ssh/sftp/serve.ts'
import { framed, str, types, u32 } from './sftp-client.ts'

/** says the answers one after another, and then nothing until it is killed or its input ends */
function standIn(answers: readonly string[]) {
  const killed = Promise.withResolvers<KillReason>()
  const ended = Promise.withResolvers<void>()
  async function* output() {
    for (const answer of answers) yield { stream: 'stdout', data: Buffer.from(answer) }
    await Promise.race([killed.promise, ended.promise])
  }
  const command = {
    output,
    write: async () => {},
    endInput: () => ended.resolve(),
    kill: (reason: KillReason) => killed.resolve(reason),
    killed: killed.promise,
  }
  return { command: command as unknown as Command, killed: killed.promise }
}

const record = { account: 'acc_1', spec: { workingDir: '/', user: '1000:1000', limits: { diskMiB: 1 } } }
const limits = { files: 4, fileBytes: 1_000, archiveEntries: 10 }

function partsOf(command: Command, more: Partial<SftpParts>): SftpParts {
  const channel = new PassThrough()
  channel.write(framed(Buffer.of(types.init), u32(3)))
  channel.write(framed(Buffer.of(types.stat), u32(1), str('/x')))
  const common = { channel, software: 'OpenSSH_9', counter: createCounter(), stallMs: 20, giveUp: () => {} }
  const send = async () => {}
  return { ...common, command, send, record: record as never, limits: limits as never, ...more }
}

test('a container that does not answer is not waited for', async () => {
  const { command, killed } = standIn(['ok\0'])
  assert.equal(await serveSftp(partsOf(command, {})), 'The container ended SFTP.')
  assert.equal(await killed, 'timeout')
})

test('a container that does not begin is not waited for', async () => {
  const { command, killed } = standIn([])
  assert.equal(await serveSftp(partsOf(command, {})), 'The container ended SFTP.')
  assert.equal(await killed, 'timeout')
})

test('a client that takes no answer is given up', async () => {
  const { command } = standIn(['ok\0'])
  const givenUp = Promise.withResolvers<void>()
  const send = () => givenUp.promise
  const giveUp = () => {
    command.kill('caller_gone')
    givenUp.resolve()
  }
  await serveSftp(partsOf(command, { send, giveUp }))
  await givenUp.promise
})

test('a program that the image lacks is named', async () => {
  const { command } = standIn(['no dd\0'])
  assert.equal(await serveSftp(partsOf(command, {})), 'SFTP needs the program dd in the container.')
})
