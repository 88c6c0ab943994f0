/** Services of a terminal for its screen and for programs, and the readers and the camera that feed its passage. */
import type { FastifyInstance } from 'fastify'
import { attachCamera, type AttachedCamera } from '../camera/attach.ts'
import type { CameraAddress } from '../camera/address.ts'
import type { Loopback } from '../collector/loopback.ts'
import { tapReaders } from '../console/reader-tap.ts'
import { serveEvents, type Broadcast } from '../http/events.ts'
import { serveFrames } from '../http/frame.ts'
import { serveInputs } from '../http/inputs.ts'
import { serveFiles, servePage } from '../http/page.ts'
import { serveUpgrade } from '../http/upgrade.ts'
import type { WiegandProbe } from '../console/detection.ts'
import type { FrameQueue } from '../passage/camera.ts'
import type { Passage } from '../passage/passage.ts'
import { takeReaders } from '../readers/take-readers.ts'
import type { LocalSettings } from '../settings/local-settings.ts'
import type { Surroundings } from '../settings/surroundings.ts'
import type { UpgradeAgent } from '../upgrade/agent.ts'
import type { Disclosed } from './disclosed.ts'
import type { Engine } from './engine.ts'
import type { TerminalOptions } from './options.ts'

export interface ServiceParts {
  options: Pick<TerminalOptions, 'cameraSilence' | 'retry' | 'readers'>
  /** Address of the camera; null without a camera. */
  cameraAddress: CameraAddress | null
  queue: FrameQueue
  passage: Passage
  engine: Engine
  disclosed: Disclosed
  settings: Pick<LocalSettings, 'effective'>
  files: Surroundings['files']
  upgrades: UpgradeAgent
  loopback: Loopback
  announce: () => void
  log: (sentence: string) => void
}

export interface Services {
  /** Null without a camera. */
  camera: AttachedCamera | null
  broadcast: Broadcast
  /** Probe of a Wiegand reader for the technician; null without such a reader. */
  wiegand: WiegandProbe | null
  stopReaders: () => void
}

export function startServices(http: FastifyInstance, parts: ServiceParts): Services {
  const { options, cameraAddress, queue, passage, engine, disclosed, settings, files, upgrades, loopback, announce, log } = parts
  serveFrames(http, { queue, passage, engineWorks: () => engine.state() !== 'failed', disclose: disclosed.verdict })
  const camera =
    cameraAddress &&
    attachCamera(http, {
      address: cameraAddress,
      silence: options.cameraSilence,
      retry: options.retry,
      queue,
      look: (jpeg) => passage.look(jpeg, { stream: true }),
      engineWorks: () => engine.state() === 'ready',
      onState: announce,
      log,
    })
  serveInputs(http, { queue, passage, cardNumberFormat: () => settings.effective().cardNumberFormat, disclose: disclosed.verdict })
  const tapped = tapReaders(options.readers ?? [])
  const stopReaders = takeReaders(tapped.readers, { queue, passage, log })
  const broadcast = serveEvents(http, {
    first: (holdsKey) => [
      ['state', disclosed.state(holdsKey)],
      ['awaiting', passage.awaiting()],
    ],
  })
  serveUpgrade(http, { agent: upgrades })
  loopback.serve(http)
  servePage(http)
  serveFiles(http, files)
  http.get('/state', { config: { reach: 'everybody' } }, async ({ holdsKey = false }) => disclosed.state(holdsKey))
  return { camera, broadcast, wiegand: tapped.probe, stopReaders }
}
