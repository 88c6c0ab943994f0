/** Delivery of messages: they are sealed in the outbox, claimed, sent, and then stored without their texts. */
import type { MessageChannel } from '@gatehouse/contract/system/messages'
import type { Config } from '../../config.ts'
import { coalesce } from '../async/coalesce.ts'
import type { Clock } from '../time/clock.ts'
import type { Crypto } from '../encryption/crypto.ts'
import type { Database } from '../database/database.ts'
import { placeOf } from '../encryption/sealed-column.ts'
import { INSTALLATION_ID } from '../installation.ts'
import type { Logger } from '../log.ts'
import { Undelivered, type Carrier, type ProviderAccounts } from './carrier.ts'
import * as data from './data.ts'
import type { MessageRow } from './data.ts'
import { createMailCarrier } from './mail-carrier.ts'
import type { Message } from './messages-types.ts'
import { MESSAGE_CONTENT } from './migration.ts'
import { PROVIDER_PATIENCE_MS } from './provider-request.ts'
import { createSmsCarrier } from './sms-carrier.ts'
import { createWechatCarrier } from './wechat-carrier.ts'

const ATTEMPTS = 5
/** Milliseconds between the first attempt and the second; doubled each time. */
const PAUSE_MS = 60_000
const AT_ONCE = 20
/** Milliseconds of a claim; longer than mail servers and providers may take for all messages claimed together. */
const CLAIM_MS = 15 * 60_000
const REASON_MAX = 200

export interface MessageParts {
  db: Database
  config: Pick<Config, 'smtpUrl' | 'mailFrom' | 'smsUrl' | 'wechatUrl'>
  clock: Clock
  crypto: Crypto
  log: Logger
  /** Called once a message is sent, when all areas are created. */
  accounts: () => ProviderAccounts
  /** Milliseconds a provider may take to answer. */
  patienceMs?: number
}

/** The encrypted part of a message. */
export interface Content extends Pick<Message, 'channel' | 'to' | 'subject' | 'attachments' | 'template'> {
  /** Null once it was dropped, with attachments and template, which say the same. */
  text: string | null
}

const withoutText = ({ channel, to, subject }: Content): Content => ({ channel, to, subject, text: null })

export type Carriers = Readonly<Record<MessageChannel, Carrier>>

export function createCarriers({ config, clock, accounts, patienceMs = PROVIDER_PATIENCE_MS }: MessageParts): Carriers {
  const parts = { url: config.wechatUrl, clock, accounts, patienceMs }
  return {
    email: createMailCarrier(config),
    sms: createSmsCarrier({ ...parts, url: config.smsUrl }),
    miniProgram: createWechatCarrier('miniProgram', parts),
    officialAccount: createWechatCarrier('officialAccount', parts),
  }
}

/** Access to the encrypted contents of messages. */
export interface SealedContents {
  open(row: MessageRow): Promise<Content>
  seal(id: string, content: Content): Promise<Buffer>
}

export const createSealedContents = (crypto: Crypto): SealedContents => ({
  open: async (row) =>
    JSON.parse((await crypto.open(INSTALLATION_ID, placeOf(MESSAGE_CONTENT, row.id), row.content)).toString('utf8')) as Content,
  seal: (id, { channel, to, subject, text, attachments, template }) =>
    crypto.seal(
      INSTALLATION_ID,
      placeOf(MESSAGE_CONTENT, id),
      Buffer.from(JSON.stringify({ channel, to, subject, text, attachments, template })),
    ),
})

export interface Delivery {
  /** Deliver due messages; resolve when that is done. */
  deliver(): Promise<void>
  /** Drop the texts that are no longer useful. */
  dropTexts(): Promise<void>
  stop(): Promise<void>
}

export function createDelivery({ db, clock, log }: MessageParts, { open, seal }: SealedContents, carriers: Carriers): Delivery {
  let isStopping = false

  async function attempt(row: MessageRow): Promise<void> {
    const content = await open(row)
    const { text } = content
    // Another node dropped the text meanwhile, so there is nothing to send.
    if (text === null) return data.dropTextUnscoped(db, row.id, row.content)
    const stored = await seal(row.id, withoutText(content))
    try {
      await carriers[row.channel].send(row.id, { ...content, text })
    } catch (error) {
      const attempts = row.attempts + 1
      const reason = error instanceof Error ? error.message.slice(0, REASON_MAX) : 'unknown'
      log.warn({ message: row.id, channel: row.channel, attempts, reason }, 'a message was not delivered')
      const isLast = attempts >= ATTEMPTS || (error instanceof Undelivered && error.isFinal)
      await data.noteFailureUnscoped(db, row.id, {
        attempts,
        reason,
        nextAt: isLast ? null : clock.now() + PAUSE_MS * 2 ** row.attempts,
      })
      return
    }
    await data.noteSentUnscoped(db, row.id, stored, clock.now())
  }

  async function dropTexts(): Promise<void> {
    for (;;) {
      const rows = isStopping ? [] : await data.outdatedUnscoped(db, clock.now(), AT_ONCE)
      if (rows.length === 0) return
      for (const row of rows) await data.dropTextUnscoped(db, row.id, await seal(row.id, withoutText(await open(row))))
    }
  }

  async function deliverDue(): Promise<void> {
    // A code that is no longer valid is useless, so it is not sent.
    await dropTexts()
    // E-mails that wait for a mail server that is not configured any more wait on.
    const isMailing = carriers.email.carries({})
    for (;;) {
      const rows = isStopping ? [] : await data.claimUnscoped(db, clock.now(), CLAIM_MS, { limit: AT_ONCE, isMailing })
      if (rows.length === 0) return
      for (const row of rows) {
        if (isStopping) await data.unclaimUnscoped(db, row.id)
        else await attempt(row)
      }
    }
  }

  const delivering = coalesce(() => deliverDue().catch((error: unknown) => log.error({ err: error }, 'messages')))

  return {
    deliver: delivering.now,
    dropTexts,
    async stop() {
      isStopping = true
      await delivering.stop()
      for (const carrier of Object.values(carriers)) carrier.stop()
    },
  }
}
