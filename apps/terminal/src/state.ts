import type { EngineDescription } from '@gatehouse/face-engine'
import type { Manifest } from '@gatehouse/contract/device/protocol-manifest'
import type { CameraState } from './camera/source.ts'
import type { DoorState } from './door/door.ts'
import type { LinkState } from './device/link.ts'
import type { ServerSecurity } from './device/sign-in.ts'
import type { SurroundingsState } from './settings/surroundings.ts'
import type { UpgradeShown } from './upgrade/agent.ts'

/** State of the terminal, without data of anybody who passes. */
export interface TerminalState extends SurroundingsState {
  version: string
  code: string
  /** Null before the server has identified the device. */
  device:
    | (Pick<Manifest['settings'], 'deviceId' | 'name' | 'direction' | 'zone' | 'liveness'> & {
        /** The score a face must reach at present: sent by the server, set here, or computed for the number of stored faces. */
        threshold: number
      })
    | null
  link: LinkState
  /** Security of the connection to the server; null before the first one. */
  security: ServerSecurity | null
  /** The server's clock minus this one's, in milliseconds. */
  clockOffset: number | null
  door: DoorState
  /**
   * `renewing`: after a change of the engine, the number of persons that can be recognised again, and of all to renew; null when all were
   * tried.
   */
  held: { revision: string; persons: number; faces: number; failed: number; renewing: { ready: number; total: number } | null }
  queue: { records: number; pictures: number; picturesLost: number }
  /** `tellsLiving`: whether the engine can judge liveness. */
  engine: Pick<EngineDescription, 'kind' | 'modelId' | 'name'> & { tellsLiving: boolean; state: 'loading' | 'ready' | 'failed' }
  /** State of the terminal's own camera; null if the screen uses the browser's. */
  camera: CameraState | null
  /** False after a record could not be written. */
  storageWorks: boolean
  /** The current upgrade; null if there is none. */
  upgrade: UpgradeShown | null
  /** Epoch milliseconds of the terminal's clock. */
  time: number
}
