/** The interface of the writing of cards. */
import type { DataOf, OutputOf } from '@gatehouse/contract'
import type { KeyType } from '@gatehouse/contract/cards/keys'
import type { CardWrite, CardWriteSummary, writingCalls } from '@gatehouse/contract/cards/writing'
import type { Actor, Scope } from '../../platform/session/session.ts'
import type { Transaction } from '../../platform/database/database.ts'

export type Next = DataOf<typeof writingCalls.writeNext>
export interface Writes {
  /** @throws InvalidRequest; Refusal 400205 */
  start(scope: Scope, actor: Actor, write: OutputOf<typeof writingCalls.startWrite.body>): Promise<string>
  /** @throws NotFound */
  read(scope: Scope, id: string): Promise<CardWrite>
  list(
    scope: Scope,
    query: { kind?: KeyType | undefined; page: number; size: number },
  ): Promise<{ total: number; content: CardWriteSummary[]; page: number; size: number }>
  /** Wait for the next card and write it. @throws NotFound; Refusal 400205, 400206 */
  next(scope: Scope, id: string, seconds: number, signal: AbortSignal): Promise<Next>
  /** Try failed cards again; return how many. @throws NotFound */
  again(scope: Scope, id: string): Promise<number>
  /** @throws NotFound */
  stop(scope: Scope, id: string): Promise<void>
  erasePark(tx: Transaction, scope: Scope): Promise<number>
}
