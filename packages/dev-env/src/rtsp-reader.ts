/** Reader of an RTSP connection: requests, with packets of the film between them. */

/** First byte of a packet between requests. */
export const PACKET = 0x24

export interface RtspRequest {
  method: string
  address: string
  headers: ReadonlyMap<string, string>
  body: string
}

interface ReaderEvents {
  onPacket(channel: number, packet: Buffer): void
  onRequest(request: RtspRequest): void
}

/** Return a reader of a connection: requests, with packets between them. */
export function createReader({ onPacket, onRequest }: ReaderEvents): { push(bytes: Buffer): void } {
  let waiting: Buffer = Buffer.alloc(0)

  function takePacket(): boolean {
    if (waiting.length < 4) return false
    const end = 4 + waiting.readUInt16BE(2)
    if (waiting.length < end) return false
    onPacket(waiting[1]!, Buffer.from(waiting.subarray(4, end)))
    waiting = waiting.subarray(end)
    return true
  }

  function takeRequest(): boolean {
    const head = waiting.indexOf('\r\n\r\n')
    if (head < 0) return false
    const [line = '', ...lines] = waiting.subarray(0, head).toString().split('\r\n')
    const headers = new Map(lines.map((each) => [each.split(':')[0]!.toLowerCase(), each.slice(each.indexOf(':') + 1).trim()]))
    const end = head + 4 + Number(headers.get('content-length') ?? 0)
    if (waiting.length < end) return false
    const [method = '', address = ''] = line.split(' ')
    const body = waiting.subarray(head + 4, end).toString()
    waiting = waiting.subarray(end)
    onRequest({ method, address, headers, body })
    return true
  }

  return {
    push(bytes) {
      waiting = Buffer.concat([waiting, bytes])
      while (waiting.length > 0 && (waiting[0] === PACKET ? takePacket() : takeRequest()));
    },
  }
}
