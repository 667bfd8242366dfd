import assert from 'node:assert/strict'
import test from 'node:test'
import type { ContainerTemplate, EngineInfo } from '../../src/engine/port.ts'
import { containerBody, execBody, networkBody, volumeHolderBody } from '../../src/engine/template.ts'
import { containerTemplate } from '../engines.ts'

const info = (dialect: 'podman' | 'docker'): EngineInfo => ({
  dialect,
  version: '1',
  keepsAliveWithoutShell: dialect === 'podman',
  userNamespaces: dialect === 'podman',
  hasOwnKernel: false,
  takesRuntime: true,
  storage: '/nowhere',
  architecture: 'amd64',
})

const marks = { 'atelier.instance': 'main', 'atelier.id': 'ct_1', 'atelier.kind': 'container' }

/** every body that the switches of a template can bring about */
function* bodies() {
  for (const dialect of ['podman', 'docker'] as const)
    for (const kind of ['container', 'build'] as const)
      for (const readOnlyRootfs of [false, true])
        for (const network of ['none', 'egress'] as const)
          for (const workingDir of ['/home/u', '/tmp', '/', '/proc/x', '/../proc'])
            for (const runtime of [null, 'runsc'])
              for (const more of [{}, { volumesFrom: 'ct_1-volume' }, { isResident: true }]) {
                const template: ContainerTemplate = containerTemplate({
                  id: 'ct_1',
                  kind,
                  readOnlyRootfs,
                  network,
                  workingDir,
                })
                const bounds = { seccomp: 'seccomp=profile' }
                const plan = { template, argv: ['a'], marks, info: info(dialect), runtime, ...bounds, ...more }
                yield { ...plan, body: containerBody(plan) }
              }
}

const sent = (key: 'Config' | 'HostConfig') => {
  const names = new Set<string>()
  for (const { body } of bodies())
    for (const name of Object.keys(key === 'Config' ? body : body.HostConfig)) names.add(name)
  return [...names].sort()
}

test('a container is asked for with these members and no others', () => {
  assert.deepEqual(sent('Config'), [
    'AttachStdin',
    'Cmd',
    'Entrypoint',
    'Env',
    'Healthcheck',
    'HostConfig',
    'Image',
    'Labels',
    'OpenStdin',
    'StdinOnce',
    'StopSignal',
    'StopTimeout',
    'User',
    'Volumes',
    'WorkingDir',
  ])
  assert.deepEqual(sent('HostConfig'), [
    'CapAdd',
    'CapDrop',
    'CgroupnsMode',
    'Init',
    'IpcMode',
    'LogConfig',
    'Memory',
    'MemorySwap',
    'NanoCpus',
    'NetworkMode',
    'PidsLimit',
    'ReadonlyRootfs',
    'RestartPolicy',
    'Runtime',
    'SecurityOpt',
    'ShmSize',
    'Tmpfs',
    'Ulimits',
    'UsernsMode',
    'VolumesFrom',
  ])
})

test('a command, a network and the holder of a volume are asked for with these members and no others', () => {
  const exec = { container: 'ct_1', argv: ['a'], env: { A: 'b' }, workingDir: '/', user: '0:0', input: true }
  assert.deepEqual(Object.keys(execBody({ ...exec, tty: { columns: 1, rows: 1 } })).sort(), [
    'AttachStderr',
    'AttachStdin',
    'AttachStdout',
    'Cmd',
    'Env',
    'Tty',
    'User',
    'WorkingDir',
  ])
  assert.deepEqual(Object.keys(networkBody('ct_1', marks)).sort(), ['CheckDuplicate', 'Driver', 'Labels', 'Name'])
  const holder = volumeHolderBody('i', '/w', marks)
  assert.deepEqual(Object.keys(holder).sort(), ['Cmd', 'Entrypoint', 'HostConfig', 'Image', 'Labels', 'Volumes'])
  assert.deepEqual(holder.HostConfig, { CapDrop: ['ALL'], SecurityOpt: ['no-new-privileges'], NetworkMode: 'none' })
})

test('every container is confined, whatever its switches are', () => {
  for (const { template, body, info, runtime, isResident = false } of bodies()) {
    const { HostConfig } = body
    const isBuild = template.kind === 'build'
    const powers = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'SETUID', 'SETGID']
    assert.deepEqual(HostConfig.CapDrop, ['ALL'])
    assert.deepEqual(HostConfig.CapAdd, isBuild ? powers : undefined)
    assert.deepEqual(HostConfig.SecurityOpt, ['no-new-privileges', 'seccomp=profile'])
    assert.equal(HostConfig.NetworkMode, template.network === 'none' ? 'none' : 'ct_1')
    const isApart = info.dialect === 'podman' && !isBuild
    assert.equal(HostConfig.UsernsMode, isApart ? 'auto:size=1024' : undefined)
    assert.deepEqual([HostConfig.Memory, HostConfig.MemorySwap], [128 * 1024 ** 2, 128 * 1024 ** 2])
    assert.deepEqual([HostConfig.NanoCpus, HostConfig.PidsLimit, HostConfig.Init], [500_000_000, 64, !isResident])
    const ulimits = HostConfig.Ulimits.map(({ Name, Soft, Hard }) => [Name, Soft === Hard, Hard])
    assert.deepEqual(ulimits, [
      ['nofile', true, 4096],
      ['nproc', true, isApart ? 1024 : 4_096],
      ['fsize', true, 64 * 1024 ** 2],
      ['core', true, 0],
    ])
    assert.deepEqual([HostConfig.LogConfig.Type, HostConfig.RestartPolicy.Name], ['none', 'no'])
    assert.equal(HostConfig.Runtime, runtime ?? undefined)
    assert.deepEqual(body.Labels, marks)
    assert.deepEqual([body.OpenStdin, body.AttachStdin], isResident ? [true, true] : [undefined, undefined])
  }
})

test('nothing is mounted over the root, /proc, /sys, /dev or /run', () => {
  for (const { body, template } of bodies()) {
    const isAllowed = ['/home/u', '/tmp'].includes(template.workingDir)
    if (!isAllowed) assert.equal(body.Volumes, undefined, template.workingDir)
  }
})
