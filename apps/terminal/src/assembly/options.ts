/** Options a terminal is started with. */
import type { FacePool } from '@gatehouse/face-engine'
import type { ResourceUsage } from '@gatehouse/contract/maintenance/resources'
import type { CollectorReaders } from '../collector/readers.ts'
import type { ConsoleOptions } from '../console/attach.ts'
import type { DeviceOptions } from '../device/device.ts'
import type { DoorOutput } from '../door/door.ts'
import type { Reader } from '../readers/reader.ts'
import type { SurroundingsOptions } from '../settings/surroundings.ts'
import type { UpgradePlace } from '../upgrade/place.ts'

export interface TerminalOptions extends SurroundingsOptions, ConsoleOptions {
  /** Address of the Gatehouse server, such as `https://gate.example:8080`. */
  server: string
  code: string
  secret: string
  /** Folder for all data of the terminal. */
  dataDir: string
  /** File with the key that encrypts this folder; by default it lies in the folder. */
  dataKeyFile?: string | undefined
  /** Default 8081; 0 takes a free port. */
  port?: number
  /** Default 127.0.0.1. */
  host?: string
  /** Accept pictures from other machines that have the key, and show these machines who passes. */
  allowFrames?: boolean
  /** File with that key; by default one in the data folder, created at the first start. */
  framesKeyFile?: string | undefined
  /** Open the console to other machines too. */
  allowConsole?: boolean
  /** Names and addresses by which the terminal is reached, besides those of this machine. Requests under any other name are refused. */
  allowHosts?: readonly string[]
  /** A shared engine; the caller closes it. */
  pool?: Pick<FacePool, 'analyse' | 'ready' | 'close' | 'modelId' | 'description'>
  clock?: () => number
  log?: (sentence: string) => void
  door?: DoorOutput
  /** Address of a camera, such as `rtsp://user:password@192.168.1.40:554/stream`; the program ffmpeg reads its pictures. */
  camera?: string
  /** Milliseconds without a picture after which the camera counts as away; default 15 s. */
  cameraSilence?: number
  /** Readers of cards, ID cards and hands. Other readers send their values to `POST /input/…`. */
  readers?: readonly Reader[]
  /** Devices that enrol cards and palms and write cards. Other devices send their values to `POST /collector/…`. */
  collector?: Partial<CollectorReaders>
  /** Milliseconds the door stays open after a passage. */
  doorOpenFor?: number
  /** Bytes that pictures waiting to be sent may take. */
  pictureQuota?: number
  retry?: DeviceOptions['retry']
  /** For a broker over TLS whose authority is not among the usual ones, or that requests a certificate. */
  brokerTls?: DeviceOptions['tls']
  /** Version the program reports; default: that of this source. */
  version?: string
  /** Number of the face models in use, if they came as a package. */
  algorithmVersion?: string
  /**
   * Where upgrades are installed; absent if this terminal is upgraded by other means. `proven` resolves when this version is no longer
   * rolled back.
   */
  upgrades?: { place: UpgradePlace; proven: Promise<void> }
  /**
   * Milliseconds in which the terminal must come online at a new server address, and after which a failed address is tried again; default
   * one minute and ten minutes.
   */
  serverPatience?: { online: number; again: number }
  /** Milliseconds without an acknowledgement after which records are sent again. */
  resendAfter?: number
  /** Usage of processor, memory and disk; default: that of this machine. */
  usage?: () => Promise<ResourceUsage>
  /** Milliseconds between two synchronisations of a visitor machine's visits; default 10 s. */
  visitsEvery?: number
  /** Milliseconds between measurements of the usage; default one minute. */
  usageEvery?: number
}
