/** What one frame of a live topic carries: as many ready rows as fit, and how many more there are. */

/** Bytes of a whole STOMP frame. */
export const FRAME_LIMIT = 16_384
/** Left free for the command, the headers and the count. */
const HEAD_ROOM = 512

export interface LiveFrame {
  /** Rows it carries and rows it only counts. */
  count: number
  /**
   * JSON as the topic's payload.
   * @param missed rows of earlier frames that the reader was not sent, counted here
   * @param masking whether the reader sees personal data masked
   */
  body(missed?: number, masking?: boolean): string
}

/** What a reader is shown of a row instead. */
export type RowMask = (row: unknown) => unknown

/** JSON of the first rows, as many as fit, and how many those are. */
function listOf(rows: readonly unknown[]): { text: string; taken: number } {
  const taken: string[] = []
  let bytes = '{"rows":[]}'.length
  for (const row of rows) {
    const text = JSON.stringify(row)
    bytes += Buffer.byteLength(text) + 1
    if (bytes > FRAME_LIMIT - HEAD_ROOM) break
    taken.push(text)
  }
  return { text: `"rows":[${taken.join(',')}]`, taken: taken.length }
}

/**
 * A frame of the first rows, as many as fit; the rest is counted. The masked one is made when the first reader needs it.
 *
 * @param uncounted rows that are not even among `rows`
 * @param mask null where nothing of a row is personal
 */
export function frameOf(rows: readonly unknown[], uncounted = 0, mask: RowMask | null = null): LiveFrame {
  const plain = listOf(rows)
  let masked: typeof plain | undefined
  return {
    count: rows.length + uncounted,
    body(missed = 0, masking = false) {
      const { text, taken } = masking && mask !== null ? (masked ??= listOf(rows.map(mask))) : plain
      const more = rows.length - taken + uncounted + missed
      return more === 0 ? `{${text}}` : `{${text},"more":${more}}`
    },
  }
}
