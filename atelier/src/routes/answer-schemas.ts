// The schemas of answers, by name.
import {
  anyObject,
  listOf,
  moment,
  momentOrNull,
  object,
  pageOf,
  partly,
  text,
  textOrNull,
  whole,
  yes,
} from '../../../base/operations/schema.ts'
import { scopes } from '../accounts/scopes.ts'
import type { Schemas } from '../api/route.ts'
import { containerStatuses, statusReasons } from '../store/container-rows.ts'
import { imageStatuses } from '../store/image-rows.ts'

const flag = { type: 'boolean' }
const nullable = (schema: object) => ({ anyOf: [schema, { type: 'null' }] })
const number = { type: 'number' }
const wholeOrNull = { type: ['integer', 'null'] }
const texts = listOf(text)
const textsOrNull = { type: ['array', 'null'], items: text }
const map = { type: 'object', additionalProperties: text }
const named = object({ id: text, name: text })

const key = {
  id: text,
  name: text,
  prefix: text,
  scopes: listOf({ type: 'string', enum: scopes }),
  createdAt: moment,
  createdBy: text,
  lastUsedAt: momentOrNull,
  expiresAt: momentOrNull,
  revokedAt: momentOrNull,
}

export const answerSchemas: Schemas = {
  Health: object({ status: text }),
  Readiness: { type: 'object', required: ['status'], properties: { status: text, checks: map } },
  Container: partly(
    {
      id: text,
      name: textOrNull,
      status: { type: 'string', enum: containerStatuses },
      statusReason: nullable({ type: 'string', enum: statusReasons }),
      exitCode: wholeOrNull,
      image: named,
      command: textsOrNull,
      workingDir: text,
      user: text,
      envNames: texts,
      labels: map,
      limits: object({ cpu: number, memoryMiB: whole, pids: whole, diskMiB: whole }),
      network: { type: 'string', enum: ['none', 'egress'] },
      readOnlyRootfs: flag,
      createdAt: moment,
      startedAt: momentOrNull,
      lastActivityAt: moment,
      expiresAt: moment,
      idleTimeoutSeconds: wholeOrNull,
      deletedAt: momentOrNull,
    },
    {
      egress: object({ hosts: texts }),
      secrets: { type: 'object', additionalProperties: object({ hosts: texts, header: text }) },
    },
  ),
  ContainerPage: object(pageOf('Container')),
  DeletedContainer: object({ id: text, status: text, deletedAt: moment }),
  ExecResult: object({
    execId: text,
    exitCode: { type: 'integer' },
    signal: textOrNull,
    timedOut: flag,
    oomKilled: nullable(yes),
    durationMs: whole,
    stdout: text,
    stderr: text,
    stdoutTruncated: flag,
    stderrTruncated: flag,
    outputEncoding: { type: 'string', enum: ['utf8', 'base64'] },
  }),
  DetachedExec: object({ execId: text }),
  WrittenFile: {
    type: 'object',
    required: ['path', 'sizeBytes'],
    properties: { path: text, sizeBytes: whole, sha256: text, mode: text, entries: whole },
  },
  Folder: object({
    path: text,
    entries: listOf(
      object({
        name: text,
        nameBase64: textOrNull,
        type: { type: 'string', enum: ['file', 'directory', 'symlink', 'other'] },
        mode: text,
        sizeBytes: whole,
        modifiedAt: moment,
        isReachable: flag,
      }),
    ),
    total: whole,
    isComplete: flag,
  }),
  Image: object({
    id: text,
    name: text,
    scope: { type: 'string', enum: ['own', 'base'] },
    status: { type: 'string', enum: imageStatuses },
    error: nullable(object({ type: text, message: text, step: wholeOrNull })),
    sizeBytes: wholeOrNull,
    config: object({
      command: textsOrNull,
      entrypoint: textsOrNull,
      workingDir: text,
      user: textOrNull,
      envNames: texts,
      labels: map,
    }),
    baseImage: nullable(named),
    createdAt: moment,
    finishedAt: momentOrNull,
    durationMs: wholeOrNull,
  }),
  ImagePage: object(pageOf('Image')),
  SshSession: object({
    sessionId: text,
    containerId: text,
    host: text,
    port: whole,
    username: text,
    hostKey: text,
    hostKeyFingerprint: text,
    privateKey: textOrNull,
    expiresAt: moment,
    command: text,
  }),
  Key: object(key),
  KeyPage: object(pageOf('Key')),
  CreatedKey: object({ ...key, key: textOrNull }),
  SignInWays: object({ provider: textOrNull }),
  Session: object({ user: object({ id: text, email: text }), csrfToken: text, expiresAt: moment }),
  Subscription: object({
    currency: text,
    plans: listOf(anyObject),
    current: object({
      planId: text,
      limits: { type: 'object', additionalProperties: number },
      usage: object({ containers: whole, memoryMiB: whole, cpu: number, images: whole }),
    }),
  }),
}
