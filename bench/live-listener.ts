/** A STOMP client of the live benchmark, in a thread of its own: notes what each frame shows and counts, and when it arrived. */
import { parentPort, workerData } from 'node:worker_threads'
import { REALTIME_ENDPOINT } from '@gatehouse/contract/realtime'

export interface ListenerTask {
  url: string
  bearer: string
  destination: string
  /** Field by which its rows are told apart; default: their id. */
  key?: string
}

export interface Frame {
  /** Epoch milliseconds when it had arrived and been read. */
  at: number
  /** Bytes of the whole STOMP frame. */
  bytes: number
  /** Ids, or other keys, of its rows, and the number of further records it counts. */
  ids: string[]
  more: number
}

/** `ready` once the subscription is confirmed, then each frame. */
export type ListenerMessage = 'ready' | Frame

const { url, bearer, destination, key = 'id' } = workerData as ListenerTask
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
const post = (message: ListenerMessage): void => parentPort!.postMessage(message)

const socket = new WebSocket(url.replace(/^http/, 'ws') + REALTIME_ENDPOINT, 'v12.stomp')
socket.addEventListener('open', () => socket.send(`CONNECT\naccept-version:1.2\nhost:bench\nAuthorization:Bearer ${bearer}\n\n\0`))
socket.addEventListener('message', ({ data }: { data: string }) => {
  if (data.startsWith('CONNECTED')) return socket.send(`SUBSCRIBE\nid:bench\ndestination:${destination}\nreceipt:bench\n\n\0`)
  if (data.startsWith('RECEIPT')) return post('ready')
  if (!data.startsWith('MESSAGE')) return
  const { rows, more = 0 } = JSON.parse(data.slice(data.indexOf('\n\n') + 2, data.lastIndexOf('\0'))) as {
    rows: Record<string, string>[]
    more?: number
  }
  post({ at: Date.now(), bytes: Buffer.byteLength(data), ids: rows.map((row) => row[key]!), more })
})
setInterval(() => socket.readyState === socket.OPEN && socket.send('\n'), 10_000)
