/** What one frame of a live topic carries: as many ready rows as fit, and how many more there are. */

/** Bytes of a whole STOMP frame. */
export const FRAME_LIMIT = 16_384
/** Left free for the command, the headers and the count. */
const HEAD_ROOM = 512

export interface LiveFrame {
  /** Rows it carries and rows it only counts. */
  count: number
  /** JSON as the topic's payload. @param missed rows of earlier frames that the reader was not sent, counted here */
  body(missed?: number): string
}

/** A frame of the first rows, as many as fit; the rest is counted. @param uncounted rows that are not even among `rows` */
export function frameOf(rows: readonly unknown[], uncounted = 0): LiveFrame {
  const taken: string[] = []
  let bytes = '{"rows":[]}'.length
  for (const row of rows) {
    const text = JSON.stringify(row)
    bytes += Buffer.byteLength(text) + 1
    if (bytes > FRAME_LIMIT - HEAD_ROOM) break
    taken.push(text)
  }
  const list = `"rows":[${taken.join(',')}]`
  const rest = rows.length - taken.length + uncounted
  return {
    count: taken.length + rest,
    body: (missed = 0) => (rest + missed === 0 ? `{${list}}` : `{${list},"more":${rest + missed}}`),
  }
}
