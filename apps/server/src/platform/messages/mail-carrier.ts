/** E-mails, by the mail server of the installation. */
import { createTransport } from 'nodemailer'
import type { Config } from '../../config.ts'
import type { Carrier } from './carrier.ts'
import { mailTransport } from './mail-transport.ts'

/** Milliseconds a mail server may take to answer. */
const PATIENCE = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

export function createMailCarrier({ smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>): Carrier {
  const transport = smtpUrl === null ? null : createTransport({ ...mailTransport(smtpUrl), ...PATIENCE })
  return {
    carries: () => transport !== null,
    async send(id, { to, subject, text, attachments = [] }) {
      await transport!.sendMail({
        from: mailFrom,
        to,
        subject,
        text,
        messageId: `<${id}@gatehouse>`,
        attachments: attachments.map(({ filename, contentType, text: content }) => ({ filename, contentType, content })),
      })
    },
    stop: () => transport?.close(),
  }
}
