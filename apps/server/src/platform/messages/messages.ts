/**
 * E-mails, text messages and WeChat messages to people. A message is stored first, encrypted, in the transaction of its change, and then
 * delivered. Messages that cannot be delivered here stay in the outbox, where an administrator reads what would have been sent.
 *
 * Texts contain codes and first passwords. A message names the user it is about, so that its readers can be restricted, and its text is
 * dropped once it was delivered or is no longer useful. Recipient and subject stay for a week: neither contains a secret.
 *
 * Several nodes share the outbox: a node claims a message before it delivers it. If a node dies between the mail server's acceptance and
 * its own update, its claim expires, and the message is sent once more with the same Message-ID. A text message whose provider did not
 * answer in time may arrive twice likewise: providers offer nothing that would recognise it.
 */
import type { ProviderChannel } from '@gatehouse/contract/visitors/messaging'
import type { Transaction } from '../database/database.ts'
import { newId } from '../database/ids.ts'
import type { Job } from '../jobs/jobs.ts'
import * as data from './data.ts'
import type { MessageRow, MessageState } from './data.ts'
import { createCarriers, createDelivery, createSealedContents, type Content, type MessageParts } from './delivery.ts'
import { NotFound } from '../http/refusal.ts'
import type { Message, Template } from './messages-types.ts'

/** A message without its text. */
export interface StoredMessage {
  id: string
  channel: Message['channel']
  to: string
  subject: string
  userId: string | null
  /** Whether its text is still stored. */
  hasText: boolean
  /** Whether what it leaves by is set up. */
  canLeave: boolean
  /** `kept`: this installation cannot deliver it. */
  state: MessageState
  attempts: number
  /** Why the last attempt failed. */
  reason: string | null
  createdAt: number
  sentAt: number | null
  /** When a waiting message is tried next. */
  nextAt: number | null
}

/** Why a message cannot be sent again; null: it was tried. */
export type RetryFault = 'noMail' | 'noTextMessages' | 'messageGone' | null

export interface Messages {
  /** Whether a mail server is configured. */
  readonly delivers: boolean
  /** Return whether a park has set up how messages of an occasion leave by a provider. */
  carries(channel: ProviderChannel, of: Pick<Template, 'parkId' | 'occasion'>): boolean
  /** Store a message in the transaction of its change; it is delivered after the commit. */
  send(tx: Transaction, message: Message): Promise<string>
  /** Report that a transaction was committed; its messages are delivered now. */
  committed(tx: Transaction): void
  /** Deliver due messages and resolve when that is done. */
  deliver(): Promise<void>
  /** Return a page of messages, newest first. */
  list(page: { page: number; size: number; state?: MessageState | undefined }): Promise<{ total: number; content: StoredMessage[] }>
  /** Return a message. @throws NotFound */
  read(id: string): Promise<StoredMessage>
  /** Return the text of a message; null once it was dropped or is no longer useful. @throws NotFound */
  textOf(id: string): Promise<string | null>
  /** Try an undelivered message once more, at once. @throws NotFound */
  retry(id: string): Promise<RetryFault>
  /** Job that retries failed messages, and drops texts that are no longer useful and messages that are a week old. */
  delivery: Job
  stop(): Promise<void>
}

/** Milliseconds after which messages are deleted, including first passwords that were never handed over. */
const KEPT_MS = 7 * 86_400_000
/** Hide codes, which subjects of former versions contained. */
const withoutCode = (subject: string): string => subject.replace(/\d{4,}/g, (digits) => '*'.repeat(digits.length))

export function createMessages(parts: MessageParts): Messages {
  const { db, clock, crypto } = parts
  const contents = createSealedContents(crypto)
  const carriers = createCarriers(parts)
  const { deliver, dropTexts, stop } = createDelivery(parts, contents, carriers)
  const sentIn = new WeakSet<Transaction>()

  const canLeave = ({ channel, template }: Pick<Content, 'channel' | 'template'>): boolean =>
    carriers[channel].carries(template === undefined ? {} : { template })
  const hasText = ({ textUntil }: MessageRow): boolean => textUntil !== null && textUntil > clock.now()

  async function storedOf(row: MessageRow): Promise<StoredMessage> {
    const { id, channel, userId, state, attempts, reason, createdAt, sentAt, nextAt } = row
    const content = await contents.open(row)
    const { to, subject } = content
    return {
      id,
      channel,
      to,
      subject: withoutCode(subject),
      userId,
      hasText: hasText(row),
      canLeave: canLeave(content),
      state,
      attempts,
      reason,
      createdAt,
      sentAt,
      nextAt: state === 'waiting' ? nextAt : null,
    }
  }

  async function find(id: string): Promise<MessageRow> {
    const row = await data.findUnscoped(db, id)
    if (row === undefined) throw new NotFound()
    return row
  }

  return {
    delivers: carriers.email.carries({}),
    carries: (channel, { parkId, occasion }) => carriers[channel].carries({ template: { parkId, occasion, values: {} } }),
    deliver,
    async send(tx, message) {
      const { channel, userId, usefulMs = KEPT_MS } = message
      const [id, now] = [newId(), clock.now()]
      const state = canLeave(message) ? 'waiting' : 'kept'
      await data.insertUnscoped(
        tx,
        { id, channel, userId, content: await contents.seal(id, message), textUntil: now + usefulMs, state },
        now,
      )
      sentIn.add(tx)
      return id
    },
    committed(tx) {
      if (sentIn.delete(tx)) void deliver()
    },
    async list({ page, size, state }) {
      const { total, rows } = await data.listUnscoped(db, { page, size, state })
      return { total, content: await Promise.all(rows.map(storedOf)) }
    },
    read: async (id) => storedOf(await find(id)),
    async textOf(id) {
      const row = await find(id)
      return hasText(row) ? (await contents.open(row)).text : null
    },
    async retry(id) {
      const row = await find(id)
      // What it needs to leave goes with the text.
      if (hasText(row) && !canLeave(await contents.open(row))) return row.channel === 'email' ? 'noMail' : 'noTextMessages'
      if (!hasText(row)) return 'messageGone'
      await data.releaseUnscoped(db, id, clock.now())
      await deliver()
      return null
    },
    delivery: {
      name: 'platform.deliverMessages',
      schedule: '* * * * *',
      async run() {
        await deliver()
        await dropTexts()
        await data.dropUnscoped(db, clock.now() - KEPT_MS)
        return { outcome: 'success' }
      },
    },
    stop,
  }
}
