/** What the making of the demo campus receives and offers, and what its parts share. */
import type { Person } from '@gatehouse/contract/people/person'
import type { Server } from '@gatehouse/server/server'
import type { DemoDevice, DemoSize } from './campus.ts'
import type { Maker } from './maker.ts'
import type { createPainter } from './painter.ts'
import type { createPictures } from './pictures.ts'
import type { DemoPerson } from './roster.ts'
import type { SimulatedDevice } from './simulated-device.ts'

export interface DemoCampus {
  parkId: string
  /** Time in epoch milliseconds from which everything is counted: the first start. */
  anchor: number
  size: DemoSize
}

export interface DemoProgress {
  done: number
  total: number
}
export type OnProgress = (progress: DemoProgress) => void
/** Receives a sentence for the person who started the demo. */
export type Report = (sentence: string) => void

/** Credentials of a device. */
export interface DemoCredentials {
  code: string
  secret: string
}

export interface Making {
  /** Null where the demo terminal has no device. */
  terminal: DemoCredentials | null
  /** Make the rest, and leave the simulated devices connected. @throws as the maker's calls; Error of a simulated device */
  fill(onProgress: OnProgress, report: Report): Promise<void>
  /** Continue the day once everything is made; no session is needed. Resolves when the signal aborts, or no device is left. */
  live(report: Report): Promise<void>
  disconnect(): Promise<void>
}

export interface MakingParts {
  readonly server: Server
  readonly campus: DemoCampus
  readonly roster: readonly DemoPerson[]
  readonly maker: Maker
  readonly painter: ReturnType<typeof createPainter>
  readonly pictures: ReturnType<typeof createPictures>
  /** Aborts the making. */
  readonly signal: AbortSignal
  /** Ends the day and its pictures. */
  readonly over: AbortSignal
  /** Whether an earlier start has made everything. */
  readonly isComplete: boolean
  /** Persons registered at the start, by work number. */
  readonly registered: ReadonlyMap<string, Person>
  readonly connected: Map<DemoDevice, SimulatedDevice>
  /** Return the ids of the demo's own things of a kind. */
  own(entity: string): Promise<ReadonlySet<string>>
  /** Count steps as done. */
  advance(onProgress: OnProgress, steps?: number): Promise<void>
}
