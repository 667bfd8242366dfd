import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import test from 'node:test'
import { confinedEngine, refusedCalls } from '../../src/engine/confinement.ts'
import { createEngine } from '../../src/engine/create-engine.ts'
import { EngineError } from '../../src/engine/port.ts'
import { profilePath } from '../../src/engine/seccomp.ts'
import { baseImage, containerTemplate, onEveryEngine, shell, startContainer, type TestEngine } from '../engines.ts'

interface Profile {
  readonly defaultAction: string
  readonly syscalls: readonly { readonly names: readonly string[]; readonly action: string; readonly args?: object[] }[]
}

const shipped = JSON.parse(readFileSync(profilePath(null), 'utf8')) as Profile

/** an engine whose profile is another file, made of the shipped one */
async function withProfile(at: TestEngine, text: string, act: (path: string, at: TestEngine) => Promise<void>) {
  const folder = mkdtempSync(join(tmpdir(), 'atelier-seccomp-'))
  const seccompProfile = join(folder, 'profile.json')
  writeFileSync(seccompProfile, text)
  const { socket, instance } = at
  const engine = createEngine({ socket, instance, runtime: null, seccompProfile })
  try {
    await act(seccompProfile, { ...at, engine })
  } finally {
    engine.close()
    rmSync(folder, { recursive: true })
  }
}

const letting = (...names: readonly string[]) =>
  JSON.stringify({ ...shipped, syscalls: [...without(names), { names, action: 'SCMP_ACT_ALLOW' }] })

const without = (names: readonly string[]) =>
  shipped.syscalls.map((rule) => ({ ...rule, names: rule.names.filter((name) => !names.includes(name)) }))

const unconfined = (error: unknown) => error instanceof EngineError && error.fault === 'unconfined'

test('what a container could use against the host is in no list of allowed calls', () => {
  const allowed = shipped.syscalls.flatMap(({ names, action, args }) =>
    action === 'SCMP_ACT_ALLOW' && args === undefined ? names : [],
  )
  assert.ok(allowed.length > 300)
  assert.equal(new Set(allowed).size, allowed.length)
  const kept = `keyctl add_key request_key unshare setns mount umount umount2 pivot_root move_mount open_tree fsopen fsmount fsconfig
    fspick mount_setattr clone clone3 bpf userfaultfd io_uring_setup io_uring_enter io_uring_register perf_event_open syslog reboot
    kexec_load init_module finit_module delete_module open_by_handle_at name_to_handle_at personality socket chroot`
  assert.deepEqual(
    allowed.filter((name) => kept.split(/\s+/).includes(name)),
    [],
  )
  assert.equal(shipped.defaultAction, 'SCMP_ACT_ERRNO')
})

onEveryEngine('every call that the probe tries is refused, in containers and in builds', async ({ engine }) => {
  assert.equal(await engine.confinement(baseImage), undefined)
  assert.deepEqual(await engine.list(), [])
  // the same program in a build, whose root has capabilities, and by an exec
  const probe = readFileSync(`resident/bin/probe-${process.arch === 'arm64' ? 'arm64' : 'amd64'}`).toString('base64')
  for (const kind of ['container', 'build'] as const) {
    const id = await startContainer(engine, { kind, user: '0:0' })
    const script = `echo ${probe} | base64 -d > /tmp/p && chmod +x /tmp/p && /tmp/p; echo $?; unshare -U true || echo no`
    const { stdout } = await shell(engine, id, script, { user: '0:0' })
    assert.equal(stdout, '0\nno\n', refusedCalls[Number.parseInt(stdout) - 1])
  }
})

onEveryEngine('a profile that lets a call through is found by the name of the call', async (at) => {
  for (const name of ['keyctl', 'clone', 'io_uring_setup'])
    await withProfile(at, letting(name), async (_, { engine }) => {
      assert.match((await engine.confinement(baseImage)) ?? '', new RegExp(`the system call ${name}\\b`))
      await assert.rejects(confinedEngine(engine).create(containerTemplate()), unconfined)
    })
  assert.deepEqual(await at.engine.list(), [])
})

onEveryEngine('a profile that is no profile is refused, and containers come once it is mended', async (at) => {
  await withProfile(at, '{"no": "profile"', async (path, { engine }) => {
    const confined = confinedEngine(engine)
    assert.match((await confined.confinement(baseImage)) ?? '', /cannot use the seccomp profile .*profile\.json/)
    await assert.rejects(confined.create(containerTemplate()), unconfined)
    writeFileSync(path, JSON.stringify(shipped))
    const template = containerTemplate()
    await confined.create(template)
    assert.deepEqual(
      (await engine.list()).map(({ id }) => id),
      [template.id],
    )
  })
})
