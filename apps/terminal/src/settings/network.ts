/**
 * The network of the machine a terminal runs on. Whoever builds the product into a box gives an implementation of
 * `NetworkControl` for its system; a terminal on a machine of somebody else leaves the network alone and says so.
 */
import type { TerminalSettings } from '@gatehouse/contract/configuration/settings'

/** What the settings ask of the network. `networkMode`: 1 DHCP, 2 static. */
export type NetworkWish = Pick<TerminalSettings, 'networkMode' | 'ip' | 'subnetMask' | 'gateway' | 'dns'>

export interface NetworkControl {
  /** False: this machine manages its network itself, and `apply` is never called. */
  readonly manages: boolean
  /** Brings the network to what is asked; resolves when it holds. @throws Error with a sentence when it could not be done; the network is then as before */
  apply(wish: NetworkWish): Promise<void>
}

/** `notWished`: no settings ask for anything. `unmanaged`: they do, and this machine manages its network itself. */
export type NetworkState = { kind: 'notWished' | 'unmanaged' | 'applying' | 'applied' } | { kind: 'failed'; detail: string }

/** A machine that manages its network itself. */
export const unmanagedNetwork: NetworkControl = {
  manages: false,
  apply: () => Promise.reject(new Error('This machine manages its network itself.')),
}

export interface NetworkKeeper {
  state(): NetworkState
  /** The settings may be others. */
  refresh(): void
}

/** Keeps the network as the settings ask, one change at a time. */
export function keepNetwork({
  control,
  settings,
  onChange,
  log,
}: {
  control: NetworkControl
  settings: () => NetworkWish
  onChange: () => void
  log: (sentence: string) => void
}): NetworkKeeper {
  let state: NetworkState = { kind: 'notWished' }
  let asked = ''
  let working: Promise<void> = Promise.resolve()

  function enter(next: NetworkState): void {
    state = next
    onChange()
  }

  async function bring(wish: NetworkWish): Promise<void> {
    try {
      await control.apply(wish)
      if (asked === JSON.stringify(wish)) enter({ kind: 'applied' })
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error)
      log(`The network settings could not be applied: ${detail}`)
      if (asked === JSON.stringify(wish)) enter({ kind: 'failed', detail })
    }
  }

  return {
    state: () => state,
    refresh() {
      const { networkMode, ip, subnetMask, gateway, dns } = settings()
      const wish = { networkMode, ip, subnetMask, gateway, dns }
      const text = JSON.stringify(wish)
      if (text === asked) return
      asked = text
      if (networkMode === null) return enter({ kind: 'notWished' })
      if (!control.manages) {
        log('Network settings are not applied: this machine manages its network itself.')
        return enter({ kind: 'unmanaged' })
      }
      enter({ kind: 'applying' })
      working = working.then(() => (asked === text ? bring(wish) : undefined))
    },
  }
}
