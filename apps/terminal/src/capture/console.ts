/** The console of a capture camera: its account, and the settings of what it looks at. */
import type { FastifyInstance } from 'fastify'
import { configurationCalls } from '@gatehouse/contract/configuration/calls'
import type { DataFolder } from '../assembly/data-folder.ts'
import { openAccount } from '../console/account.ts'
import { loginCalls } from '../console/login.ts'
import { serveConsoleCalls } from '../console/routes.ts'
import { createSessions, createThrottle } from '../console/sessions.ts'
import type { Device } from '../device/device.ts'
import { createSecrets, type Secrets } from '../passage/secrets.ts'
import { createConsolePassword } from '../store/console-password.ts'
import { captureSettingsCalls } from './console-calls.ts'
import type { KeptCaptureSettings } from './settings.ts'

export interface CaptureConsoleParts {
  folder: Pick<DataFolder, 'store' | 'settings'>
  device: Pick<Device, 'client'>
  captureSettings: KeptCaptureSettings
  clock: () => number
  /** Writes to the log of the person who started the camera: the log file is sent to the server on request. */
  sayOnce: (sentence: string) => void
  log: (sentence: string) => void
}

/** Serve the calls of the console. @returns the secrets of the device, which name the account the server sets */
export async function serveCaptureConsole(http: FastifyInstance, parts: CaptureConsoleParts): Promise<Pick<Secrets, 'refresh' | 'stop'>> {
  const { folder, device, captureSettings, clock, sayOnce, log } = parts
  const { store, settings } = folder
  const secrets = createSecrets({
    store: store.secrets,
    revision: () => (store.holdings.settings() ? (store.holdings.settings()?.secretsRevision ?? '') : undefined),
    fetch: () => device.client.request(configurationCalls.secrets, {}),
    log,
  })
  secrets.refresh()
  const account = await openAccount({
    password: createConsolePassword(store.database, store.vault),
    setName: () => settings.effective().consoleAccount,
    ofServer: () => secrets.current()?.console ?? null,
    log: sayOnce,
  })
  const sessions = createSessions(clock)
  const calls = {
    ...loginCalls({ account, sessions, throttle: createThrottle(clock), settings }),
    ...captureSettingsCalls(captureSettings),
  }
  serveConsoleCalls(http, calls, { sessions, upgrading: () => false, log })
  return secrets
}
