// The hostile callers, each with an account of its own. Each repeats its attack until its signal, within bounds that a test machine can bear.
import type { Caller } from './caller.ts'

export type Attack = (caller: Caller) => Promise<void>

const tail = (json: unknown) => {
  const body = JSON.stringify(json)
  return { more: `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`, body }
}

const openWith = ({ head, open }: Caller, path: string, json: unknown) => {
  const { more, body } = tail(json)
  return open(head('POST', path, more) + body)
}

async function unreadCommands(caller: Caller) {
  const containerId = await caller.container()
  const script = 'head -c 1000000 /dev/zero | tr "\\0" "\\1" | tee /dev/stderr'
  await caller.repeat(50, () => {
    if (caller.openSockets() < 70)
      openWith(caller, '/containers/exec', { containerId, command: ['/bin/sh', '-c', script] })
  })
}

async function unreadLogs(caller: Caller) {
  const dockerfile = 'FROM busybox\nRUN yes 0123456789012345678901234567890123456789 | head -c 8000000'
  const { json } = await caller.call('POST', '/images', { name: 'log', dockerfile })
  await caller.repeat(50, () => {
    if (caller.openSockets() < 140) caller.open(caller.head('GET', `/images/${json.id}/logs`))
  })
}

/** deleted containers stay listed with their long commands */
async function longListings(caller: Caller) {
  for (let made = 0; made < 20 && !caller.signal.aborted; made++) {
    const id = await caller.container({ command: ['/bin/sleep', '600', 'x'.repeat(120_000)] })
    await caller.call('DELETE', `/containers?id=${id}`)
  }
  await caller.repeat(50, () => {
    if (caller.openSockets() < 40) caller.open(caller.head('GET', '/containers?status=deleted&limit=200'))
  })
}

async function diskFiller(caller: Caller) {
  await caller.repeat(500, async () => {
    const id = await caller.container({ limits: { diskMiB: 64 } })
    await caller.exec(id, 'dd if=/dev/zero of=/tmp/big bs=1M count=512')
    await caller.call('DELETE', `/containers?id=${id}`)
  })
}

async function inodeFiller(caller: Caller) {
  await caller.repeat(500, async () => {
    const id = await caller.container({ limits: { diskMiB: 64 } })
    await caller.exec(id, 'mkdir /tmp/d; cd /tmp/d; i=0; while [ $i -lt 50000 ]; do : > $i; i=$((i+1)); done')
    await caller.call('DELETE', `/containers?id=${id}`)
  })
}

async function copyBombs(caller: Caller) {
  let built = 0
  const lines = ['FROM busybox', 'RUN dd if=/dev/zero of=/a bs=1M count=300', 'RUN mkdir /d; i=0; while [ $i -lt 500 ]; do ln /a /d/$i; i=$((i+1)); done', 'RUN cp -r /d /e'] // prettier-ignore
  await caller.repeat(2_000, () =>
    caller.call('POST', '/images', { name: `bomb${built++}`, dockerfile: lines.join('\n') }),
  )
}

async function fifoSwaps(caller: Caller) {
  const id = await caller.container()
  const swap =
    'while :; do rm -f /tmp/f; mkfifo /tmp/f; rm -f /tmp/f; ln -s /proc/1/environ /tmp/f; rm -f /tmp/f; echo a > /tmp/f; done'
  await Promise.all([
    caller.repeat(0, () => caller.exec(id, swap)),
    caller.repeat(20, () => caller.call('GET', `/containers/files?containerId=${id}&path=/tmp/f`)),
  ])
}

async function keylessFlood(caller: Caller) {
  const text = 'GET /containers HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(32)
  await caller.repeat(10, () => {
    for (let opened = 0; opened < 20 && caller.openSockets() < 600; opened++) {
      const socket = caller.open(text)
      socket.once('data', () => socket.destroy())
    }
  })
}

async function halfBodies(caller: Caller) {
  const form = 'content-type: multipart/form-data; boundary=b\r\ncontent-length: 90000000\r\n'
  const json = 'content-type: application/json\r\ncontent-length: 1000000\r\n'
  let opened = 0
  await caller.repeat(30, () => {
    if (caller.openSockets() >= 200) return
    const isForm = opened++ % 2 === 0
    const part = '--b\r\ncontent-disposition: form-data; name="spec"\r\n\r\n'
    caller.open(caller.head('POST', '/images', isForm ? form : json) + (isForm ? part : '') + '{"a":'.repeat(40_000))
  })
}

/** through the proxy of the service, which refuses the host after its lookup */
async function egressFlood(caller: Caller) {
  const id = await caller.container({ egress: { hosts: ['localhost'] } })
  const request = 'GET http://localhost/ HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n'
  const script = `yes "$(printf '${request}')" | head -n 90000 | nc 127.0.0.1 3128 > /dev/null`
  await caller.repeat(100, () => caller.exec(id, script))
}

export const attackers: Readonly<Record<string, Attack>> = {
  'unread commands': unreadCommands,
  'unread build logs': unreadLogs,
  'long listings': longListings,
  'disk filler': diskFiller,
  'inode filler': inodeFiller,
  'copy bombs': copyBombs,
  'fifo swaps': fifoSwaps,
  'keyless flood': keylessFlood,
  'half bodies': halfBodies,
  'egress flood': egressFlood,
}
