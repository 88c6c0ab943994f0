/**
 * Sends records in order, at least once, then their pictures. A broker's receipt means nothing here: a record is done
 * when the server says that it is stored.
 */
import type { RecordsMessage } from '@gatehouse/contract/device/protocol'
import { createBackoff } from './backoff.ts'
import { createPictureUplink } from './picture-uplink.ts'
import type { ServerClient } from './server.ts'
import type { Outbox, PictureOutbox, StoredUpTo } from './store.ts'

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
  random: () => number
}

export interface Uplink {
  /**
   * A connection stands: everything the server does not have goes out over it.
   * @param startAt what it has and the outbox could not note
   */
  connected(publish: (message: RecordsMessage) => void, startAt?: readonly StoredUpTo[]): void
  disconnected(): void
  /** A record was stored. */
  recordAdded(): void
  /** A picture was stored. */
  pictureAdded(): void
  /** The server has all numbers of an epoch up to this one. */
  acknowledged(epoch: string, ackSeq: number): void
  /** Resolves when nothing is sent any more. */
  stop(): Promise<void>
}

/** How far one epoch has been sent on this connection, and how far the server has it. */
interface Progress {
  sent: number
  done: number
}

/** The way up of one device. */
export function createUplink({ outbox, pictures, client, clock, log, resendAfter = 15_000, onProgress, random }: UplinkOptions): Uplink {
  let publish: ((message: RecordsMessage) => void) | null = null
  const epochs = new Map<string, Progress>()
  let resend: NodeJS.Timeout | undefined
  let sending: NodeJS.Immediate | undefined
  const resendBackoff = createBackoff(resendAfter, resendAfter * 8, random)
  const pictureUplink = createPictureUplink({ pictures, client, log, onProgress, random })

  const unacknowledged = () => [...epochs.values()].reduce((total, { sent, done }) => total + Math.max(0, sent - done), 0)

  function sendRecords(): void {
    sending = undefined
    if (!publish) return
    try {
      sendWindow(publish)
    } catch (error) {
      log(`Records could not be read: ${error instanceof Error ? error.message : String(error)}`)
    }
    if (unacknowledged() > 0 && !resend) {
      resend = setTimeout(sendAgain, resendBackoff.next())
      resend.unref()
    }
  }

  /** Everything that waits, as far as the window goes. */
  function sendWindow(send: (message: RecordsMessage) => void): void {
    while (unacknowledged() < WINDOW) {
      const batch = outbox.waiting(new Map([...epochs].map(([epoch, { sent }]) => [epoch, sent])), BATCH)
      if (!batch) break
      const { epoch, oldestSeq, records } = batch
      const { done } = epochs.get(epoch) ?? { done: records[0]!.seq - 1 }
      epochs.set(epoch, { sent: records.at(-1)!.seq, done })
      send({ epoch, oldestSeq, sentAt: clock(), records })
    }
  }

  /** Records added in one turn travel together. */
  function sendSoon(): void {
    sending ??= setImmediate(sendRecords)
  }

  function sendAgain(): void {
    resend = undefined
    for (const progress of epochs.values()) progress.sent = progress.done
    sendRecords()
  }

  function endResend(): void {
    clearTimeout(resend)
    resend = undefined
  }

  return {
    connected(by, startAt = []) {
      publish = by
      endResend()
      resendBackoff.reset()
      epochs.clear()
      for (const { epoch, ackSeq } of startAt) epochs.set(epoch, { sent: ackSeq, done: ackSeq })
      sendRecords()
      pictureUplink.connected()
    },
    disconnected() {
      publish = null
      endResend()
      pictureUplink.disconnected()
    },
    recordAdded: sendSoon,
    pictureAdded: () => pictureUplink.send(),
    acknowledged(epoch, ackSeq) {
      try {
        outbox.acknowledge(epoch, ackSeq)
      } catch (error) {
        // A full disk cannot even note that records are done; the next ones go out all the same.
        log(`An acknowledgement could not be noted: ${error instanceof Error ? error.message : String(error)}`)
      }
      const progress = epochs.get(epoch)
      if (!progress || ackSeq <= progress.done) return
      progress.done = ackSeq
      progress.sent = Math.max(progress.sent, ackSeq)
      endResend()
      resendBackoff.reset()
      sendSoon()
      pictureUplink.send()
      onProgress()
    },
    async stop() {
      publish = null
      endResend()
      clearImmediate(sending)
      await pictureUplink.stop()
    },
  }
}
