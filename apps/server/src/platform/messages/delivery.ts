/** Delivery of messages: they are sealed in the outbox, claimed, sent, and then stored without their texts. */
import { createTransport } from 'nodemailer'
import type { Config } from '../../config.ts'
import { coalesce } from '../async/coalesce.ts'
import type { Clock } from '../time/clock.ts'
import type { Crypto } from '../encryption/crypto.ts'
import type { Database } from '../database/database.ts'
import { placeOf } from '../encryption/sealed-column.ts'
import { INSTALLATION_ID } from '../installation.ts'
import type { Logger } from '../log.ts'
import * as data from './data.ts'
import type { MessageRow } from './data.ts'
import { mailTransport } from './mail-transport.ts'
import type { Message } from './messages-types.ts'
import { MESSAGE_CONTENT } from './migration.ts'

const ATTEMPTS = 5
/** Milliseconds between the first attempt and the second; doubled each time. */
const PAUSE_MS = 60_000
const AT_ONCE = 20
/** Milliseconds of a claim; longer than a mail server may take for all messages claimed together. */
const CLAIM_MS = 15 * 60_000
/** Milliseconds a mail server may take to answer. */
const PATIENCE = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }
const REASON_MAX = 200

export interface MessageParts {
  db: Database
  config: Pick<Config, 'smtpUrl' | 'mailFrom'>
  clock: Clock
  crypto: Crypto
  log: Logger
}

/** The encrypted part of a message. */
export interface Content {
  channel: Message['channel']
  to: string
  subject: string
  /** Null once it was dropped. */
  text: string | null
}

/** Access to the encrypted contents of messages. */
export interface SealedContents {
  open(row: MessageRow): Promise<Content>
  seal(id: string, content: Content): Promise<Buffer>
}

export const createSealedContents = (crypto: Crypto): SealedContents => ({
  open: async (row) =>
    JSON.parse((await crypto.open(INSTALLATION_ID, placeOf(MESSAGE_CONTENT, row.id), row.content)).toString('utf8')) as Content,
  seal: (id, { channel, to, subject, text }) =>
    crypto.seal(
      INSTALLATION_ID,
      placeOf(MESSAGE_CONTENT, id),
      Buffer.from(JSON.stringify({ channel, to, subject, text } satisfies Content)),
    ),
})

export interface Delivery {
  /** Whether a mail server is configured. */
  readonly delivers: boolean
  /** Deliver due messages; resolve when that is done. */
  deliver(): Promise<void>
  /** Drop the texts that are no longer useful. */
  dropTexts(): Promise<void>
  stop(): Promise<void>
}

export function createDelivery({ db, config, clock, log }: MessageParts, { open, seal }: SealedContents): Delivery {
  const transport = config.smtpUrl === null ? null : createTransport({ ...mailTransport(config.smtpUrl), ...PATIENCE })
  let isStopping = false

  async function attempt(row: MessageRow): Promise<void> {
    const content = await open(row)
    const { to, subject, text } = content
    // Another node dropped the text meanwhile, so there is nothing to send.
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

  async function dropTexts(): Promise<void> {
    for (;;) {
      const rows = isStopping ? [] : await data.outdatedUnscoped(db, clock.now(), AT_ONCE)
      if (rows.length === 0) return
      for (const row of rows) await data.dropTextUnscoped(db, row.id, await seal(row.id, { ...(await open(row)), text: null }))
    }
  }

  async function deliverDue(): Promise<void> {
    if (transport === null) return
    // A code that is no longer valid is useless, so it is not sent.
    await dropTexts()
    for (;;) {
      const rows = isStopping ? [] : await data.claimUnscoped(db, clock.now(), CLAIM_MS, AT_ONCE)
      if (rows.length === 0) return
      for (const row of rows) {
        if (isStopping) await data.unclaimUnscoped(db, row.id)
        else await attempt(row)
      }
    }
  }

  const delivering = coalesce(() => deliverDue().catch((error: unknown) => log.error({ err: error }, 'messages')))

  return {
    delivers: transport !== null,
    deliver: delivering.now,
    dropTexts,
    async stop() {
      isStopping = true
      await delivering.stop()
      transport?.close()
    },
  }
}
