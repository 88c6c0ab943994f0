/** One message of numbered items, and one picture, to the server: the calls of each kind, and what follows from the answers. */
import { CAPTURES_PER_MESSAGE, EVENTS_PER_MESSAGE, numberedCalls } from '@gatehouse/contract/device/numbered'
import type { ItemPicture, NumberedBatch, NumberedKind, NumberedOutbox } from './numbered.ts'
import { isMissing, ServerRefused, type ServerClient } from './server.ts'

/** The server does not know the call. */
export class Unsupported extends Error {
  override readonly name = 'Unsupported'
}

/** Milliseconds that a message of captures may take on a slow line. */
const CAPTURES_TIMEOUT = 60_000

interface KindCalls<Kind extends NumberedKind> {
  perMessage: number
  /** Send a message. @returns how far the server has the epoch @throws ServerAway, ServerRefused */
  send(client: ServerClient, batch: NumberedBatch<Kind>, sentAt: number, signal: AbortSignal): Promise<number>
  pictureCall: typeof numberedCalls.eventPicture | typeof numberedCalls.capturePicture
}

const CALLS: { readonly [Kind in NumberedKind]: KindCalls<Kind> } = {
  event: {
    perMessage: EVENTS_PER_MESSAGE,
    async send(client, { items: events, ...batch }, sentAt, signal) {
      const { ackSeq } = await client.request(numberedCalls.events, { body: { ...batch, sentAt, events } }, { signal })
      return ackSeq
    },
    pictureCall: numberedCalls.eventPicture,
  },
  capture: {
    perMessage: CAPTURES_PER_MESSAGE,
    async send(client, { items, ...batch }, sentAt, signal) {
      // A message names one model; captures of another one follow in the next.
      const modelId = items[0]?.modelId ?? ''
      const other = items.findIndex((item) => item.modelId !== modelId)
      const captures = (other < 0 ? items : items.slice(0, other)).map(({ modelId: _, ...capture }) => capture)
      const body = { ...batch, sentAt, modelId, captures }
      const { ackSeq } = await client.request(numberedCalls.captures, { body }, { signal, timeout: CAPTURES_TIMEOUT })
      return ackSeq
    },
    pictureCall: numberedCalls.capturePicture,
  },
}

export interface NumberedSending {
  /**
   * Ask how far the server has each epoch, and adopt the answers.
   * @throws Unsupported, ServerAway, ServerRefused
   */
  ask(): Promise<void>
  /** Send the next message, and adopt the answer. @returns false if there is none @throws as `ask`; Error if nothing of it is stored */
  sendNext(): Promise<boolean>
  /** Send the next picture; drop one that the server refuses. @returns false if there is none @throws ServerAway, ServerRefused */
  sendNextPicture(): Promise<boolean>
}

export interface NumberedSendingOptions<Kind extends NumberedKind> {
  kind: Kind
  outbox: NumberedOutbox
  client: ServerClient
  clock: () => number
  log: (sentence: string) => void
  signal: AbortSignal
}

export function createNumberedSending<Kind extends NumberedKind>({
  kind,
  outbox,
  client,
  clock,
  log,
  signal,
}: NumberedSendingOptions<Kind>): NumberedSending {
  const { perMessage, pictureCall } = CALLS[kind]

  async function sendBatch(batch: NumberedBatch<Kind>): Promise<void> {
    const ackSeq = await CALLS[kind].send(client, batch, clock(), signal).catch((error: unknown) => {
      throw isMissing(error) ? new Unsupported() : error
    })
    const outcome = outbox.settle(kind, batch.epoch, ackSeq)
    if (outcome === 'newEpoch')
      log(`The server has more of what this terminal numbered as ${kind} than the terminal itself: it numbers anew.`)
    if (outcome === 'agreed' && ackSeq < (batch.items[0]?.seq ?? 0)) throw new Error('The server stores nothing of what it was sent.')
  }

  async function sendPicture({ image, ...item }: ItemPicture): Promise<void> {
    try {
      await client.request(pictureCall, { params: item }, { file: new Blob([Buffer.from(image)]), signal })
    } catch (error) {
      if (!(error instanceof ServerRefused) || error.credentials) throw error
      log(`The server does not take the picture of ${kind} ${item.seq} (${error.message}); it is dropped.`)
      return outbox.dropPicture(kind, item)
    }
    outbox.pictureSent(kind, item)
  }

  return {
    async ask() {
      for (const question of outbox.questions(kind)) await sendBatch(question)
    },
    async sendNext() {
      const batch = outbox.waiting(kind, perMessage)
      if (batch !== null) await sendBatch(batch)
      return batch !== null
    },
    async sendNextPicture() {
      const picture = outbox.nextPicture(kind)
      if (picture !== null) await sendPicture(picture)
      return picture !== null
    },
  }
}
