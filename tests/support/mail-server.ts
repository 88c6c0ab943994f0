/** A real mail server on this machine that keeps the mails it receives, and refuses them when configured to. */
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface ReceivedMail {
  to: string[]
  messageId: string
  /** Headers and body as they were received. */
  raw: string
}

export interface MailServer {
  /** For SMTP_URL. */
  url: string
  received: ReceivedMail[]
  /** While `sentence` is set, every mail is refused with it; null: mails are accepted. */
  refusal: { sentence: string | null }
  stop(): Promise<void>
}

/** Listen on a free port; the caller stops it. */
export async function startMailServer(): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const refusal: MailServer['refusal'] = { sentence: null }
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo(_address, _session, done) {
      if (refusal.sentence === null) return done()
      done(Object.assign(new Error(refusal.sentence), { responseCode: 451 }))
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('utf8')
        received.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          messageId: /^Message-ID: *(\S+)/im.exec(raw)?.[1] ?? '',
          raw,
        })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${port}`, received, refusal, stop: () => new Promise((resolve) => server.close(() => resolve())) }
}
