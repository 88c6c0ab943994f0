/** What strategies ask of areas above them. */
import { singlePoint } from '../../platform/extension-points.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { Guarding } from './changes.ts'

/** Stands before changes of who passes where, and may refuse them. It opens the transaction of the change, so there is one. */
export const passageGuard = singlePoint<Guarding>('strategies.passageGuard')

/** How far a strategy has reached devices. */
export interface StrategyDelivery {
  /** Devices of a strategy, as the register has them. */
  devicesOf(scope: Scope, strategyId: string): readonly string[]
  /** Those of these devices that hold exactly what they should. */
  upToDate(scope: Scope, deviceIds: readonly string[]): Promise<ReadonlySet<string>>
}
export const strategyDelivery = singlePoint<StrategyDelivery>('strategies.delivery')
