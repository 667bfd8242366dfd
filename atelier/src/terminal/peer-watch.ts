// Finds a peer that is gone without a word: it answers no ping, sends nothing, and takes nothing of what waits for it.
import type { WebSocket } from 'ws'

const mostMissed = 3
/** beyond it a peer that sends pings does not read what it gets: they stay without an answer */
const mostUnreadBytes = 1_048_576

/** the returned function says that the peer lives */
export function watchPeer(ws: WebSocket, everyMs: number): () => void {
  let missed = 0
  const heard = () => void (missed = 0)
  const timer = setInterval(() => {
    // what the service does not read may hold an answer
    if (ws.isPaused) return
    if (missed >= mostMissed) return ws.terminate()
    missed += 1
    ws.ping()
  }, everyMs)
  ws.on('pong', heard)
  ws.on('ping', (data) => {
    heard()
    if (ws.bufferedAmount < mostUnreadBytes) ws.pong(data)
  })
  ws.once('close', () => clearInterval(timer))
  return heard
}
