/** Network: addresses as the settings request them, wireless networks, and whether the server can be reached. */
import { networkInterfaces } from 'node:os'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { z } from 'zod'
import { ConsoleRefusal } from './answers.ts'
import { read, type ConsoleCalls } from './call.ts'
import { setHere, shownSettings } from './settings.ts'
import { ServerAway, type ServerClient } from '../device/server.ts'
import type { ServerSecurity } from '../device/sign-in.ts'
import type { LocalSettings, SettingName } from '../settings/local-settings.ts'
import type { NetworkState } from '../settings/network.ts'
import type { ServerChoice } from '../settings/server-address.ts'

/** Wireless networks of the machine. */
export interface WifiControl {
  /** Join a network; an empty password means an open network. @throws when the machine cannot join it */
  join(name: string, password: string): Promise<void>
}

export interface NetworkParts {
  settings: LocalSettings
  network: { state(): NetworkState; manages: boolean }
  /** Null if the machine manages its wireless networks itself, or has none. */
  wifi: WifiControl | null
  client: ServerClient
  online: () => boolean
  security: () => ServerSecurity | null
  /** The server in use, and why it differs from the one of the settings. */
  choice: () => ServerChoice
}

const FIELDS: readonly SettingName[] = ['networkMode', 'ip', 'subnetMask', 'gateway', 'dns', 'serverAddress', 'port']
const addresses = z.partialRecord(z.enum(FIELDS as ['networkMode']), z.unknown())
const wifiForm = z.object({ name: z.string().trim().min(1).max(32), password: z.string().max(63).default('') })
/** Milliseconds the server has to answer. */
const ANSWER_WITHIN = 5_000

export function networkCalls({ settings, network, wifi, client, online, security, choice }: NetworkParts): ConsoleCalls {
  return {
    'GET network': {
      run: () => ({
        ...shownSettings(settings),
        state: network.state(),
        manages: network.manages,
        wifi: wifi !== null,
        server: client.address.origin,
        online: online(),
        security: security(),
        wished: choice().wished,
        trouble: choice().trouble,
        interfaces: Object.entries(networkInterfaces()).flatMap(([name, found = []]) =>
          found.filter(({ internal }) => !internal).map(({ address, netmask, family }) => ({ name, address, netmask, family })),
        ),
      }),
    },
    'PUT network': {
      run(request) {
        setHere(settings, read(request, addresses))
        return shownSettings(settings)
      },
    },
    'POST network/wifi': {
      async run(request) {
        const { name, password } = read(request, wifiForm)
        if (!wifi) throw new ConsoleRefusal('wifiFailed', { why: { key: 'wifiOfMachine' } })
        await wifi.join(name, password).catch(() => Promise.reject(new ConsoleRefusal('wifiFailed')))
      },
    },
    'POST network/test': {
      async run() {
        const started = performance.now()
        await client.request(deviceProtocolCalls.manifest, {}, { timeout: ANSWER_WITHIN }).catch((error: unknown) => {
          throw new ConsoleRefusal(error instanceof ServerAway && error.timedOut ? 'timeoutOfNetwork' : 'syncFailed')
        })
        if (!online()) throw new ConsoleRefusal('syncFailed')
        return { milliseconds: Math.round(performance.now() - started) }
      },
    },
  }
}
