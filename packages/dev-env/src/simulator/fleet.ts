/** Many simulated devices with visitors and misfortunes. In the end they account for what they made and hold. */
import { randomOf } from '@gatehouse/face-engine/portrait/random'
import { createServerClient, type ServerClient, type ServerConnection } from '@gatehouse/terminal/device/server'
import { setTimeout as delay } from 'node:timers/promises'
import { accountOf } from './accounting.ts'
import { Catalogue } from './catalogue.ts'
import { traitsOf } from './faults.ts'
import { createProgress } from './fleet-progress.ts'
import type { Credentials, Fleet, FleetOptions, FleetParts } from './fleet-types.ts'
import { createVisits } from './fleet-visits.ts'
import type { Account } from './proof.ts'
import { startSimulatedDevice, type SimulatedDevice } from './simulated-device.ts'

export type { Credentials, Fleet, FleetOptions } from './fleet-types.ts'

const RETRY = { first: 500, limit: 5_000 }
/** Devices whose accounts are taken at the same time. */
const AT_ONCE = 20

export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const { server, modelId, seed, startsPerSecond = 200, retry = RETRY, resendAfter, log, onChange = () => {} } = options
  const faults = new Set(options.faults)
  const catalogue = new Catalogue()
  const devices: SimulatedDevice[] = []
  const secrets = new Map(options.devices.map(({ code, secret }) => [code, secret]))
  const clients = new Map<string, ServerConnection>()
  /** Return a client that sends requests as a device does, beside its line; it signs in once. */
  function asking({ code }: SimulatedDevice): ServerClient {
    const client = clients.get(code) ?? createServerClient({ server, code, secret: secrets.get(code)! })
    clients.set(code, client)
    return client
  }
  const parts: FleetParts = {
    options,
    faults,
    devices,
    ledger: new Map(),
    counts: { turnedAway: 0, picturesMade: 0, cuts: 0, vanished: 0 },
    failure: undefined,
    asking,
  }
  const { begin, calm } = createVisits(parts)
  const { look, figures, isDone } = createProgress(parts)

  async function switchOn({ code, secret }: Credentials): Promise<void> {
    const random = randomOf(`${seed} ${code}`)
    const { store, ...traits } = traitsOf(faults, code, modelId, random)
    const device = await startSimulatedDevice({
      ...traits,
      server,
      code,
      secret,
      retry,
      resendAfter,
      random: () => random.next(),
      onChange: () => onChange(code),
      log: log && ((sentence) => log(`${code}: ${sentence}`)),
      store: { ...store, catalogue },
    })
    devices.push(device)
    parts.ledger.set(device, new Set())
  }

  let stopped = false
  const starting = (async () => {
    for (const [index, credentials] of options.devices.entries()) {
      if (stopped) return
      await switchOn(credentials)
      if ((index + 1) % Math.ceil(startsPerSecond / 20) === 0) await delay(50)
    }
  })()

  return {
    devices,
    catalogue,
    look,
    figures,
    begin,
    calm,
    async settled(timeout) {
      await starting
      const end = Date.now() + timeout
      for (;;) {
        await look()
        if (devices.every(isDone)) return true
        if (Date.now() > end) return false
        await delay(200)
      }
    },
    async accounts() {
      if (parts.failure !== undefined) throw parts.failure
      const accounts: Account[] = []
      for (let from = 0; from < devices.length; from += AT_ONCE)
        accounts.push(
          ...(await Promise.all(
            devices.slice(from, from + AT_ONCE).map((device) => accountOf(device, parts.ledger.get(device)!, asking(device))),
          )),
        )
      return accounts
    },
    async stop() {
      stopped = true
      calm()
      await starting
      await Promise.all(devices.map((device) => device.stop()))
      for (const client of clients.values()) client.close()
    },
  }
}
