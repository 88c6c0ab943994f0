/** A log that keeps its messages, for assertions and for the message of a failed one. */
import type { PostgresLog } from '@gatehouse/server/platform/postgres/embedded'

export interface KeptLog extends PostgresLog {
  lines: string[]
}

export function keptLog(): KeptLog {
  const lines: string[] = []
  const keep = (message: string) => void lines.push(message)
  return { lines, debug: () => {}, info: keep, warn: keep, error: keep }
}
