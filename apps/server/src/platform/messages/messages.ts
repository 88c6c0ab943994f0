/**
 * E-mails and text messages to people. A message is stored first, encrypted, with the change it belongs to, and then
 * delivered; whatever cannot be delivered here stays in the outbox, where an administrator reads what would have been
 * sent. There is no provider of text messages yet: those always stay.
 *
 * Texts hold codes and first passwords. A message names the user it is about, so that whoever shows it can ask who may
 * read it, and its text is dropped once it was delivered or is of no more use. Recipient and subject stay for a week:
 * neither holds a secret.
 *
 * Several nodes share the outbox: whoever delivers a message claims it first. A node that dies between the mail server's
 * word and its own note leaves a claim that runs out, and the message goes once more, under the same Message-ID.
 */
import { createTransport } from 'nodemailer'
import type { Config } from '../../config.ts'
import type { Clock } from '../time/clock.ts'
import type { Crypto } from '../encryption/crypto.ts'
import type { AnyDatabase, Database, OpenTransaction } from '../database/database.ts'
import { newId } from '../database/ids.ts'
import { INSTALLATION_ID } from '../installation.ts'
import type { Job } from '../jobs/jobs.ts'
import type { Logger } from '../log.ts'
import { mailTransport } from './mail-transport.ts'
import * as data from './data.ts'
import type { MessageRow, MessageState } from './data.ts'
import { MESSAGE_CONTENT, type MessageTables } from './migration.ts'
import { NotFound } from '../http/refusal.ts'
import { placeOf } from '../encryption/sealed-column.ts'

export interface Message {
  channel: 'email' | 'sms'
  /** An e-mail address or phone number. */
  to: string
  /** Of an e-mail. Lists show it: it holds no code and no password. */
  subject: string
  text: string
  /** The user it is about: whoever may not act on that account must not read it. Null: about nobody, with nothing secret in it. */
  userId: string | null
  /** Milliseconds its text is of use; a week unless told. */
  usefulMs?: number
}

/** A message without its text. */
export interface StoredMessage {
  id: string
  channel: Message['channel']
  to: string
  subject: string
  userId: string | null
  /** Whether its text is still kept. */
  hasText: boolean
  /** `kept`: nothing here can deliver it. */
  state: MessageState
  attempts: number
  /** Why the last attempt failed. */
  reason: string | null
  createdAt: number
  sentAt: number | null
  /** When a waiting one is tried next. */
  nextAt: number | null
}

/** Why a message is not delivered again; null: it was tried. */
export type RetryFault = 'noMail' | 'noTextMessages' | 'messageGone' | null

export interface Messages {
  /** Whether e-mails leave the house. */
  readonly delivers: boolean
  /** Stores a message with the change it belongs to; it is delivered after commit. */
  send(tx: OpenTransaction, message: Message): Promise<string>
  /** A transaction was committed: what was sent in it goes now. */
  committed(tx: OpenTransaction): void
  /** Delivers what is due and resolves when that is done. */
  deliver(): Promise<void>
  /** Newest first. */
  list(page: { page: number; size: number; state?: MessageState | undefined }): Promise<{ total: number; content: StoredMessage[] }>
  /** @throws NotFound */
  read(id: string): Promise<StoredMessage>
  /** The text of a message; null once it was dropped. @throws NotFound */
  textOf(id: string): Promise<string | null>
  /** Tries once more, at once, what was not delivered. @throws NotFound */
  retry(id: string): Promise<RetryFault>
  /** Tries again what failed, drops texts that are of no more use, and messages that are a week old. */
  delivery: Job
  stop(): Promise<void>
}

/** Messages go after a week, with a first password that nobody handed over. */
const KEPT_MS = 7 * 86_400_000
const ATTEMPTS = 5
/** Between the first attempt and the second; twice as long each time. */
const PAUSE_MS = 60_000
const AT_ONCE = 20
/** Longer than a mail server may take for all that are claimed together. */
const CLAIM_MS = 15 * 60_000
/** Milliseconds a mail server may take to answer. */
const PATIENCE = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }
const REASON_MAX = 200

/** Subjects of former versions held the code. */
const withoutCode = (subject: string): string => subject.replace(/\d{4,}/g, (digits) => '*'.repeat(digits.length))

interface Parts {
  db: AnyDatabase
  config: Pick<Config, 'smtpUrl' | 'mailFrom'>
  clock: Clock
  crypto: Crypto
  log: Logger
}

/** What is encrypted of a message. */
interface Content {
  channel: Message['channel']
  to: string
  subject: string
  /** Null once it was dropped. */
  text: string | null
}

export function createMessages({ db: untyped, config, clock, crypto, log }: Parts): Messages {
  const db = untyped as unknown as Database<MessageTables>
  const transport = config.smtpUrl === null ? null : createTransport({ ...mailTransport(config.smtpUrl), ...PATIENCE })
  const sentIn = new WeakSet<OpenTransaction>()
  let running: Promise<void> = Promise.resolve()
  let stopping = false

  const open = async (row: MessageRow): Promise<Content> =>
    JSON.parse((await crypto.open(INSTALLATION_ID, placeOf(MESSAGE_CONTENT, row.id), row.content)).toString('utf8')) as Content
  const seal = (id: string, { channel, to, subject, text }: Content): Promise<Buffer> =>
    crypto.seal(
      INSTALLATION_ID,
      placeOf(MESSAGE_CONTENT, id),
      Buffer.from(JSON.stringify({ channel, to, subject, text } satisfies Content)),
    )
  const hasText = ({ textUntil }: MessageRow): boolean => textUntil !== null && textUntil > clock.now()

  async function storedOf(row: MessageRow): Promise<StoredMessage> {
    const { id, channel, userId, state, attempts, reason, createdAt, sentAt, nextAt } = row
    const { to, subject } = await open(row)
    return {
      id,
      channel,
      to,
      subject: withoutCode(subject),
      userId,
      hasText: hasText(row),
      state,
      attempts,
      reason,
      createdAt,
      sentAt,
      nextAt: state === 'waiting' ? nextAt : null,
    }
  }

  async function attempt(row: MessageRow): Promise<void> {
    const content = await open(row)
    const { to, subject, text } = content
    // Another node dropped it meanwhile: there is nothing to send.
    if (text === null) return data.dropTextUnscoped(db, row.id, row.content)
    const withoutText = await seal(row.id, { ...content, text: null })
    try {
      await transport!.sendMail({ from: config.mailFrom, to, subject, text, messageId: `<${row.id}@gatehouse>` })
    } catch (error) {
      const attempts = row.attempts + 1
      const reason = error instanceof Error ? error.message.slice(0, REASON_MAX) : 'unknown'
      log.warn({ message: row.id, attempts, reason }, 'an e-mail was not delivered')
      await data.noteFailureUnscoped(db, row.id, {
        attempts,
        reason,
        nextAt: attempts >= ATTEMPTS ? null : clock.now() + PAUSE_MS * 2 ** row.attempts,
      })
      return
    }
    await data.noteSentUnscoped(db, row.id, withoutText, clock.now())
  }

  /** Drops the texts that are of no more use. */
  async function dropTexts(): Promise<void> {
    for (;;) {
      const rows = stopping ? [] : await data.outdatedUnscoped(db, clock.now(), AT_ONCE)
      if (rows.length === 0) return
      for (const row of rows) await data.dropTextUnscoped(db, row.id, await seal(row.id, { ...(await open(row)), text: null }))
    }
  }

  async function deliverDue(): Promise<void> {
    if (transport === null) return
    // A code that is no longer valid helps nobody: it does not leave any more.
    await dropTexts()
    for (;;) {
      const rows = stopping ? [] : await data.claimUnscoped(db, clock.now(), CLAIM_MS, AT_ONCE)
      if (rows.length === 0) return
      for (const row of rows) {
        if (stopping) await data.unclaimUnscoped(db, row.id)
        else await attempt(row)
      }
    }
  }
  const deliver = (): Promise<void> => (running = running.then(deliverDue).catch((error: unknown) => log.error({ err: error }, 'messages')))

  async function find(id: string): Promise<MessageRow> {
    const row = await data.findUnscoped(db, id)
    if (row === undefined) throw new NotFound()
    return row
  }

  return {
    delivers: transport !== null,
    deliver,
    async send(tx, message) {
      const { channel, userId, usefulMs = KEPT_MS } = message
      const [id, now] = [newId(), clock.now()]
      const state = channel === 'email' && transport !== null ? 'waiting' : 'kept'
      await data.insertUnscoped(
        tx as unknown as Database<MessageTables>,
        { id, channel, userId, content: await seal(id, message), textUntil: now + usefulMs, state },
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
      return hasText(row) ? (await open(row)).text : null
    },
    async retry(id) {
      const row = await find(id)
      if (row.channel !== 'email') return 'noTextMessages'
      if (transport === null) return 'noMail'
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
    async stop() {
      stopping = true
      await running
      transport?.close()
    },
  }
}
