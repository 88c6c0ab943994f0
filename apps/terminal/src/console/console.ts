/** The console of the terminal itself: its pages, its account, its codes. It works without a server. */
import type { FastifyInstance } from 'fastify'
import { bulkCalls } from './bulk.ts'
import { detectionCalls, type DetectionParts } from './detection.ts'
import { deviceCalls, type DeviceParts } from './device.ts'
import type { Account } from './account.ts'
import type { KeptRecords } from './kept-records.ts'
import { createVerify, loginCalls } from './login.ts'
import { networkCalls, type NetworkParts } from './network.ts'
import { serveConsolePages } from './page.ts'
import { peopleCalls, type PeopleParts } from './people.ts'
import { serveConsoleCalls } from './routes.ts'
import { screenCalls } from './screen.ts'
import { screenSaverCalls, type ScreenSaverPicture } from './screen-saver.ts'
import { createSessions, createThrottle } from './sessions.ts'
import { settingsCalls, type SettingsParts } from './settings.ts'
import { timeCalls, type TimeParts } from './time.ts'
import { transferCalls, type TransferParts } from './transfer.ts'
import { createUploads } from './uploads.ts'
import type { CheckDetails } from '../settings/check-details.ts'
import type { LocalSettings } from '../settings/local-settings.ts'

export interface ConsoleParts
  extends
    PeopleParts,
    Pick<DeviceParts, 'dataDir' | 'facts' | 'restart' | 'installPackage' | 'upgradeKeys' | 'log'>,
    Omit<DetectionParts, 'reader'>,
    Omit<TimeParts, 'settings' | 'clock'>,
    Omit<NetworkParts, 'settings'>,
    Pick<SettingsParts, 'thresholds'>,
    Pick<TransferParts, 'deviceId' | 'model' | 'onForeignTemplates'> {
  account: Account
  settings: LocalSettings
  checkDetails: CheckDetails
  records: KeptRecords
  screenSaver: ScreenSaverPicture
}

export interface Console {
  /** Remove uploads that were not used. */
  stop(): void
}

/** Serve the console at `/console/`. */
export function serveConsole(server: FastifyInstance, parts: ConsoleParts): Console {
  const { account, settings, clock, dataDir, log } = parts
  const sessions = createSessions(clock)
  const throttle = createThrottle(clock)
  const uploads = createUploads(dataDir, clock)
  const verify = createVerify({ account, throttle })
  const device = deviceCalls({ ...parts, sessions, verify, uploads })
  const calls = {
    ...loginCalls({ account, sessions, throttle, settings }),
    ...peopleCalls(parts),
    ...bulkCalls(parts),
    ...uploads.calls,
    ...device.calls,
    ...detectionCalls(parts),
    ...settingsCalls(parts),
    ...screenCalls(parts.checkDetails),
    ...timeCalls(parts),
    ...networkCalls(parts),
    ...screenSaverCalls(settings, parts.screenSaver),
    ...transferCalls({ ...parts, uploads, verify }),
  }
  serveConsolePages(server)
  serveConsoleCalls(server, calls, { sessions, upgrading: device.upgrading, log })
  return { stop: uploads.clear }
}
