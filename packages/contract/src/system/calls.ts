/** The installation as a whole: its branding, domains, notices, dictionary, outgoing messages (module M04). */
import { installationCalls } from './installation.ts'
import { lookCalls } from './look.ts'
import { messageCalls } from './messages.ts'
import { noticeCalls } from './notices.ts'
import { uploadCalls } from './upload.ts'

export const systemCalls = {
  ...lookCalls,
  ...installationCalls,
  ...noticeCalls,
  ...messageCalls,
  ...uploadCalls,
}
