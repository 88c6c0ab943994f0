/** Extension points of surveillance, implemented by areas above it. */
import type { Transaction } from '../../platform/database/database.ts'
import { extensionPoint } from '../../platform/extension-points.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { WatchingTask } from './watching-types.ts'

/** What one task made of a capture. */
export interface CaptureMatch {
  /** Of the row of the identified list. */
  id: string
  task: WatchingTask
  /** Null: nobody of its groups is near enough. */
  person: { id: string; name: string; groupId: string; groupName: string; score: number; isOnWatchList: boolean } | null
}

/** A capture as it was stored, with what the tasks that looked out made of it. */
export interface MatchedCapture {
  id: string
  deviceId: string
  deviceName: string
  deviceType: number
  /** By the clock of the device set right. */
  capturedAt: number
  receivedAt: number
  matches: readonly CaptureMatch[]
}

/** Keeps data of another area consistent with captures, in the transaction that stores what came of their matching. */
export interface CaptureCompanion {
  /** New matches of captures of one park; of each capture and task once. */
  matched?(tx: Transaction, scope: Scope, captures: readonly MatchedCapture[]): Promise<void>
  /** The picture of a capture has arrived. */
  pictured?(tx: Transaction, scope: Scope, captureId: string): Promise<void>
  /** Return the alarms that what tasks made of captures raised, or was counted with, by the id of the match. */
  alarmsOf?(scope: Scope, matchIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Return how far the alarms are handled that captures raised or were counted with, by capture, as far as they exist for the scope. */
  statusesOf?(scope: Scope, captureIds: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Captures of a park were deleted, with what tasks made of them. */
  dropped?(tx: Transaction, scope: Scope, captureIds: readonly string[]): Promise<void>
}
export const captureCompanions = extensionPoint<CaptureCompanion>('surveillance.captureCompanions')
