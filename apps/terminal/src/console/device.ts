/** Device management: facts about this machine and its program, restart, defaults, upgrade. */
import { statfsSync, rmSync } from 'node:fs'
import { arch, networkInterfaces, platform, release, type NetworkInterfaceInfo } from 'node:os'
import { z } from 'zod'
import type { Account } from './account.ts'
import { deviceConsoleCode, deviceConsoleCodes } from '@gatehouse/contract'
import { ConsoleDone, ConsoleRefusal } from './answers.ts'
import { read, type ConsoleCalls } from './call.ts'
import type { Verify } from './login.ts'
import type { Sessions } from './sessions.ts'
import type { Uploads } from './uploads.ts'
import type { CheckDetails } from '../settings/check-details.ts'
import type { LocalSettings } from '../settings/local-settings.ts'
import type { InstallCode } from '../upgrade/install.ts'

/**
 * Check a package and install it; it runs from the next start.
 * @param file a tar archive; the caller removes it
 * @returns 201, or the code that says why not
 */
export type InstallPackage = (file: string) => Promise<InstallCode>

/** Keys whose packages the installation accepts. */
export interface UpgradeKeys {
  /** Return the fingerprint of each key, for people to compare; without keys no package is accepted. */
  fingerprints(): readonly string[]
  /** @throws Error with a sentence if the text contains no usable key */
  trust(pem: string): void
}

/** Facts about the terminal on the device page. */
export interface DeviceFacts {
  code: string
  name: string | null
  version: string
  engine: { name: string; modelId: string }
  link: string
  persons: number
  localPeople: number
  faces: number
  records: number
  pictures: number
  /** Epoch milliseconds of the start. */
  startedAt: number
}

/** Answer of `GET device`: the terminal, the machine it runs on, and what can be done there. */
export interface DeviceState extends DeviceFacts {
  machine: { platform: string; release: string; arch: string; node: string }
  /** Bytes; null if the system does not report them. */
  disk: { total: number; free: number } | null
  canRestart: boolean
  canUpgrade: boolean
  /** Fingerprints of the keys whose packages are accepted; null if the terminal is upgraded by other means. */
  upgradeKeys: readonly string[] | null
}

export interface DeviceParts {
  dataDir: string
  facts: () => DeviceFacts
  account: Account
  sessions: Sessions
  settings: Pick<LocalSettings, 'reset'>
  checkDetails: Pick<CheckDetails, 'show'>
  verify: Verify
  uploads: Uploads
  /** Null if the terminal was started without a way to restart it. */
  restart: (() => void) | null
  /** Null if this terminal is upgraded by other means. */
  installPackage: InstallPackage | null
  upgradeKeys: UpgradeKeys | null
  log: (sentence: string) => void
}

export interface DeviceCalls {
  calls: ConsoleCalls
  upgrading(): boolean
}

const confirmed = z.object({ password: z.string().max(100) })
const upgrade = z.object({ upload: z.string().max(64) })
const upgradeKey = confirmed.extend({ key: z.string().max(10_000) })

export function deviceCalls({
  dataDir,
  facts,
  account,
  sessions,
  settings,
  checkDetails,
  verify,
  uploads,
  restart,
  installPackage,
  upgradeKeys,
  log,
}: DeviceParts): DeviceCalls {
  let upgrading = false

  /** Install a package. Until it fails or the new version runs, every call answers that the terminal must not be switched off. */
  async function install(file: string): Promise<void> {
    try {
      if (!installPackage) throw new ConsoleRefusal('upgradeFailed', { why: { key: 'noInstaller' } })
      if (upgradeKeys?.fingerprints().length === 0) throw new ConsoleRefusal('upgradeFailed', { why: { key: 'noUpgradeKey' } })
      upgrading = true
      const code = await installPackage(file)
      if (code !== deviceConsoleCode.upgrading) throw new ConsoleRefusal(deviceConsoleCodes[code].name)
    } catch (error) {
      upgrading = false
      throw error
    } finally {
      rmSync(file, { force: true })
    }
  }

  return {
    upgrading: () => upgrading,
    calls: {
      'GET device': {
        run: (): DeviceState => ({
          ...facts(),
          machine: { platform: platform(), release: release(), arch: arch(), node: process.version },
          disk: diskOf(dataDir),
          canRestart: restart !== null,
          canUpgrade: installPackage !== null,
          upgradeKeys: upgradeKeys?.fingerprints() ?? null,
        }),
      },
      'GET device/mac': { run: () => ({ macs: macsOf(networkInterfaces()) }) },
      'POST device/restart': {
        async run(request) {
          await verify(request, read(request, confirmed).password)
          if (!restart) throw new ConsoleRefusal('otherError', { why: { key: 'noRestart' } })
          log('A restart was asked for at the console.')
          request.onSent(restart)
        },
      },
      'POST device/defaults': {
        async run(request) {
          await verify(request, read(request, confirmed).password)
          settings.reset()
          checkDetails.show(false)
          await account.reset()
          log('The defaults were restored at the console.')
          sessions.closeOthers(null)
          request.remember(null)
          return new ConsoleDone('defaultsRestored')
        },
      },
      // Sets the first key only; a later one is replaced on the machine itself.
      'POST device/upgradeKey': {
        onlyHere: true,
        async run(request) {
          const { password, key } = read(request, upgradeKey)
          if (!upgradeKeys) throw new ConsoleRefusal('upgradeFailed', { why: { key: 'noInstaller' } })
          await verify(request, password)
          if (upgradeKeys.fingerprints().length > 0) throw new ConsoleRefusal('upgradeFailed', { why: { key: 'hasUpgradeKey' } })
          try {
            upgradeKeys.trust(key)
          } catch (error) {
            log(`The key is not taken: ${(error as Error).message}`)
            throw new ConsoleRefusal('fileFormatWrong', { why: { key: 'upgradeKey' } })
          }
          log(`At the console it was confirmed that packages signed by the key ${upgradeKeys.fingerprints().join(', ')} are taken.`)
        },
      },
      'POST device/upgrade': {
        async run(request) {
          await install(uploads.take(read(request, upgrade).upload))
          log('A package was put in place at the console; the terminal starts again with it.')
          if (restart) request.onSent(restart)
          return new ConsoleDone('upgrading')
        },
      },
    },
  }
}

/** Return the size of the disk that contains the data folder. */
function diskOf(folder: string): DeviceState['disk'] {
  try {
    const { blocks, bavail, bsize } = statfsSync(folder)
    return { total: blocks * bsize, free: bavail * bsize }
  } catch {
    return null
  }
}

const MAC = /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i
const NONE = /^(00:){5}00$/

/** Return the hardware addresses of this machine, by interface. @throws ConsoleRefusal macInvalid where none is valid */
export function macsOf(interfaces: NodeJS.Dict<Pick<NetworkInterfaceInfo, 'mac' | 'internal'>[]>): { name: string; mac: string }[] {
  const macs = Object.entries(interfaces).flatMap(([name, addresses = []]) =>
    addresses.filter(({ internal }) => !internal).map(({ mac }) => ({ name, mac: mac.toUpperCase() })),
  )
  const valid = macs.filter(({ mac }) => MAC.test(mac) && !NONE.test(mac))
  if (valid.length === 0) throw new ConsoleRefusal('macInvalid')
  return valid.filter(({ name }, at) => valid.findIndex((other) => other.name === name) === at)
}
