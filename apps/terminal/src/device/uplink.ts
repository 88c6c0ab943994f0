/**
 * Sends records in order, at least once, then their pictures. An acknowledgement of the broker means nothing here: a record is delivered
 * when the server reports it as stored.
 */
import type { RecordsMessage } from '@gatehouse/contract/device/protocol-records'
import { createBackoff } from '../async/backoff.ts'
import { createPictureUplink } from './picture-uplink.ts'
import type { ServerClient } from './server.ts'
import type { Outbox, PictureOutbox, StoredUpTo } from './store.ts'

/** Records of one message, about 100 kB. */
const BATCH = 200
/** Most records sent and not acknowledged. */
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
   * Send everything the server does not have over a new connection.
   * @param startAt what the server has and the outbox could not store
   */
  connected(publish: (message: RecordsMessage) => void, startAt?: readonly StoredUpTo[]): void
  disconnected(): void
  /** Send a record that was stored. */
  recordAdded(): void
  /** Send a picture that was stored. */
  pictureAdded(): void
  /** Note that the server has all numbers of an epoch up to this one. */
  acknowledged(epoch: string, ackSeq: number): void
  /** Stop; resolves when nothing is being sent any more. */
  stop(): Promise<void>
}

/** How far one epoch has been sent on this connection, and how far the server has it. */
interface Progress {
  sent: number
  done: number
}

/** Create the uplink of one device. */
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

  /** Send all waiting records that fit the window. */
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

  /** Send soon; records added in one turn are sent together. */
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
        // On a full disk the acknowledgement cannot even be stored; the next records are sent all the same.
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
