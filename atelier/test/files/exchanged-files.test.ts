// A file that becomes something else while it is read: the attack is made between the check and the read.
import assert from 'node:assert/strict'
import { onEveryWay, type TestWay } from '../engines.ts'
import { filesOn, refusal } from './rig.ts'

/** the engine's archive call, which a FIFO would hold up for ever, may not be used at all */
function withoutArchiveCall(on: TestWay) {
  on.engine.getArchive = async () => {
    throw new Error('the archive call of the engine was used')
  }
}

/** runs a script once, after the path was looked at */
function exchangeAfterLook({ engine }: TestWay, path: string, script: () => Promise<unknown>) {
  const { stat } = engine
  let isDone = false
  engine.stat = async (container, asked) => {
    const state = await stat(container, asked)
    if (asked === path && !isDone) {
      isDone = true
      await script()
    }
    return state
  }
}

const ways = ['resident'] as const

onEveryWay(
  'a file that becomes a FIFO while it is read is refused, and its container can be removed',
  async (on) => {
    withoutArchiveCall(on)
    const { get, out, container } = await filesOn(on)
    await out('echo x >/tmp/f')
    exchangeAfterLook(on, '/tmp/f', () => out('rm /tmp/f; mkfifo /tmp/f'))
    await assert.rejects(get('/tmp/f'), refusal('not_regular'))
    await on.engine.remove(container)
    assert.equal(await on.engine.state(container), undefined)
  },
  { ways },
)

onEveryWay(
  'a file that becomes a link while it is read is not followed, and nor is one of a tree',
  async (on) => {
    withoutArchiveCall(on)
    const { get, getTree, out } = await filesOn(on)
    await out('mkdir /tmp/t; echo x >/tmp/t/f; mkfifo /tmp/t/p; ln -s /sys/kernel /tmp/t/s')
    assert.ok((await getTree('/tmp/t')).length > 0)
    exchangeAfterLook(on, '/tmp/t/f', () => out('rm /tmp/t/f; ln -s /etc/passwd /tmp/t/f'))
    await assert.rejects(get('/tmp/t/f'), refusal('not_regular'))
  },
  { ways },
)

onEveryWay(
  'a file is given whatever its mode and its owner are, and keeps both',
  async (on) => {
    withoutArchiveCall(on)
    const { get, getTree, out, put } = await filesOn(on)
    await put('/tmp/none', 'of mode 0', { mode: 0 })
    await out('mkdir /tmp/t /tmp/t/shut; echo deep >/tmp/t/shut/f; chmod 0 /tmp/t/shut')
    await out('echo of root >/tmp/root; chmod 600 /tmp/root', '0:0')
    await out('chmod 777 /tmp/t')
    await out('umask 077; mkdir -p /tmp/t/own; echo in >/tmp/t/own/f; echo file >/tmp/t/file', '7:7')
    assert.equal((await get('/tmp/none')).content.toString(), 'of mode 0')
    assert.equal(await out('stat -c %a /tmp/none'), '0\n')
    assert.equal((await get('/tmp/root')).content.toString(), 'of root\n')
    assert.equal((await get('/tmp/t/own/f')).content.toString(), 'in\n')
    const tree = (await getTree('/tmp/t')).toString('latin1')
    for (const part of ['shut/f', 'deep\n', 'own/f', 'in\n', 'file\n']) assert.ok(tree.includes(part), part)
    assert.equal(await out('stat -c %a /tmp/t/shut'), '0\n')
  },
  { ways },
)

onEveryWay(
  'what is read is read by no engine, also where the reader leaves early, and its program ends',
  async (on) => {
    withoutArchiveCall(on)
    const { files, at, signal, out, container } = await filesOn(on)
    await out('head -c 40000000 /dev/zero >/tmp/big')
    const before = await on.engine.processes(container)
    const { body } = await files.getFile(at('/tmp/big'), signal)
    body.destroy()
    while ((await on.engine.processes(container)) > before) continue
    await assert.rejects(files.getFile(at('/tmp/gone'), signal), refusal('file_not_found'))
  },
  { ways },
)

onEveryWay(
  'a reader that a program of its user stops is killed when its caller leaves',
  async (on) => {
    withoutArchiveCall(on)
    const { files, at, signal, out, container } = await filesOn(on)
    await out('mkdir /tmp/t; head -c 40000000 /dev/zero >/tmp/t/big')
    const before = await on.engine.processes(container)
    const tree = await files.getTree(at('/tmp/t'), signal)
    const stop = 'case $(tr "\\0" " " <$d/cmdline) in *[a]rchive\\ /tmp/t*) kill -STOP ${d#/proc/}; echo stopped;; esac'
    assert.equal(await out(`for d in /proc/[0-9]*; do ${stop}; done 2>/dev/null; true`), 'stopped\n')
    signal.abort(new Error('gone'))
    tree.destroy()
    while ((await on.engine.processes(container)) > before) continue
  },
  { ways },
)
