/** Facts of a device that other areas need, and the function that reads them. */
import type { Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'

export interface DeviceSummary {
  id: string
  name: string
  code: string
  /** Value of the enum `deviceType`. */
  type: number
  groupId: string | null
  direction: number
  released: boolean
  /** Name of its app as reported; empty before the first report. */
  apkName: string
}

/** Read devices. @param within read through this transaction */
export type ReadDeviceFacts = (scope: Scope, ids: readonly string[], within?: Transaction) => Promise<DeviceSummary[]>
