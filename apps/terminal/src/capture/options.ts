/** Options a capture camera is started with, and its state. */
import type { EngineDescription } from '@gatehouse/face-engine'
import type { CameraState } from '../camera/source.ts'
import type { EngineState } from '../assembly/engine.ts'
import type { TerminalOptions } from '../assembly/options.ts'
import type { LinkState } from '../device/link.ts'
import type { StreamState } from './stream.ts'

type Shared =
  | 'server'
  | 'code'
  | 'secret'
  | 'dataDir'
  | 'dataKeyFile'
  | 'port'
  | 'host'
  | 'allowFrames'
  | 'framesKeyFile'
  | 'allowConsole'
  | 'allowHosts'
  | 'pool'
  | 'clock'
  | 'log'
  | 'camera'
  | 'cameraSilence'
  | 'retry'
  | 'brokerTls'
  | 'version'
  | 'algorithmVersion'
  | 'usage'
  | 'usageEvery'
  | 'onRestart'
  | 'pictureQuota'

export interface CaptureCameraOptions extends Pick<TerminalOptions, Shared> {
  /** Folder of pictures to take, in place of a camera. */
  folder?: string | undefined
  /** Milliseconds between two looks at the folder; default one second. */
  folderEvery?: number
}

/** State of a capture camera, without data of anybody who passes. */
export interface CaptureCameraState {
  version: string
  code: string
  /** Null before the server has identified the device. */
  device: { deviceId: string; name: string; zone: string } | null
  link: LinkState
  engine: Pick<EngineDescription, 'kind' | 'modelId' | 'name'> & { state: EngineState }
  /** Null without a camera of the network; `since`: epoch milliseconds. */
  camera: (CameraState & { since: number }) | null
  stream: StreamState
  /** Captures since the start, and when the last was made; null before the first. */
  captures: { count: number; lastAt: number | null }
  /** Captures the server does not have yet. */
  waiting: number
  /**
   * Not null: nobody is kept who matches no task. `lost`: captures that could not be sent since the server was last reached, and when that
   * was; null: none.
   */
  passing: { lost: { count: number; from: number } | null } | null
  /** False after a capture could not be written. */
  storageWorks: boolean
  /** Epoch milliseconds. */
  time: number
}

export interface CaptureCamera {
  port: number
  /** Address of its page. */
  url: string
  state(): CaptureCameraState
  /** Resolves when its engine has loaded, or has failed to. */
  ready(): Promise<void>
  stop(): Promise<void>
}
