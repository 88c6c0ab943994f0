/** What strategies offer. */
import type { Strategy, strategyFields, strategyRow } from '@gatehouse/contract/strategies/calls'
import type { z } from 'zod'
import type { StrategyQuery } from './strategies-data.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { Admission } from './changes.ts'
import type { MemberKind } from './schema.ts'
import type { StoredStrategy, StrategyChange } from './strategy-changes.ts'
import type { Named } from './strategy-members.ts'

export type StrategyFields = z.output<typeof strategyFields>
export type StrategyListRow = z.output<typeof strategyRow>
export interface StrategyListQuery extends StrategyQuery {
  page?: number | undefined
  size?: number | undefined
  pageNo?: number | undefined
  pageSize?: number | undefined
}
export interface StrategyService {
  list(scope: Scope, query: StrategyListQuery): Promise<{ total: number; content: StrategyListRow[]; page: number; size: number }>
  /** @param kind absent: of both kinds */
  names(scope: Scope, kind?: StoredStrategy['kind']): Promise<Named[]>
  /** @throws Refusal 300101 */
  read(scope: Scope, id: string): Promise<Strategy>
  /**
   * @throws Refusal 300001, 300206, 900004, 900007; InvalidRequest for members that are not in this park and time rules
   * that contradict each other; AgainstWrittenRules
   */
  create(scope: Scope, fields: StrategyFields, admission?: Admission & { directAt?: string }): Promise<string>
  /** @throws as create; Refusal 300101; Conflict where it is not at `version` any more */
  change(scope: Scope, id: string, version: number | undefined, fields: StrategyChange, admission?: Admission): Promise<void>
  /**
   * @param version only at this one; left out: at any
   * @throws Refusal 300101, 300103 a default strategy; Conflict where it is not at `version` any more
   */
  delete(scope: Scope, id: string, version?: number): Promise<void>
  /** Devices a person may pass, with the strategies that say so. @throws NotFound */
  ofPerson(scope: Scope, personId: string): Promise<{ deviceId: string; deviceName: string; strategies: Named[] }[]>
  /** Take what was deleted elsewhere out of all strategies. */
  forget(scope: Scope, kind: MemberKind, memberIds: readonly string[]): Promise<void>
  /** The same in the caller's transaction. */
  forgetIn(tx: Transaction, scope: Scope, kind: MemberKind, memberIds: readonly string[]): Promise<void>
  /** Note and announce that the reach of these strategies has changed, in the transaction that changes it. */
  reachChanged(tx: Transaction, scope: Scope, strategyIds: readonly string[]): Promise<void>
}
