/**
 * The network of the machine a terminal runs on. A product that is built into a box implements `NetworkControl` for its system; a terminal
 * on any other machine does not change the network and reports that.
 */
import type { TerminalSettings } from '@gatehouse/contract/configuration/settings'
import { createMutex } from '../async/mutex.ts'

/** The settings of the network. `networkMode`: 1 DHCP, 2 static. */
export type NetworkValues = Pick<TerminalSettings, 'networkMode' | 'ip' | 'subnetMask' | 'gateway' | 'dns'>

export interface NetworkControl {
  /** False: this machine manages its network itself, and `apply` is never called. */
  readonly manages: boolean
  /**
   * Apply these values to the network; resolves when they are in force.
   * @throws Error with a sentence when it failed; the network is unchanged then
   */
  apply(values: NetworkValues): Promise<void>
}

/** `notWished`: the settings request nothing. `unmanaged`: they do, but this machine manages its network itself. */
export type NetworkState = { kind: 'notWished' | 'unmanaged' | 'applying' | 'applied' } | { kind: 'failed'; detail: string }

/** A machine that manages its network itself. */
export const unmanagedNetwork: NetworkControl = {
  manages: false,
  apply: () => Promise.reject(new Error('This machine manages its network itself.')),
}

export interface NetworkKeeper {
  state(): NetworkState
  /** Apply changed settings. */
  refresh(): void
}

/** Keep the network as the settings request, one change at a time. */
export function keepNetwork({
  control,
  settings,
  onChange,
  log,
}: {
  control: NetworkControl
  settings: () => NetworkValues
  onChange: () => void
  log: (sentence: string) => void
}): NetworkKeeper {
  let state: NetworkState = { kind: 'notWished' }
  let requested = ''
  const inTurn = createMutex()

  function enter(next: NetworkState): void {
    state = next
    onChange()
  }

  async function bring(values: NetworkValues): Promise<void> {
    try {
      await control.apply(values)
      if (requested === JSON.stringify(values)) enter({ kind: 'applied' })
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error)
      log(`The network settings could not be applied: ${detail}`)
      if (requested === JSON.stringify(values)) enter({ kind: 'failed', detail })
    }
  }

  return {
    state: () => state,
    refresh() {
      const { networkMode, ip, subnetMask, gateway, dns } = settings()
      const values = { networkMode, ip, subnetMask, gateway, dns }
      const text = JSON.stringify(values)
      if (text === requested) return
      requested = text
      if (networkMode === null) return enter({ kind: 'notWished' })
      if (!control.manages) {
        log('Network settings are not applied: this machine manages its network itself.')
        return enter({ kind: 'unmanaged' })
      }
      enter({ kind: 'applying' })
      void inTurn(async () => {
        if (requested === text) await bring(values)
      })
    },
  }
}
