/**
 * Sends records in order, at least once, then their pictures. A broker's receipt means nothing here: a record is done
 * when the server says that it is stored.
 */
import { deviceProtocolCalls, type RecordsMessage } from '@gatehouse/contract/device/protocol'
import { createBackoff } from './backoff.ts'
import type { Outbox } from './outbox.ts'
import type { PictureOutbox } from './pictures.ts'
import { ServerRefused, type ServerClient } from './server.ts'

/** Records of one message, about 100 kB. */
const BATCH = 200
/** Records sent and not acknowledged at most. */
const WINDOW = 1000

export interface UplinkOptions {
  outbox: Outbox
  pictures: PictureOutbox
  client: ServerClient
  clock: () => number
  log: (sentence: string) => void
  /** Milliseconds without an acknowledgement after which records are sent again. */
  resendAfter?: number
  onProgress: () => void
}

export interface Uplink {
  /** A connection stands: everything the server does not have goes out over it. */
  connected(publish: (message: RecordsMessage) => void): void
  disconnected(): void
  /** A record was stored. */
  recordAdded(): void
  /** A picture was stored. */
  pictureAdded(): void
  acknowledged(epoch: string, ackSeq: number): void
  stop(): void
}

/** The way up of one terminal. */
export function createUplink({ outbox, pictures, client, clock, log, resendAfter = 15_000, onProgress }: UplinkOptions): Uplink {
  let publish: ((message: RecordsMessage) => void) | null = null
  let sentUpTo = new Map<string, number>()
  let unacknowledged = 0
  let resend: NodeJS.Timeout | undefined
  let pictureRetry: NodeJS.Timeout | undefined
  let sendingPictures = false
  const resendBackoff = createBackoff(resendAfter, resendAfter * 8)
  const pictureBackoff = createBackoff(2_000, 60_000)

  function sendRecords(): void {
    if (!publish) return
    while (unacknowledged < WINDOW) {
      const batch = outbox.waiting(sentUpTo, BATCH)
      if (!batch) break
      sentUpTo.set(batch.epoch, batch.records.at(-1)!.seq)
      unacknowledged += batch.records.length
      publish({ epoch: batch.epoch, sentAt: clock(), records: batch.records })
    }
    if (unacknowledged > 0 && !resend) {
      resend = setTimeout(sendAgain, resendBackoff.next())
      resend.unref()
    }
  }

  /** A full disk cannot even note that a record is done: it is sent again later, which changes nothing at the server. */
  function acknowledge(epoch: string, ackSeq: number): number {
    try {
      return outbox.acknowledge(epoch, ackSeq)
    } catch (error) {
      log(`An acknowledgement could not be noted: ${error instanceof Error ? error.message : String(error)}`)
      return 0
    }
  }

  function sendAgain(): void {
    resend = undefined
    sentUpTo = new Map()
    unacknowledged = 0
    sendRecords()
  }

  function endResend(): void {
    clearTimeout(resend)
    resend = undefined
  }

  async function sendPictures(): Promise<void> {
    if (sendingPictures) return
    sendingPictures = true
    clearTimeout(pictureRetry)
    try {
      for (let picture = nextPicture(); picture; picture = nextPicture()) {
        await sendPicture(picture)
        pictureBackoff.reset()
        onProgress()
      }
    } catch {
      pictureRetry = setTimeout(() => void sendPictures(), pictureBackoff.next())
      pictureRetry.unref()
    } finally {
      sendingPictures = false
    }
  }

  const nextPicture = () => (publish ? pictures.next() : null)

  async function sendPicture({ recordId, image }: { recordId: string; image: Uint8Array }): Promise<void> {
    try {
      await client.request(deviceProtocolCalls.picture, { params: { id: recordId } }, { file: new Blob([Buffer.from(image)], { type: 'image/webp' }) })
      pictures.sent(recordId)
    } catch (error) {
      if (!(error instanceof ServerRefused) || error.credentials) throw error
      log(`The server does not take the picture of record ${recordId} (${error.message}); it is dropped.`)
      pictures.drop(recordId)
    }
  }

  return {
    connected(by) {
      publish = by
      endResend()
      resendBackoff.reset()
      sendAgain()
      void sendPictures()
    },
    disconnected() {
      publish = null
      endResend()
    },
    recordAdded: sendRecords,
    pictureAdded() {
      void sendPictures()
    },
    acknowledged(epoch, ackSeq) {
      const stored = acknowledge(epoch, ackSeq)
      if (stored === 0) return
      unacknowledged = Math.max(0, unacknowledged - stored)
      endResend()
      resendBackoff.reset()
      sendRecords()
      void sendPictures()
      onProgress()
    },
    stop() {
      publish = null
      endResend()
      clearTimeout(pictureRetry)
    },
  }
}
