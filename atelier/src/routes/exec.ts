// Route 2: commands in a container.
import { type Answer, answered, type RouteRequest } from '../api/route.ts'
import { problemOf } from '../../../base/web/failure.ts'
import { asSent } from '../../../base/web/reply.ts'
import { Problem as BaseProblem } from '../../../base/core/problem.ts'
import { checkArgv, checkDirectory, checkEnv, userOf } from '../containers/wish.ts'
import type { Command } from '../exec/command.ts'
import { type CommandWish, watchCommand } from '../exec/commands.ts'
import { cutMarks, finish } from '../exec/finish.ts'
import { collect, type OutputEncoding, piecesOf } from '../exec/result.ts'
import { runOn } from '../exec/run-on.ts'
import { LineWriter, sendOutput } from '../exec/stream.ts'
import { invalid } from '../problems.ts'
import type { ContainerRecord } from '../store/container-rows.ts'
import { commandSchema, directorySchema, envSchema, idSchema, orNull, userSchema } from './schemas.ts'
import { sendFollowed } from './follow-command.ts'
import { defineRoute, type Service } from './service.ts'

const mebibyte = 1024 * 1024
const standardTimeoutSeconds = 60
const ndjson = 'application/x-ndjson'

interface ExecBody {
  readonly containerId: string
  readonly command: readonly string[]
  readonly workingDir?: string | null
  readonly env?: Readonly<Record<string, string>>
  readonly user?: string | null
  readonly stdin?: string | null
  readonly stdinEncoding?: OutputEncoding
  readonly outputEncoding?: OutputEncoding
  readonly timeoutSeconds?: number
  readonly maxOutputBytes?: number
  readonly detach?: boolean
  readonly onDisconnect?: (typeof disconnects)[number]
}

const encodings = ['utf8', 'base64'] as const
const disconnects = ['kill', 'keep'] as const

const execSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['containerId', 'command'],
  properties: {
    containerId: idSchema,
    command: commandSchema,
    workingDir: orNull(directorySchema),
    env: envSchema,
    user: orNull(userSchema),
    stdin: { type: ['string', 'null'], description: 'Standard input, at most 1 MiB; then its end.' },
    stdinEncoding: { type: 'string', enum: encodings },
    outputEncoding: { type: 'string', enum: encodings },
    timeoutSeconds: { type: 'integer', minimum: 1, maximum: 3_600, default: standardTimeoutSeconds },
    maxOutputBytes: { type: 'integer', minimum: 1, maximum: mebibyte, default: mebibyte },
    detach: {
      type: 'boolean',
      description:
        'Answer at once, and let the command run on. Addition to the contract: its output is kept in memory and can be followed by GET /containers/exec.',
    },
    onDisconnect: {
      type: 'string',
      enum: disconnects,
      default: 'kill',
      description:
        'Addition to the contract, for `application/x-ndjson`. With `keep` the command runs on as a detached one when the caller goes: GET /containers/exec follows it. It then has a timeout only if `timeoutSeconds` is given, and a caller who reads slowly loses the oldest lines.',
    },
  },
} as const

function readInput({ stdin = null, stdinEncoding = 'utf8' }: ExecBody): Buffer | undefined {
  if (stdin === null) return undefined
  const bytes = Buffer.from(stdin, stdinEncoding)
  if (stdinEncoding === 'base64' && bytes.toString('base64') !== stdin)
    throw invalid('stdin', 'must be base64 with padding')
  if (bytes.length > mebibyte) throw invalid('stdin', `must have at most ${mebibyte} bytes`)
  return bytes
}

type Started = Awaited<ReturnType<Service['commands']['start']>>

function wishOf(body: ExecBody, hasInput: boolean): CommandWish {
  const { command: argv, env = {}, workingDir, user, detach = false, onDisconnect } = body
  const isDetached = detach || onDisconnect === 'keep'
  return { argv, env, workingDir, user: user ? userOf(user) : undefined, hasInput, isDetached }
}

function checkBody(body: ExecBody, isStream: boolean) {
  checkArgv(body.command)
  checkEnv(body.env)
  checkDirectory('workingDir', body.workingDir)
  if (body.onDisconnect === 'keep' && body.detach) throw invalid('onDisconnect', 'must be absent with detach')
  if (body.onDisconnect === 'keep' && !isStream)
    throw invalid('onDisconnect', `can be keep only with Accept: ${ndjson}`)
  if (!body.detach) return
  if (typeof body.stdin === 'string') throw invalid('stdin', 'must be null with detach')
  if (body.timeoutSeconds !== undefined) throw invalid('timeoutSeconds', 'must be absent with detach')
}

const pieceBytes = 64 * 1024

async function sendInput(command: Command, input: Buffer) {
  for (let at = 0; at < input.length; at += pieceBytes) await command.write(input.subarray(at, at + pieceBytes))
  command.endInput()
}

const mostAtOnce = 64 * 1024

async function answerWhole(
  command: Command,
  record: ContainerRecord,
  { body, exchange }: RouteRequest<unknown, ExecBody>,
  service: Service,
): Promise<typeof answered> {
  const { maxOutputBytes = mebibyte, outputEncoding = 'utf8' } = body
  const holding = service.unsent.hold(record.account)
  exchange.onClose(holding.free)
  const { stdout, stderr, failure } = await collect(command.output(), maxOutputBytes, holding)
  const end = await finish(command, record.id, failure, service)
  const result = { execId: command.id, ...end, stdout, stderr, isCut: command.isCut, outputEncoding }
  const length = stdout.bytes.length + stderr.bytes.length
  // the command has ended, but its caller may read slowly
  if (length > mostAtOnce) void exchange.sendPieces(piecesOf(result), length)
  else exchange.send(200, asSent(...piecesOf(result)))
  return answered
}

async function answerLines(
  command: Command,
  record: ContainerRecord,
  { exchange, body }: RouteRequest<unknown, ExecBody>,
  service: Service,
): Promise<typeof answered> {
  exchange.startStream(ndjson)
  const lines = new LineWriter(exchange.res)
  try {
    await lines.send({ type: 'start', execId: command.id, at: new Date().toISOString() })
    const { failure, ...counts } = await sendOutput(lines, command.output(), {
      encoding: body.outputEncoding ?? 'utf8',
      mostBytes: service.limits.execOutputBytes,
      tooMuch: () => command.kill('output_limit'),
      killed: command.killed,
    })
    const end = await finish(command, record.id, failure, service)
    lines.end({ type: 'exit', ...end, ...counts, ...(command.isCut && cutMarks) })
  } catch (error) {
    const problem = problemOf(error, exchange.id, service.observe)
    exchange.record.code = problem.code
    lines.end({ type: 'error', error: BaseProblem.present(problem, exchange.id) })
  }
  return answered
}

async function answerEnd(
  { command, release }: Started,
  record: ContainerRecord,
  request: RouteRequest<unknown, ExecBody>,
  isStream: boolean,
  service: Service,
): Promise<Answer | typeof answered> {
  const { body, signal } = request
  const { timeoutSeconds = standardTimeoutSeconds } = body
  const leftMs = record.expiresAt - service.now()
  const unwatch = watchCommand(command, { timeoutMs: Math.max(0, Math.min(timeoutSeconds * 1_000, leftMs)), signal })
  try {
    return isStream
      ? await answerLines(command, record, request, service)
      : await answerWhole(command, record, request, service)
  } finally {
    unwatch()
    // its row stays until the next start if the store is away; nobody waits for it
    release().catch(() => {})
  }
}

/** It goes on without its caller: detached at once, or followed until the caller goes. */
async function keep(
  { command, release }: Started,
  { id: container, account }: ContainerRecord,
  { body, exchange, signal }: RouteRequest<unknown, ExecBody>,
  service: Service,
): Promise<Answer | typeof answered> {
  const { outputEncoding: encoding = 'utf8', timeoutSeconds = Infinity, detach = false } = body
  const options = { encoding, account, container, requestId: exchange.id, timeoutMs: timeoutSeconds * 1_000 }
  const kept = runOn(command, options, release, service)
  if (detach) return { status: 202, body: { execId: command.id } }
  // the end of a key ends what it runs, as long as it is connected
  const leave = () => (signal.reason as { code?: string }).code === 'unauthorized' && command.kill('key_ended')
  signal.addEventListener('abort', leave, { once: true })
  if (signal.aborted) leave()
  return sendFollowed(exchange, kept, { after: 0, signal })
}

export const runCommand = defineRoute<{}, ExecBody>({
  method: 'POST',
  path: '/containers/exec',
  operationId: 'runCommand',
  tag: 'containers',
  summary: 'Run a command in a container',
  description:
    'Answers when the command has ended. With `Accept: application/x-ndjson` the output is sent as it comes, one JSON object for each line; the last one is `exit` or `error`.',
  credential: 'key',
  scope: 'exec',
  body: {
    schema: execSchema,
    mostBytes: 3 * mebibyte,
    example: { containerId: 'ct_…', command: ['sh', '-c', 'make test'] },
  },
  answers: {
    200: [
      { json: 'ExecResult', description: 'It has ended; also with another exit code than 0.' },
      { media: ndjson, description: 'Its output as it comes.' },
    ],
    202: { json: 'DetachedExec', description: 'It runs on by itself.' },
  },
  refusals: [
    'container_not_found',
    'container_not_running',
    'exec_start_failed',
    'exec_limit',
    'exec_outcome_unknown',
    'no_capacity',
    'engine_error',
    'engine_unavailable',
    'engine_timeout',
  ],
  async run(request, service) {
    const { caller, body, exchange } = request
    const isStream = (exchange.req.headers.accept ?? '').includes(ndjson)
    checkBody(body, isStream)
    const input = readInput(body)
    const closed = new Promise<void>((ok) => exchange.onClose(ok))
    const record = await service.containers.running(caller.account, body.containerId)
    exchange.record.target = record.id
    const wish = wishOf(body, input !== undefined)
    if (!isStream && !wish.isDetached) service.unsent.check(record.account, 2 * (body.maxOutputBytes ?? mebibyte))
    const started = await service.commands.start(record, wish.isDetached ? wish : { ...wish, answered: closed })
    if (input) void sendInput(started.command, input)
    return wish.isDetached
      ? keep(started, record, request, service)
      : answerEnd(started, record, request, isStream, service)
  },
})
