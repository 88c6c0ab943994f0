/** The connection to the mail server. */
import { isLoopback } from '../http/loopback.ts'

export interface MailTransport {
  /** The address of the mail server as nodemailer reads it. */
  url: string
  /** Whether nothing is sent to a server that does not offer STARTTLS. */
  requireTLS: boolean
}

/**
 * Return the transport that an address of a mail server describes. E-mails contain codes and first passwords, and an attacker on the
 * network can remove the offer of STARTTLS, so `smtp://` requires it unless the mail server is this machine. `?tls=off` allows clear
 * text, `?tls=required` requires TLS of this machine too.
 * @throws Error with a sentence for an invalid address
 */
export function mailTransport(address: string): MailTransport {
  const url = URL.parse(address)
  if (url === null || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '')
    throw new Error('SMTP_URL must be smtp://user:password@host:port or smtps://user:password@host:port')
  const tls = url.searchParams.get('tls')
  if (tls !== null && (url.protocol === 'smtps:' || !['off', 'required'].includes(tls)))
    throw new Error('The tls of SMTP_URL must be off or required, and belongs to smtp:// alone')
  url.searchParams.delete('tls')
  return { url: url.href, requireTLS: url.protocol === 'smtp:' && (tls === 'required' || (tls === null && !isLoopback(url.hostname))) }
}
