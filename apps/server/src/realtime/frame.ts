/** Frames of a live topic: as many finished rows as fit, and the number of further ones. */

/** Bytes of a whole STOMP frame. */
export const FRAME_LIMIT = 16_384
/** Bytes reserved for the command, the headers and the count. */
const HEAD_ROOM = 512

export interface LiveFrame {
  /** Rows in the frame plus rows that it only counts. */
  count: number
  /**
   * Return the topic's payload as JSON.
   * @param missed rows of earlier frames that the reader was not sent, counted here
   * @param masking whether the reader sees personal data masked
   */
  body(missed?: number, masking?: boolean): string
}

/** Returns the masked form of a row. */
export type RowMask = (row: unknown) => unknown

/** Return the JSON of the first rows, as many as fit, and their number. */
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
 * Return a frame of the first rows, as many as fit; the rest is counted. The masked body is made for the first reader that needs it.
 *
 * @param uncounted number of rows that are not in `rows`
 * @param mask null where nothing in a row is personal
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
