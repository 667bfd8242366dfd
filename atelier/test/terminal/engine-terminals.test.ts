// What a terminal is on a real engine: a tty with its size, its user and its signals; and nothing is left when its client goes.
import assert from 'node:assert/strict'
import { until } from '../../../base/test/until.ts'
import { onGateway } from '../ssh/rig.ts'
import { connectTerminal } from './client.ts'

onGateway(
  'a terminal is a tty of the container, and takes all its processes along when its client goes',
  async (rig) => {
    const { text: key } = await rig.makeKey()
    const container = await rig.make()
    const one = await connectTerminal(rig.url, `containerId=${container}&columns=91&rows=23`, { key })
    one.type('tty; id -u; echo size $(stty size); echo $TERM; pwd\r')
    for (const shown of ['/dev/pts/', '\r\n1000\r\n', 'size 23 91\r\n', 'xterm-256color\r\n', '/home/u\r\n'])
      await one.shows(shown)
    for (let rows = 1; rows <= 500; rows++) one.tell({ type: 'resize', columns: 77, rows })
    // the last size arrives, and a size is asked for again while it is on its way
    await until(async () => {
      one.type('echo now $(stty size)\r')
      await new Promise((ok) => setTimeout(ok, 50))
      return one.output().includes('now 500 77\r\n')
    }, 30_000)
    one.type('sleep 7771 & sleep 7771\r')
    await until(() => rig.alive(container, 'sleep 7771'), 30_000)
    one.type('\u0003')
    one.type('echo caught $((6*7))\r')
    await one.shows('caught 42')
    assert.ok(await rig.alive(container, 'sleep 7771'), 'the one in the background')
    one.ws.terminate()
    await until(async () => !(await rig.alive(container, 'sleep 7771')), 30_000)
    const two = await connectTerminal(rig.url, `containerId=${container}`, { key })
    two.type('exit 5\r')
    assert.equal((await two.closed).code, 1000)
    assert.deepEqual([two.said.at(-1)?.type, two.said.at(-1)?.['exitCode']], ['exit', 5])
  },
)

onGateway('bytes pass a terminal whole, at the pace of the slower side', async (rig) => {
  const { text: key } = await rig.makeKey()
  const container = await rig.make()
  const one = await connectTerminal(rig.url, `containerId=${container}`, { key })
  // a client that does not read holds the command up, and nothing is lost
  one.type('stty raw -echo; echo be"g"un; head -c 20000000 /dev/zero; touch /tmp/done; echo o"v"er\r')
  await one.shows('begun')
  one.ws.pause()
  const command = ['test', '-e', '/tmp/done']
  for (let at = 0; at < 3; at++)
    assert.equal((await rig.call('/containers/exec', { containerId: container, command })).body.exitCode, 1)
  one.ws.resume()
  await until(() => one.bytes() > 20_000_000, 30_000)
  await one.shows('over')
  assert.ok(one.output().includes('\0'.repeat(20_000_000)))
  const input = 'y'.repeat(50_000)
  one.type('head -c 1000000 | tr -d "\\n" | wc -c\n')
  for (let at = 0; at < 20; at++) one.type(input)
  await one.shows('1000000')
  one.ws.close()
  assert.equal((await one.closed).code, 1005)
})
