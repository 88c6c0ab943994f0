/** Sends the pictures of records that the server has, one after the other. */
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { createBackoff } from '../async/backoff.ts'
import { ServerRefused, type ServerClient } from './server.ts'
import type { PictureOutbox } from './store.ts'

export interface PictureUplinkOptions {
  pictures: PictureOutbox
  client: ServerClient
  log: (sentence: string) => void
  onProgress: () => void
  random: () => number
}

export interface PictureUplink {
  connected(): void
  disconnected(): void
  /** Send what can be sent, unless sending is already under way. */
  send(): void
  /** Stop; resolves when nothing is being sent any more. */
  stop(): Promise<void>
}

export function createPictureUplink({ pictures, client, log, onProgress, random }: PictureUplinkOptions): PictureUplink {
  const stopping = new AbortController()
  const backoff = createBackoff(2_000, 60_000, random)
  let isConnected = false
  let retry: NodeJS.Timeout | undefined
  let working: Promise<void> | null = null

  async function work(): Promise<void> {
    clearTimeout(retry)
    try {
      for (let picture = next(); picture; picture = next()) {
        await sendOne(picture)
        backoff.reset()
        onProgress()
      }
    } catch {
      if (stopping.signal.aborted) return
      retry = setTimeout(send, backoff.next())
      retry.unref()
    }
  }

  const next = () => (isConnected && !stopping.signal.aborted ? pictures.next() : null)

  async function sendOne({ recordId, image }: { recordId: string; image: Uint8Array }): Promise<void> {
    const file = new Blob([Buffer.from(image)], { type: 'image/webp' })
    try {
      await client.request(deviceProtocolCalls.picture, { params: { id: recordId } }, { file, signal: stopping.signal })
    } catch (error) {
      if (!(error instanceof ServerRefused) || error.credentials) throw error
      log(`The server does not take the picture of record ${recordId} (${error.message}); it is dropped.`)
      return pictures.drop(recordId)
    }
    pictures.sent(recordId)
  }

  function send(): void {
    working ??= work().finally(() => {
      working = null
    })
  }

  return {
    connected() {
      isConnected = true
      send()
    },
    disconnected() {
      isConnected = false
    },
    send,
    async stop() {
      stopping.abort()
      clearTimeout(retry)
      await working
    },
  }
}
