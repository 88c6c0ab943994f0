/** Frames of STOMP 1.2 as text. */
import { FrameImpl, Parser } from '@stomp/stompjs'
import { FRAME_LIMIT } from './frame.ts'

export const textOf = (command: string, headers: Record<string, string>, body = ''): string =>
  String(FrameImpl.marshall({ command, headers, body, escapeHeaderValues: true }))

/**
 * Return a function that reads chunks of a connection.
 * @param take receives each frame
 * @param fail receives a reason when a chunk cannot be read
 */
export function createFrameReader(
  take: (command: string, headers: Record<string, string>) => void,
  fail: (reason: string) => void,
): (chunk: Buffer) => void {
  /** Bytes of the present, incomplete frame. */
  let unfinished = 0
  const parser = new Parser(
    (raw) => {
      unfinished = 0
      const { command, headers } = FrameImpl.fromRawFrame(raw, true)
      take(command, headers as Record<string, string>)
    },
    () => {
      unfinished = 0
    },
  )
  return (chunk) => {
    // Checked before parsing: a frame in many chunks must not be longer than one in a single chunk.
    unfinished += chunk.length
    if (unfinished > 2 * FRAME_LIMIT) return fail('frame too large')
    try {
      parser.parseChunk(chunk.toString())
    } catch {
      fail('malformed frame')
    }
  }
}
