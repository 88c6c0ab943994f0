/** The data that passages are decided by: what the server sent, the people registered at the terminal, and the secrets of the device. */
import type { AccessDevice } from '@gatehouse/access-rules'
import { configurationCalls } from '@gatehouse/contract/configuration/calls'
import type { DeviceSettings } from '@gatehouse/contract/device/protocol-manifest'
import type { EngineDescription } from '@gatehouse/face-engine'
import { holdingsWith, withoutLocalIds } from '../console/at-the-door.ts'
import { openLocalPeople, type LocalPeople } from '../console/local-people.ts'
import type { Device } from '../device/device.ts'
import { createDecider, type Decider } from '../passage/decision.ts'
import { createSecrets, type Secrets } from '../passage/secrets.ts'
import { createVisitorPasses, type VisitorPasses } from '../passage/visitor-passes.ts'
import type { SearchableHoldings } from '../store/holdings.ts'
import type { DataFolder } from './data-folder.ts'

export interface Decisions {
  secrets: Secrets
  people: LocalPeople
  /** The persons sent by the server together with those registered at the terminal. */
  everybody: SearchableHoldings
  passes: VisitorPasses
  decider: Decider
  /** The server's settings, completed by those made at the terminal; null before the server sent any. */
  settings(): DeviceSettings | null
  /** The scores a face must reach at present; null before the first settings. */
  thresholds(): AccessDevice['thresholds'] | null
}

export function openDecisions(
  { store, settings, log }: Pick<DataFolder, 'store' | 'settings' | 'log'>,
  device: Pick<Device, 'client' | 'isOnline'>,
  engine: EngineDescription,
): Decisions {
  const inForce = () => {
    const sent = store.holdings.settings()
    return sent && { ...sent, configuration: settings.effective() }
  }
  const secrets = createSecrets({
    store: store.secrets,
    revision: () => (store.holdings.settings() ? (store.holdings.settings()?.secretsRevision ?? '') : undefined),
    fetch: () => device.client.request(configurationCalls.secrets, {}),
    log,
  })
  secrets.refresh()
  const people = openLocalPeople(store.database, store.vault, engine, log)
  const everybody = holdingsWith(store.holdings, people)
  const passes = createVisitorPasses({ holdings: everybody, used: store.usedPasses, log })
  const decider = withoutLocalIds(
    createDecider({
      holdings: everybody,
      engine,
      client: device.client,
      online: device.isOnline,
      isDevicePassword: secrets.isDevicePassword,
      passes,
    }),
    people,
  )
  return {
    secrets,
    people,
    everybody,
    passes,
    decider,
    settings: inForce,
    thresholds() {
      const current = inForce()
      return current && decider.thresholds(current)
    },
  }
}
