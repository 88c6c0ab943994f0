/** Failures of the link: the state each leads to, and the sentence for the log and the technician. */
import { ServerRefused, ServerUnproven } from './server.ts'
import { StoreUnusable } from './store.ts'

/** CONNACK codes of MQTT 3.1.1: identifier rejected, bad user name or password, not authorised. */
const REFUSED_BY_BROKER = [2, 4, 5]

export function kindOf(error: unknown): 'foreign' | 'refused' | 'away' {
  if (error instanceof StoreUnusable) return 'foreign'
  if (error instanceof ServerRefused && error.credentials) return 'refused'
  if (REFUSED_BY_BROKER.includes((error as { code?: unknown }).code as number)) return 'refused'
  return 'away'
}

export function sentenceOf(error: unknown): string {
  if (error instanceof ServerRefused && error.credentials && !(error instanceof ServerUnproven))
    return `The server does not take this terminal's code and secret: ${error.message}`
  const { message, code } = error as Error & { code?: unknown }
  return message || String(code ?? error)
}
